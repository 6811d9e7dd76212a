"""Calls the service: signs, sends each request once, and returns the outcome. Standard library only.

An outcome is one of:
    approved    the payment or invoice exists
    not_sent    certainly not at the service, or refused for now (429): later again
    refused     the service said no
    unknown     it may exist: the same bytes again, later (a payment), or look it up (an invoice)
    look_up     it may exist, and sending again would not tell
"""

import hashlib
import hmac
import json
import os
import re
from datetime import datetime, timedelta, timezone
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlsplit

BASE_URL = os.environ.get("INSTALLMENT_BASE_URL", "http://127.0.0.1:4010").rstrip("/")
CLIENT_ID = os.environ.get("INSTALLMENT_CLIENT_ID", "demo-client")
SECRET_KEY = os.environ.get("INSTALLMENT_SECRET_KEY", "").encode()
MERCHANT = {
    "merchantId": os.environ.get("INSTALLMENT_MERCHANT_ID", "DEMO-MERCHANT"),
    "storeId": os.environ.get("INSTALLMENT_STORE_ID", "STORE-01"),
    "platformId": os.environ.get("INSTALLMENT_PLATFORM_ID", "WEBSHOP"),
}
if not SECRET_KEY:
    raise SystemExit("INSTALLMENT_SECRET_KEY is not set, so forged webhooks could not be detected")

SIGNED_FIELDS = [
    "merchantId", "referenceId", "paymentTransId", "storeId",
    "invoiceNumber", "invoiceDate", "description", "extraData",
]
REFUSALS = """
    ACCESS_DENIED INVALID_REQUEST INVALID_REFERENCE_ID INVALID_STORE_ID INVALID_CLIENT_ID INVALID_SIGNATURE
    INVALID_MERCHANT_ID INVALID_HTTP_METHOD INVALID_API INVALID_AMOUNT PHONE_NUMBER_UNAVAILABLE PHONE_NUMBER_INVALID
    AMOUNT_EXCEEDED_UPPER_LIMIT AMOUNT_BELOW_MINIMUM_LIMIT ERROR_GENERAL
    INVALID_FILE_TYPE FILE_TOO_LARGE LIMIT_EXCEEDED
""".split()


class Reply(NamedTuple):
    outcome: str
    answer: dict = {}
    wait: float = 0  # the number of seconds that the service asks the caller to wait


def sign(text: bytes) -> str:
    return hmac.new(SECRET_KEY, text, hashlib.sha256).hexdigest()


def encode(order: dict) -> bytes:
    """Encodes an order once: these bytes are stored, signed and sent."""
    return json.dumps(order, ensure_ascii=False, separators=(",", ":")).encode()


def create_payment(body: bytes) -> Reply:
    """Creates a payment from an encoded order."""
    key = hashlib.sha256(body).hexdigest()
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    reply = post("/v2/payments", body, sign(body), headers)
    order, answer = json.loads(body), reply.answer
    is_ours = all(answer.get(name, order[name]) == order[name] for name in ("referenceId", "merchantId"))
    has_link = isinstance(answer.get("paymentUrl"), str) and answer["paymentUrl"] != ""
    return reply if reply.outcome != "approved" or is_ours and has_link else Reply("look_up")


def upload_invoice(fields: dict[str, str], name: str, content: bytes, content_type: str = "application/pdf") -> Reply:
    """Uploads a file. Send it once: a second upload can become a second invoice. `fields` needs merchantId and referenceId."""
    canonical = "&".join(f"{field}={fields.get(field, '')}" for field in SIGNED_FIELDS)
    boundary = os.urandom(16).hex()
    head = f"--{boundary}\r\nContent-Disposition: form-data; name="
    texts = "".join(f'{head}"{field}"\r\n\r\n{value}\r\n' for field, value in fields.items())
    file = f'{head}"file"; filename="{name}"\r\nContent-Type: {content_type}\r\n\r\n'
    body = (texts + file).encode() + content + f"\r\n--{boundary}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    reply = post("/v2/payments/upload-invoice", body, sign(canonical.encode()), headers)
    # "Other error": the file might be stored.
    return Reply("look_up", reply.answer) if reply.answer.get("resultStatus") == "ERROR_GENERAL" else reply


def post(path: str, body: bytes, signature: str, headers: dict[str, str]) -> Reply:
    url = urlsplit(BASE_URL + path)
    connection = (HTTPSConnection if url.scheme == "https" else HTTPConnection)(url.netloc, timeout=15)
    request_time = datetime.now(timezone(timedelta(hours=7))).strftime("%Y-%m-%d %H:%M:%S")
    own = {"Client-Id": CLIENT_ID, "Request-Time": request_time, "Signature": signature}
    try:
        connection.connect()
    except OSError:
        return Reply("not_sent")
    try:
        # http.client follows no redirect, so the signature is sent to no other address.
        connection.request("POST", url.path, body, {**headers, **own})
        response = connection.getresponse()
        return judge(response.status, response.read(), response.getheader("Retry-After", ""))
    except (OSError, HTTPException):
        return Reply("unknown")
    finally:
        connection.close()


def judge(status: int, content: bytes, retry_after: str) -> Reply:
    """Returns the meaning of a response. Its resultStatus decides, whatever the HTTP status is."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        answer = None
    result = answer.get("resultStatus") if isinstance(answer, dict) else None
    if result == "APPROVED":
        return Reply("approved", answer)
    if result in REFUSALS:
        return Reply("refused", answer)
    if result in ("REQUEST_PROCESSING", "DOWNSTREAM_ERROR"):
        return Reply("unknown", answer)
    if status == 429 and b"resultStatus" not in content:
        return Reply("not_sent", {}, float(retry_after) if re.fullmatch("[0-9]{1,3}", retry_after) else 0)
    if result is None and (status in (408, 409, 425) or status >= 500 or status < 300 and answer is None):
        return Reply("unknown")
    # All other responses: a duplicate, an undocumented status, a redirect, or the page of a gateway, which can be cut.
    return Reply("look_up", answer if isinstance(answer, dict) else {})
