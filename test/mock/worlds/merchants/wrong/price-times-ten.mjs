// Mistake: the prices of the items are in tenths of a đồng, the amount is not.
import { initiate, newOrder, newReference } from '../service.mjs';

const order = newOrder(newReference());
const items = order.items.map((item) => ({ ...item, price: item.price * 10 }));
await initiate({ ...order, items }, { key: order.referenceId });
