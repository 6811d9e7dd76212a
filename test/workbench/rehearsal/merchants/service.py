"""Code that the Python backends share: signed requests, and the test's control of the mock. Standard library only."""

import hashlib
import hmac
import json
import os
import time
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE = os.environ["INSTALLMENT_BASE_URL"]
SECRET = os.environ["INSTALLMENT_SECRET_KEY"].encode()
SAMPLE = json.loads((Path(__file__).parent / "order.json").read_bytes())
SIGNED = ["merchantId", "referenceId", "paymentTransId", "storeId", "invoiceNumber", "invoiceDate", "description", "extraData"]


def sign(data: bytes) -> str:
    return hmac.new(SECRET, data, hashlib.sha256).hexdigest()


def new_reference() -> str:
    return f"PY-{time.time_ns()}"


def new_order(reference: str, **changes) -> dict:
    return SAMPLE | {
        "merchantId": os.environ["INSTALLMENT_MERCHANT_ID"],
        "storeId": os.environ["INSTALLMENT_STORE_ID"],
        "platformId": os.environ["INSTALLMENT_PLATFORM_ID"],
        "referenceId": reference,
    } | changes


def send(path: str, body: bytes, signature: str, headers: dict) -> tuple[int, dict, float]:
    """HTTP status, response, and seconds to wait. Raises OSError or ValueError if there is no usable response."""
    now = datetime.now(timezone(timedelta(hours=7))).strftime("%Y-%m-%d %H:%M:%S")
    request = Request(BASE + path, data=body, method="POST", headers={
        "Client-Id": os.environ["INSTALLMENT_CLIENT_ID"], "Request-Time": now, "Signature": signature, **headers,
    })
    try:
        with urlopen(request, timeout=5) as response:
            return response.status, json.load(response), 0
    except HTTPError as error:
        text = error.read()
        answer = json.loads(text) if text.startswith(b"{") else {}
        return error.code, answer, float(error.headers.get("Retry-After", 0))


def initiate(order: dict, key: str) -> tuple[int, dict, float]:
    body = json.dumps(order, ensure_ascii=False, separators=(",", ":")).encode()
    return send("/v2/payments", body, sign(body), {"Content-Type": "application/json", "Idempotency-Key": key})


def upload(reference: str) -> dict:
    fields = {"merchantId": os.environ["INSTALLMENT_MERCHANT_ID"], "referenceId": reference, "invoiceNumber": f"HD-{reference}"}
    boundary = uuid.uuid4().hex
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()]
    parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{reference}.pdf"\r\n')
    parts.append(f"Content-Type: application/pdf\r\n\r\n%PDF-1.7\n{reference}\r\n--{boundary}--\r\n")
    canonical = "&".join(f"{name}={fields.get(name, '')}" for name in SIGNED).encode()
    content_type = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    return send("/v2/payments/upload-invoice", "".join(parts).encode(), sign(canonical), content_type)[1]


def settle(reference: str, status: str) -> None:
    """The customer, as a test plays one."""
    body = json.dumps({"referenceId": reference, "status": status}).encode()
    urlopen(Request(f"{os.environ['INSTALLMENT_MOCK_URL']}/_mock/settle", data=body), timeout=5).close()
