"""A merchant in Python: creates a payment, lets the mock pay it, and uploads an invoice. Standard library only.

    npx installment-payments mock
    export INSTALLMENT_SECRET_KEY=demo-secret
    python3 merchant.py http://127.0.0.1:4010
"""

import json
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

import service
from service import Reply, create_payment, encode, post, sign, upload_invoice

HERE = Path(__file__).parent


def pay(order: dict) -> Reply:
    # While the outcome is unknown, the same bytes are sent again with the same key. Then staff look the payment up.
    body = encode(order)
    for pause in [1, 2, 4, 0]:
        reply = create_payment(body)
        if reply.outcome not in ("not_sent", "unknown"):
            break
        time.sleep(max(pause, reply.wait))
    return reply


def pay_with_mistake(order: dict) -> Reply:
    """A deliberate mistake: the order is encoded again, with the defaults of json.dumps, to sign it."""
    return post("/v2/payments", encode(order), sign(json.dumps(order).encode()), {"Content-Type": "application/json"})


def control(path: str, body: dict):
    """A control of the mock; the real service has none."""
    with urlopen(Request(f"{service.BASE_URL}/_mock/{path}", data=json.dumps(body).encode()), timeout=15) as response:
        return json.load(response)


def main(base: str = service.BASE_URL) -> None:
    service.BASE_URL = base
    order = json.loads((HERE / "order.json").read_bytes()) | {"referenceId": "PYTHON-1"}
    outcome, answer, _ = pay(order)
    print("payment", answer.get("resultStatus", outcome), answer.get("paymentUrl"))

    control("settle", {"referenceId": "PYTHON-1", "status": "paid"})
    fields = {"merchantId": order["merchantId"], "referenceId": "PYTHON-1", "description": "Hóa đơn tủ lạnh"}
    outcome, answer, _ = upload_invoice(fields, "invoice.pdf", (HERE.parent / "invoice.pdf").read_bytes())
    # An upload has no key. If its outcome is unknown, look it up, and do not send it again.
    print("invoice", answer.get("resultStatus", outcome), answer.get("invoiceId"))

    refused = pay_with_mistake(order | {"referenceId": "PYTHON-2"})
    print("mistake", refused.answer.get("resultStatus"))
    entry = control("journal/find", {"match": {"resultStatus": "INVALID_SIGNATURE", "referenceId": "PYTHON-2"}})
    print(entry["diagnosis"]["message"])
    print(entry["diagnosis"]["fix"])


main(*sys.argv[1:])
