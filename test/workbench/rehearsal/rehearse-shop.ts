import { freePort } from '../../helpers/free-port.js';
import { checkoutShop, type Habit } from './checkout-shop.js';
import { rehearseCommand } from './rehearse-command.js';

/** A rehearsal that clicks in a shop. */
export async function rehearseShop(habit: Habit | undefined, ...args: string[]) {
  const port = await freePort();
  const shop = await checkoutShop(`http://127.0.0.1:${port}`, habit);
  try {
    return await rehearseCommand(
      [
        ...['--port', String(port), '--settle-ms', '200', '--customer', 'pays'],
        ...['--checkout-changed', `POST ${shop.url}/checkout-changed?order={order}`],
        ...['--checkout', `POST ${shop.url}/checkout?order={order}`, '--webhook', `${shop.url}/webhook`],
        ...['--order-url', `${shop.url}/orders/{ref}`, '--once', 'shipped: (\\d+)', ...args],
      ],
      {},
    );
  } finally {
    shop.close();
  }
}
