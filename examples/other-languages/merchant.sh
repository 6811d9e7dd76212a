#!/bin/sh
# A merchant in a shell, with curl and openssl: creates a payment, lets the mock pay it, and uploads an invoice.
#
#   npx installment-payments mock
#   sh merchant.sh http://127.0.0.1:4010
set -eu
base=${1:-http://127.0.0.1:4010}
here=$(dirname "$0")
secret_key=demo-secret

# printf %s adds no line break. openssl prints the digest after "= ".
digest() { printf %s "$1" | openssl dgst -sha256 | sed 's/^.*= *//'; }
sign() { printf %s "$1" | openssl dgst -sha256 -hmac "$secret_key" | sed 's/^.*= *//'; }

# post PATH SIGNATURE CURL-OPTIONS... Without --location, curl follows no redirect, so the signature is sent to no
# other address.
post() {
  path=$1 signature=$2
  shift 2
  curl --silent --show-error --max-time 15 "$base$path" "$@" \
    -H 'Client-Id: demo-client' -H "Request-Time: $(TZ=UTC-7 date '+%Y-%m-%d %H:%M:%S')" -H "Signature: $signature"
  echo
}

order() { tr -d '\n' <"$here/order.json" | sed "s/ORDER-1/$1/"; }

body=$(order SHELL-1)
echo "payment $(post /v2/payments "$(sign "$body")" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $(digest "$body")" --data-binary "$body")"

# A control of the mock; the real service has none.
curl --silent --fail "$base/_mock/settle" -d '{"referenceId":"SHELL-1","status":"paid"}' >/dev/null

canonical='merchantId=DEMO-MERCHANT&referenceId=SHELL-1&paymentTransId=&storeId=&invoiceNumber=&invoiceDate=&description=Hóa đơn&extraData='
echo "invoice $(post /v2/payments/upload-invoice "$(sign "$canonical")" -F merchantId=DEMO-MERCHANT \
  -F referenceId=SHELL-1 -F 'description=Hóa đơn' -F "file=@$here/../invoice.pdf;type=application/pdf")"

# A deliberate mistake: echo adds a line break to the text that is signed.
body=$(order SHELL-2)
signature=$(echo "$body" | openssl dgst -sha256 -hmac "$secret_key" | sed 's/^.*= *//')
echo "mistake $(post /v2/payments "$signature" -H 'Content-Type: application/json' --data-binary "$body")"
curl --silent "$base/_mock/journal/find" --data '{"match":{"resultStatus":"INVALID_SIGNATURE","referenceId":"SHELL-2"}}'
