// Mistake: the code waits a quarter of a second for the response, and then starts again with a new reference.
import { initiate, newOrder, newReference, settle, wait } from '../service.mjs';

for (let count = 0; count < 3; count++) {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const order = newOrder(newReference());
    // The first request also opens the connection.
    const timeoutMs = count === 0 && attempt === 1 ? 2000 : 250;
    const result = await initiate(order, { key: order.referenceId, timeoutMs }).catch(() => undefined);
    if (result?.answer.resultStatus === 'APPROVED') {
      await settle(order.referenceId, 'paid');
      break;
    }
    // A machine that is busy for a second then delays one attempt of the baseline, not all of them.
    await wait(400);
  }
}
