# Right: webhooks are verified, orders are stored before they are sent, and one lock guards each change.
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from urllib.parse import parse_qs, urlsplit

sys.path.append(str(Path(__file__).parent.parent))
from service import initiate, new_order, sign, upload

orders: dict[str, str] = {}
lock = Lock()


def pay(reference: str) -> str:
    for pause in [0.2, 0.5, 1, 0]:
        retry_after = 0.0
        try:
            _, answer, retry_after = initiate(new_order(reference), key=reference)
            if answer.get("resultStatus") == "APPROVED":
                return answer["paymentUrl"]
        except (OSError, ValueError) as error:
            print(reference, error)
        time.sleep(max(pause, retry_after))
    return ""


def send_invoice(reference: str) -> None:
    try:
        upload(reference)
    except (OSError, ValueError) as error:
        print(reference, "look the invoice up:", error)


class Backend(BaseHTTPRequestHandler):
    def answer(self, status: int, text: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self) -> None:
        self.answer(200, orders.get(self.path.removeprefix("/orders/"), "unknown"))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        url = urlsplit(self.path)
        if url.path == "/checkout":
            reference = parse_qs(url.query)["order"][0]
            orders.setdefault(reference, "open")
            return self.answer(200, pay(reference))
        if not hmac.compare_digest(self.headers.get("Signature", ""), sign(body)):
            return self.answer(401)
        event = json.loads(body)
        reference = event["referenceId"]
        sent = new_order(reference)
        if [event["amount"], event["merchantId"]] != [sent["amount"], sent["merchantId"]]:
            return self.answer(409, "another payment than the order")
        with lock:
            if reference not in orders:
                return self.answer(500, "unknown reference")
            is_news = orders[reference] != "paid"
            if is_news:
                orders[reference] = event["status"]
        if is_news and event["status"] == "paid":
            Thread(target=send_invoice, args=[reference]).start()
        self.answer(204)

    def log_message(self, *_args) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["WEBHOOK_PORT"])), Backend)
print("ready", flush=True)
server.serve_forever()
