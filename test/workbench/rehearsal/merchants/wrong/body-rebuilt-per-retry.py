# Mistake: each try builds the body again, with the time of sending in it, and sends it with the same key.
import json
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from service import initiate, new_order, new_reference, settle

for _ in range(3):
    reference = new_reference()
    for attempt in range(1, 4):
        order = new_order(reference, extraData=json.dumps({"cart": "C-1", "sentAt": time.time()}))
        retry_after = 0.0
        try:
            _, answer, retry_after = initiate(order, key=reference)
            if answer.get("resultStatus") == "APPROVED":
                settle(reference, "paid")
                break
        except (OSError, ValueError) as error:
            print(reference, "attempt", attempt, error)
        time.sleep(max(0.5 * attempt, retry_after))
