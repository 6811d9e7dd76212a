"""A merchant in Python: creates a payment, lets the mock pay it, and uploads an invoice. Standard library only.

    npx installment-payments mock
    python3 merchant.py http://127.0.0.1:4010
"""

import hashlib
import hmac
import json
import sys
import time
import uuid
from datetime import datetime, timedelta, timezone
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

CLIENT_ID = "demo-client"
SECRET_KEY = "demo-secret"
SIGNED_FIELDS = [
    "merchantId", "referenceId", "paymentTransId", "storeId",
    "invoiceNumber", "invoiceDate", "description", "extraData",
]
HERE = Path(__file__).parent


def sign(text: bytes) -> str:
    return hmac.new(SECRET_KEY.encode(), text, hashlib.sha256).hexdigest()


def send(url: str, content_type: str, body: bytes, signature: str, headers: dict[str, str] = {}) -> dict:
    request_time = datetime.now(timezone(timedelta(hours=7))).strftime("%Y-%m-%d %H:%M:%S")
    request = Request(url, data=body, method="POST", headers={
        "Content-Type": content_type,
        "Client-Id": CLIENT_ID,
        "Request-Time": request_time,
        "Signature": signature,
        **headers,
    })
    try:
        try:
            with urlopen(request, timeout=15) as response:
                return json.load(response)
        except HTTPError as refusal:
            # A refusal may have any HTTP status: its resultStatus decides.
            return json.load(refusal)
    except (OSError, ValueError, HTTPException):
        # No answer came, or one of a proxy.
        return {}


def encode(order: dict) -> bytes:
    return json.dumps(order, ensure_ascii=False, separators=(",", ":")).encode()


def pay(base: str, order: dict) -> dict:
    # Encoded once: the bytes that are signed are the bytes that are sent.
    body = encode(order)
    key = {"Idempotency-Key": f"pay-{order['referenceId']}"}
    # Without an answer the payment may exist: the same bytes go out again under the same key. Then a person looks it up.
    for pause in [1, 2, 4, 0]:
        answer = send(f"{base}/v2/payments", "application/json", body, sign(body), key)
        if answer.get("resultStatus", "REQUEST_PROCESSING") != "REQUEST_PROCESSING":
            break
        time.sleep(pause)
    return answer


def pay_with_mistake(base: str, order: dict) -> dict:
    """The mistake: the order is encoded again, with the defaults of json.dumps, to sign it."""
    return send(f"{base}/v2/payments", "application/json", encode(order), sign(json.dumps(order).encode()))


def upload(base: str, fields: dict[str, str], file: Path) -> dict:
    canonical = "&".join(f"{name}={fields.get(name, '')}" for name in SIGNED_FIELDS)
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n'
    parts += [f"{head}Content-Type: application/pdf\r\n\r\n".encode(), file.read_bytes()]
    body = b"".join([*parts, f"\r\n--{boundary}--\r\n".encode()])
    content_type = f"multipart/form-data; boundary={boundary}"
    return send(f"{base}/v2/payments/upload-invoice", content_type, body, sign(canonical.encode()))


def control(base: str, path: str, body: dict | None = None):
    """A control of the mock; the real service has none."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{base}/_mock/{path}", data=data), timeout=15) as response:
        return json.load(response)


def main(base: str = "http://127.0.0.1:4010") -> None:
    order = json.loads((HERE / "order.json").read_bytes()) | {"referenceId": "PYTHON-1"}
    payment = pay(base, order)
    print("payment", payment.get("resultStatus"), payment.get("paymentUrl"))

    control(base, "settle", {"referenceId": "PYTHON-1", "status": "paid"})
    fields = {"merchantId": order["merchantId"], "referenceId": "PYTHON-1", "description": "Hoá đơn tủ lạnh"}
    invoice = upload(base, fields, HERE.parent / "invoice.pdf")
    # An upload has no key: without an answer it is looked up, and not sent again.
    print("invoice", invoice.get("resultStatus"), invoice.get("invoiceId"))

    refused = pay_with_mistake(base, order | {"referenceId": "PYTHON-2"})
    print("mistake", refused.get("resultStatus"))
    wrong = {"resultStatus": "INVALID_SIGNATURE", "referenceId": "PYTHON-2"}
    entry = control(base, "journal/find", {"match": wrong})
    print(entry["diagnosis"]["message"])
    print(entry["diagnosis"]["fix"])


main(*sys.argv[1:])
