import { freePort } from '../../helpers/free-port.js';
import { checkoutShop, type Habit } from './checkout-shop.js';
import { rehearseCommand } from './rehearse-command.js';

/** A rehearsal that clicks in a shop. */
export async function rehearseShop(habit: Habit | undefined, ...args: string[]) {
  const port = await freePort();
  // On a busy machine, this shop can be late by more than the short time that suffices for the others.
  const settleMs = habit === 'works-later-on-anything' ? '800' : '200';
  const shop = await checkoutShop(`http://127.0.0.1:${port}`, habit);
  try {
    return await rehearseCommand(
      [
        ...['--port', String(port), '--settle-ms', settleMs, '--customer', 'pays'],
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
