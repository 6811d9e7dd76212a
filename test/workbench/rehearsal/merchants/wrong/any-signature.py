# Mistake: a webhook must have a signature of 64 hex digits, but the code does not check them.
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

sys.path.append(str(Path(__file__).parent.parent))
from service import initiate, new_order

orders: dict[str, str] = {}


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
        if not re.fullmatch(r"[0-9a-f]{64}", self.headers.get("Signature", "")):
            return self.answer(401)
        event = json.loads(body)
        if event["status"] == "paid" or orders.get(event["referenceId"]) != "paid":
            orders[event["referenceId"]] = event["status"]
        self.answer(200)

    def log_message(self, *_args) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["WEBHOOK_PORT"])), Backend)
print("ready", flush=True)
server.serve_forever()
