# Right: after a lost response the same bytes and key are sent again, with pauses, four times. Then staff handle the
# order.
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from service import initiate, new_order, new_reference, settle, upload


def pay(order: dict) -> bool:
    for pause in [0.2, 0.5, 1, 0]:
        retry_after = 0.0
        try:
            _, answer, retry_after = initiate(order, key=f"pay-{order['referenceId']}")
            if answer.get("resultStatus") == "APPROVED":
                return True
        except (OSError, ValueError) as error:
            print(order["referenceId"], "no answer:", error)
        time.sleep(max(pause, retry_after))
    print(order["referenceId"], "is not known: ask the service")
    return False


for _ in range(3):
    order = new_order(new_reference())
    if pay(order):
        settle(order["referenceId"], "paid")
        try:
            upload(order["referenceId"])
        except (OSError, ValueError) as error:
            print(order["referenceId"], "look the invoice up:", error)
