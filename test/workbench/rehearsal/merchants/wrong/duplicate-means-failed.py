# Mistake: DUPLICATE_REFERENCE_ID after a retry is read as "choose another reference", and the order is sent with a
# new reference.
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from service import initiate, new_order, new_reference, settle


def pay(order: dict) -> str | None:
    reference = order["referenceId"]
    for attempt in range(4):
        retry_after = 0.0
        try:
            _, answer, retry_after = initiate(order | {"referenceId": reference}, key=reference)
            status = answer.get("resultStatus")
            if status == "APPROVED":
                return reference
            if status == "DUPLICATE_REFERENCE_ID":
                reference = f"{order['referenceId']}-{attempt}"
        except (OSError, ValueError) as error:
            print(reference, error)
        time.sleep(max(0.5, retry_after))
    return None


for _ in range(3):
    paid = pay(new_order(new_reference()))
    if paid:
        settle(paid, "paid")
