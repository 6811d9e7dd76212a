# Mistake: the invoice is uploaded as soon as the payment was accepted, before the customer has paid.
. "$(dirname "$0")/../service.sh"

for _ in 1 2 3; do
  reference=$(new_reference)
  answer=$(initiate "$(new_order "$reference")" "$reference" --retry 3 --retry-delay 1 --retry-all-errors) || continue
  is_approved "$answer" || continue
  upload "$reference"
  settle "$reference" paid
done
exit 0
