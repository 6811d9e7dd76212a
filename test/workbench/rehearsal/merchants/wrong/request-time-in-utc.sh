# Mistake: Request-Time is the clock of a server that runs in UTC.
. "$(dirname "$0")/../service.sh"

request_time() { TZ=UTC date '+%Y-%m-%d %H:%M:%S'; }

for _ in 1 2 3; do
  reference=$(new_reference)
  answer=$(initiate "$(new_order "$reference")" "$reference" --retry 3 --retry-delay 1 --retry-all-errors) || continue
  is_approved "$answer" && settle "$reference" paid
done
exit 0
