# Mistake: a response with an undocumented field counts as broken, and the order is sent again.
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from service import initiate, new_order, new_reference, settle

KNOWN = {"responseTime", "resultStatus", "resultMsg", "merchantId", "referenceId", "paymentUrl", "qrData"}


def pay() -> str | None:
    for _ in range(3):
        reference = new_reference()
        _, answer, _ = initiate(new_order(reference), key=reference)
        if answer["resultStatus"] == "APPROVED" and set(answer) <= KNOWN:
            return reference
    return None


for _ in range(3):
    if reference := pay():
        settle(reference, "paid")
