# Right: curl repeats the same body and key after a lost response. An upload is sent once.
. "$(dirname "$0")/../service.sh"

for _ in 1 2 3; do
  reference=$(new_reference)
  body=$(new_order "$reference")
  # curl follows Retry-After, and repeats the same bytes.
  answer=$(initiate "$body" "$reference" --retry 3 --retry-delay 1 --retry-all-errors) || continue
  is_approved "$answer" || continue
  settle "$reference" paid
  upload "$reference" || echo "$reference: look the invoice up" >&2
done
