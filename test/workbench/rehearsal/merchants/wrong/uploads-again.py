# Mistake: an invoice whose response was lost is uploaded again, although the service might have stored it.
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from service import initiate, new_order, new_reference, settle, upload


def with_retries(call, tries: int = 3):
    """Good for payments, which have a key. Uploads have none."""
    for attempt in range(tries):
        try:
            return call()
        except (OSError, ValueError):
            time.sleep(0.5 * (attempt + 1))
    return None


for _ in range(3):
    order = new_order(new_reference())

    def pay() -> dict:
        status, answer, retry_after = initiate(order, key=order["referenceId"])
        if answer.get("resultStatus") != "APPROVED":
            time.sleep(retry_after)
            raise ValueError(f"{status} {answer}")
        return answer

    if with_retries(pay):
        settle(order["referenceId"], "paid")
        with_retries(lambda: upload(order["referenceId"]))
