"""A shop with Flask and SQLite: an order is paid once, whatever gets lost on the way.

    npx installment-payments mock --webhook http://127.0.0.1:3000/webhooks/installments
    export INSTALLMENT_SECRET_KEY=demo-secret    # and INSTALLMENT_BASE_URL, …: see service.py
    flask --app shop run --port 3000     # the pages and the webhook
    flask --app shop work                # beside it: repeats open payments, and uploads invoices
    flask --app shop review              # prints the payments for review by staff
    curl -i -X POST 'http://127.0.0.1:3000/checkout?order=ORDER-1'
"""

import hmac
import json
import os
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from flask import Flask, abort, redirect, request

from service import MERCHANT, Reply, create_payment, encode, sign, upload_invoice

HERE = Path(__file__).parent
SHOP_URL = os.environ.get("SHOP_URL", "http://127.0.0.1:3000")
TIME_TO_PAY = 15 * 60  # seconds

# A payment is new (not at the service), sending or unknown (may exist, is sent again), look_up (may exist, staff ask
# the provider), started (has a link), overdue, refused, declined, expired or paid. An order has one live payment at a
# time.
OPEN = ("new", "sending", "unknown")
LIVE = (*OPEN, "look_up", "started")
TABLE = """CREATE TABLE IF NOT EXISTS payments (
    reference TEXT PRIMARY KEY, order_id TEXT NOT NULL, body BLOB NOT NULL, created_at REAL NOT NULL,
    state TEXT NOT NULL DEFAULT 'new', sends INTEGER NOT NULL DEFAULT 0, may_exist INTEGER NOT NULL DEFAULT 0,
    next_at REAL NOT NULL DEFAULT 0, payment_url TEXT, invoice TEXT NOT NULL DEFAULT 'none', mismatch TEXT)"""
INDEX = f"CREATE UNIQUE INDEX IF NOT EXISTS one_live_payment ON payments (order_id) WHERE state IN {LIVE}"
IS_ORDER_PAID = "EXISTS (SELECT 1 FROM payments p WHERE p.order_id = payments.order_id AND p.state = 'paid')"


def query(sql: str, *values) -> list[sqlite3.Row]:
    """Runs one statement, committed when it returns. Each statement decides alone, and does not rely on earlier reads."""
    database = sqlite3.connect(os.environ.get("SHOP_DATABASE", "shop.db"), timeout=10, isolation_level=None)
    with closing(database):
        database.row_factory = sqlite3.Row
        return database.execute(sql, values).fetchall()


query(TABLE)
query(INDEX)
app = Flask(__name__)


def send(reference: str) -> bool:
    """Sends a payment if it is due and no other process is sending it. It always sends the stored bytes."""
    now, monotonic = time.time(), time.monotonic()  # before the claim
    claims = query(f"""UPDATE payments SET state = 'sending', sends = sends + 1, may_exist = state <> 'new',
        next_at = ?1 + 120 WHERE reference = ?2 AND state IN {OPEN} AND next_at <= ?1 AND created_at > ?1 - {TIME_TO_PAY}
        AND NOT {IS_ORDER_PAID} RETURNING body, sends, may_exist""", now, reference)
    if not claims:
        return False
    body, sends, may_exist = claims[0]
    # A process that was suspended after its claim sends nothing, because the payment can have been given up meanwhile.
    is_late = time.time() - now > 60 or time.monotonic() - monotonic > 60
    outcome, answer, wait = Reply("not_sent") if is_late else create_payment(body)
    # Once a payment may exist, no later refusal and no failed connection proves that it does not.
    state = {
        "approved": "started",
        "not_sent": "unknown" if may_exist else "new",
        "refused": "look_up" if may_exist else "refused",
    }.get(outcome, outcome)
    # The waits double: so in TIME_TO_PAY, a payment is sent ten times at most. A longer time needs a limit for `sends`.
    # A result counts only for its own claim, and a link always counts. If a webhook was faster, nothing changes.
    query("""UPDATE payments SET state = ?1, payment_url = ?2, next_at = ?3 WHERE reference = ?4 AND (
        state = 'sending' AND sends = ?5 OR ?1 = 'started' AND state IN ('sending', 'unknown', 'look_up'))""",
          state, answer.get("paymentUrl") if state == "started" else None,
          time.time() + max(2 ** (sends - 1), wait), reference, sends)
    return True


def upload(reference: str) -> None:
    """Uploads an invoice once. Its row is marked before the upload. After a crash or a lost response staff look it up."""
    if not query("UPDATE payments SET invoice = 'sending' WHERE reference = ? AND invoice = 'due' RETURNING 1", reference):
        return
    fields = {"merchantId": MERCHANT["merchantId"], "referenceId": reference, "description": "Hóa đơn"}
    outcome, _, wait = upload_invoice(fields, "invoice.pdf", (HERE.parent / "invoice.pdf").read_bytes())
    invoice = {"approved": "stored", "not_sent": "due"}.get(outcome, "look_up")
    query("UPDATE payments SET invoice = ?, next_at = ? WHERE reference = ?", invoice, time.time() + max(60, wait), reference)


def payment_of(order_id: str) -> sqlite3.Row | None:
    """The payment that paid the order, or the last payment."""
    rows = query("SELECT * FROM payments WHERE order_id = ? ORDER BY state = 'paid' DESC, rowid DESC LIMIT 1", order_id)
    return rows[0] if rows else None


def add_payment(order_id: str) -> None:
    """Stores a payment before it is sent. A second click at the same moment stores nothing."""
    number = query("SELECT count(*) FROM payments WHERE order_id = ?", order_id)[0][0] + 1
    reference = f"{order_id}-{number}"
    page = f"{SHOP_URL}/orders/{reference}"
    order = json.loads((HERE / "order.json").read_bytes()) | MERCHANT | {  # the file stands for the customer's cart
        "referenceId": reference, "successRedirectUrl": page, "unSuccessRedirectUrl": page,
        "lang": "vi", "transExpiredTime": TIME_TO_PAY * 1000,
    }
    query(f"""INSERT OR IGNORE INTO payments (reference, order_id, body, created_at) SELECT ?1, ?2, ?3, ?4
        WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = ?2 AND state IN {(*LIVE, 'paid')})""",
          reference, order_id, encode(order), time.time())


@app.post("/checkout")
def checkout():
    order_id = request.args.get("order", "")
    if not re.fullmatch("[0-9a-zA-Z_:-]{1,50}", order_id):
        abort(400)
    payment = payment_of(order_id)
    if not payment or payment["state"] in ("refused", "declined", "expired", "overdue"):
        add_payment(order_id)
    until = time.monotonic() + 5
    # A second click waits for the link that the first click gets.
    while (payment := payment_of(order_id))["state"] in OPEN and time.monotonic() < until:
        if not send(payment["reference"]):
            time.sleep(0.25)
    return redirect(payment["payment_url"] if payment["state"] == "started" else f"/orders/{payment['reference']}", 303)


@app.get("/orders/<reference>")
def order_page(reference: str):
    """The page to which the customer comes back. It is public, so it only shows the state."""
    rows = query(f"SELECT state, {IS_ORDER_PAID} FROM payments WHERE reference = ?", reference)
    if not rows:
        abort(404)
    state, is_paid = rows[0]
    if is_paid:
        return "Your order is paid. Thank you."
    if state in ("refused", "declined", "expired"):
        return "This payment has ended. You can order again."
    return "We are checking your payment. Please do not pay again."


@app.post("/webhooks/installments")
def webhook():
    body = request.get_data()  # the raw bytes, which are signed
    received = request.headers.get("Signature") or ""
    if not hmac.compare_digest(sign(body).encode(), received.encode()):
        abort(401)
    event = json.loads(body)
    reference, status = event["referenceId"], event["status"]
    rows = query("SELECT body FROM payments WHERE reference = ?", reference)
    if not rows:
        abort(500)  # so that it is delivered again
    asked = json.loads(rows[0]["body"])
    if event["merchantId"] != asked["merchantId"] or event["amount"] != asked["amount"]:
        query("UPDATE payments SET mismatch = ? WHERE reference = ?", body.decode(), reference)
    elif status == "paid":
        # A paid payment counts whenever it is reported. Only the first payment of an order has an invoice. Ship only
        # once, too.
        query(f"""UPDATE payments SET state = 'paid', next_at = 0, invoice = iif({IS_ORDER_PAID}, 'none', 'due')
            WHERE reference = ? AND state <> 'paid'""", reference)
    elif status in ("declined", "expired"):
        query(f"UPDATE payments SET state = ? WHERE reference = ? AND state IN {(*LIVE, 'overdue')}", status, reference)
    return "", 204


@app.cli.command()
def work() -> None:
    """Does the work that is due, in an endless loop."""
    while True:
        now = time.time()
        # Nothing is sent once its time is over. Every link has ended when twice that time has passed. Its webhook
        # can take ten minutes more.
        query(f"""UPDATE payments SET state = iif(state = 'new', 'expired', 'look_up')
            WHERE state IN {OPEN} AND next_at <= ?1 AND created_at <= ?1 - {TIME_TO_PAY}""", now)
        query("UPDATE payments SET state = 'overdue' WHERE state = 'started' AND created_at <= ?", now - 2 * TIME_TO_PAY - 600)
        for reference, state in query(f"""SELECT reference, state FROM payments
                WHERE (state IN {OPEN} OR invoice = 'due') AND next_at <= ?""", now):
            try:
                send(reference) if state in OPEN else upload(reference)
            except Exception:  # a payment that fails does not stop the other payments
                app.logger.exception(reference)
        time.sleep(1)


@app.cli.command()
def review() -> None:
    """Prints the payments that staff look up at the provider or refund. Then staff correct the row."""
    for row in query("""SELECT reference, state, invoice, mismatch FROM payments WHERE state IN ('look_up', 'overdue')
            OR state = 'paid' AND invoice NOT IN ('due', 'stored') OR mismatch IS NOT NULL"""):
        print(dict(row))
