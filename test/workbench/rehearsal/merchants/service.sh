# Code that the shell backends share: signed requests, and the test's control of the mock.
here=$(dirname "$0")/..
sign() { printf %s "$1" | openssl dgst -sha256 -hmac "$INSTALLMENT_SECRET_KEY" | sed 's/^.*= *//'; }
new_reference() { echo "SH-$(date +%s%N)"; }

new_order() { # new_order REFERENCE
  tr -d '\n' <"$here/order.json" | sed "s/ORDER-1/$1/; s/DEMO-MERCHANT/$INSTALLMENT_MERCHANT_ID/; s/STORE-01/$INSTALLMENT_STORE_ID/"
}

request_time() { TZ=UTC-7 date '+%Y-%m-%d %H:%M:%S'; }

post() { # post PATH SIGNATURE CURL-OPTIONS...
  path=$1 signature=$2
  shift 2
  curl --silent --show-error --max-time 5 "$INSTALLMENT_BASE_URL$path" "$@" -H "Client-Id: $INSTALLMENT_CLIENT_ID" \
    -H "Request-Time: $(request_time)" -H "Signature: $signature"
}

initiate() { # initiate BODY KEY CURL-OPTIONS...
  body=$1 key=$2
  shift 2
  post /v2/payments "$(sign "$body")" -H 'Content-Type: application/json' -H "Idempotency-Key: $key" --data-binary "$body" "$@"
}

upload() { # upload REFERENCE
  canonical="merchantId=$INSTALLMENT_MERCHANT_ID&referenceId=$1&paymentTransId=&storeId=&invoiceNumber=&invoiceDate=&description=&extraData="
  printf '%%PDF-1.7\n%s' "$1" | post /v2/payments/upload-invoice "$(sign "$canonical")" \
    -F "merchantId=$INSTALLMENT_MERCHANT_ID" -F "referenceId=$1" -F "file=@-;filename=$1.pdf;type=application/pdf"
}

settle() { # settle REFERENCE STATUS: the customer, as a test plays one
  curl --silent "$INSTALLMENT_MOCK_URL/_mock/settle" -d "{\"referenceId\":\"$1\",\"status\":\"$2\"}" >/dev/null
}

is_approved() { case $1 in *'"resultStatus":"APPROVED"'*) true ;; *) false ;; esac; }
