// Mistake: the amount is in tens of đồng, but the prices of the items are not.
import { initiate, newOrder, newReference } from '../service.mjs';

const order = newOrder(newReference());
const { value, currency } = order.amount;
await initiate({ ...order, amount: { value: value / 10, currency } }, { key: order.referenceId });
