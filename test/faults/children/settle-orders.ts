/** Pays orders of the example shop until it is killed, and prints each order as soon as its payment is stored. */
import { ShopDatabase } from '../../../examples/shop/database.js';
import { placeOrder } from '../../../examples/shop/test-support.js';

const database = await ShopDatabase.open(process.argv[2] ?? '');
for (;;) {
  const now = new Date();
  const id = await placeOrder(database, now);
  const { attempt } = await database.openAttempt(id, now, now);
  if (attempt) await database.settle(attempt.reference, 'paid');
  console.log(id);
}
