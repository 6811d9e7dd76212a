"""A service of another hand, for the tests of `probe`: the client, the signature and the time come first, then the shape.

Written from the specification alone, with the standard library of Python; it shares no code with the package.

    python3 sandbox.py '{"port": 0, "clientId": "C", "secretKey": "K", ...}'

POST /_configure with another combination starts anew. GET /_count tells what was created.
"""

import base64
import gzip
import hashlib
import hmac
import json
import random
import re
import sys
import threading
import time
import zlib
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REPEATS = ("replay", "duplicate", "invalid", "conflict", "processing", "busy", "another")
CHOICES = {
    "signatureEncoding": ("hex", "hex-upper", "base64", "base64url"),
    "secretKeyEncoding": ("utf8", "hex", "base64"),
    "exactBytes": (True, False),
    "absentFields": ("empty", "omit"),
    "repeat": REPEATS,
    "repeatInFlight": REPEATS,
    "firstResponse": ("approved", "processing"),
    "uploadsBeforePayment": ("refused", "accepted"),
}
REFUSED_REPEATS = {
    "duplicate": ("DUPLICATE_REFERENCE_ID",), "invalid": ("INVALID_REQUEST",),
    "processing": ("REQUEST_PROCESSING",), "conflict": (None, 409),
}
BY_KIND = {
    "INVALID_SIGNATURE": 403, "INVALID_CLIENT_ID": 401, "ACCESS_DENIED": 403, "INVALID_API": 404,
    "INVALID_HTTP_METHOD": 405, "DUPLICATE_REFERENCE_ID": 409, "REQUEST_PROCESSING": 409, "FILE_TOO_LARGE": 413,
}
SIGNED_FIELDS = ("merchantId", "referenceId", "paymentTransId", "storeId",
                 "invoiceNumber", "invoiceDate", "description", "extraData")
REQUIRED = ("merchantId", "storeId", "referenceId", "platformId", "requestType", "paymentMethod", "description",
            "successRedirectUrl", "unSuccessRedirectUrl", "amount", "items", "customer", "shipping")


def stored_brotli(payload):
    """Brotli (RFC 7932) without compression: one stored block, and an empty last block, because Python has no Brotli."""
    header = (len(payload) - 1) << 4 | 1 << 20  # a window of 64 kB, not the last block, four digits of length, stored
    return header.to_bytes(3, "little") + payload + b"\x03"


COMPRESS = {"gzip": gzip.compress, "br": stored_brotli, "deflate": zlib.compress}


class Refused(Exception):
    """The request is declined. Without a result the answer has no resultStatus; `http` goes before `refusals`."""

    def __init__(self, result, http=None):
        self.result, self.http = result, http


class Call:
    """The state of one Idempotency-Key."""

    def __init__(self):
        self.started = time.monotonic()
        self.done = threading.Event()
        self.answer = None


class Service:
    def __init__(self, combination):
        for name, allowed in CHOICES.items():
            if combination[name] not in allowed:
                raise ValueError(f"{name}: {combination[name]}")
        self.set = combination
        refusals = combination["refusals"]
        if refusals not in (200, "by-kind") and not isinstance(refusals, dict):
            raise ValueError("refusals")
        self.statuses = {200: {}, "by-kind": BY_KIND}[refusals] if not isinstance(refusals, dict) else refusals
        self.other_status = 400 if refusals == "by-kind" else 200
        offset = combination["requestTimeOffset"]
        self.zone = None if offset == "any" else datetime.strptime(offset, "%z").tzinfo
        decode = {"utf8": str.encode, "hex": bytes.fromhex, "base64": base64.b64decode}
        self.key = decode[combination["secretKeyEncoding"]](combination["secretKey"])
        self.work = combination.get("workMs", 100) / 1000  # how long a payment takes
        self.random = random.Random(combination["seed"])
        self.lock = threading.Lock()
        self.calls, self.uploads = {}, {}
        self.payments = self.invoices = 0

    # Who sends it

    def authenticate(self, headers, signed, encoding):
        if headers["Client-Id"] != self.set["clientId"]:
            raise Refused("INVALID_CLIENT_ID")
        digest = hmac.new(self.key, signed, hashlib.sha256).digest()
        # Python pads base64url; who leaves the padding out is understood too.
        expected = {
            "hex": digest.hex(),
            "hex-upper": digest.hex().upper(),
            "base64": base64.b64encode(digest).decode(),
            "base64url": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        }[encoding]
        given = headers["Signature"] or ""
        if (given.rstrip("=") if encoding == "base64url" else given) != expected:
            raise Refused("INVALID_SIGNATURE")
        try:
            sent = datetime.strptime(headers["Request-Time"] or "", "%Y-%m-%d %H:%M:%S")
        except ValueError:
            raise Refused("INVALID_REQUEST")
        if self.zone and abs(datetime.now(self.zone) - sent.replace(tzinfo=self.zone)) > timedelta(minutes=7):
            raise Refused("ACCESS_DENIED")

    # Payments

    def initiate_payment(self, headers, body):
        signed, order = body, None
        try:
            order = json.loads(body)
            if not self.set["exactBytes"]:
                signed = json.dumps(order).encode()
        except ValueError:
            pass  # signed as it came, and declined for its shape below
        if self.set.get("duplicatesFirst") and isinstance(order, dict):
            with self.lock:
                if headers["Idempotency-Key"] not in self.calls and order.get("referenceId") in self.uploads:
                    raise Refused("DUPLICATE_REFERENCE_ID")
        self.authenticate(headers, signed, self.set["signatureEncoding"])
        if not isinstance(order, dict) or any(order.get(name) in (None, "", [], {}) for name in REQUIRED):
            raise Refused("INVALID_REQUEST")
        reference = order["referenceId"]
        if not isinstance(reference, str) or not re.fullmatch("[0-9a-zA-Z_:-]{1,60}", reference):
            raise Refused("INVALID_REFERENCE_ID")

        key = headers["Idempotency-Key"]
        with self.lock:
            known = self.calls.get(key)
            if not known and reference in self.uploads:
                raise Refused("DUPLICATE_REFERENCE_ID")
            if not known:
                self.uploads[reference] = 0
                call = Call()
                if key:
                    self.calls[key] = call
        if known:
            return self.answer_repeat(known, order)
        call.answer = self.create_payment(order)
        call.done.set()
        if self.set["firstResponse"] == "processing":
            raise Refused("REQUEST_PROCESSING")
        return call.answer

    def create_payment(self, order):
        time.sleep(self.work)
        with self.lock:
            self.payments += 1
            number = f"{self.random.getrandbits(64):016x}"
        return {
            "resultStatus": "APPROVED", "resultMsg": "Success", "merchantId": order["merchantId"],
            "referenceId": order["referenceId"], "paymentUrl": f"https://sandbox.example/checkout?token={number}",
            "qrData": f"00020101021238{number}", "responseTime": f"{datetime.now(timezone(timedelta(hours=7))):%F %T}",
        }

    def answer_repeat(self, known, order):
        manner = self.set["repeat" if known.done.is_set() else "repeatInFlight"]
        if manner in REFUSED_REPEATS:
            raise Refused(*REFUSED_REPEATS[manner])
        if manner == "busy" and time.monotonic() - known.started < 1.5:
            raise Refused("REQUEST_PROCESSING", http=422)
        if manner == "another":
            return self.create_payment(order)
        known.done.wait()
        return known.answer

    # Invoices

    def upload_invoice(self, headers, body):
        fields, file = read_form(headers["Content-Type"] or "", body)
        sent = [name for name in SIGNED_FIELDS if name in fields or self.set["absentFields"] == "empty"]
        signed = b"&".join(name.encode() + b"=" + fields.get(name, b"") for name in sent)
        is_upper = self.set["signatureEncoding"] == "hex-upper"
        self.authenticate(headers, signed, "hex-upper" if is_upper else "hex")

        reference = fields.get("referenceId", b"").decode(errors="replace")
        if file is None and "fileUrl" not in fields:
            raise Refused("INVALID_REQUEST")
        if file and len(file) > 5 * 1024 * 1024:
            raise Refused("FILE_TOO_LARGE")
        with self.lock:
            if reference not in self.uploads:
                raise Refused("INVALID_REFERENCE_ID")
            if self.set["uploadsBeforePayment"] == "refused":
                raise Refused("ACCESS_DENIED")
            if self.uploads[reference] >= 3:
                raise Refused("LIMIT_EXCEEDED")
            self.uploads[reference] += 1
            self.invoices += 1
            return {"resultStatus": "APPROVED", "resultMsg": "Success", "referenceId": reference,
                    "invoiceId": f"{self.random.getrandbits(64):x}", "uploadedAt": f"{datetime.now(timezone.utc):%FT%TZ}"}


def read_form(content_type, body):
    """The text fields as bytes by name, and the file as bytes or None."""
    fields, file = {}, None
    boundary = re.search('boundary="?([^";]+)', content_type)
    delimiter = b"\r\n--" + (boundary[1].encode() if boundary else b"?")
    for part in (b"\r\n" + body).split(delimiter)[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'\bname="([^"]*)"', head)
        if name and name[1] == b"file":
            file = content
        elif name:
            fields[name[1].decode()] = content
    return fields, file


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "gunicorn/20.1", ""
    wbufsize = -1  # head and body leave together
    disable_nagle_algorithm = True

    def answer(self):
        service = self.server.service  # what is in flight when another combination comes belongs to the old one
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        operations = {"/v2/payments": service.initiate_payment, "/v2/payments/upload-invoice": service.upload_invoice}
        try:
            if self.path == "/_count":
                return self.send(200, {"payments": service.payments, "invoices": service.invoices})
            if self.path == "/_configure":
                return self.configure(body)
            if self.path not in operations:
                raise Refused("INVALID_API")
            if self.command != "POST":
                raise Refused("INVALID_HTTP_METHOD")
            self.send(200, operations[self.path](self.headers, body), service)
        except Refused as refused:
            result, status = refused.result, refused.http
            if status is None:
                status = service.statuses.get(result, service.other_status)
            # The specification lists paymentUrl as required, so a refusal has an empty one.
            said = {"resultStatus": result, "resultMsg": (result or "").replace("_", " "), "paymentUrl": ""}
            self.send(status, said if result else {"detail": "Conflict"}, service)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def configure(self, body):
        try:
            self.server.service = Service(json.loads(body))
            self.send(200, {})
        except (ValueError, KeyError, TypeError) as error:
            self.send(400, {"error": str(error)})

    def send(self, status, value, service=None):
        payload = json.dumps(value).encode()
        encoding = service and service.set.get("contentEncoding")
        self.send_response(status)
        if encoding in COMPRESS:
            payload = COMPRESS[encoding](payload)
            self.send_header("Content-Encoding", encoding)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", asked["port"]), Handler)
    server.service = Service(asked)
    print("listening", server.server_address[1], flush=True)
    server.serve_forever()
