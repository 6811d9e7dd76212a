import { ShopDatabase } from '../../examples/shop/database.js';
import { createShop } from '../../examples/shop/shop.js';
import { address, merchant, secretKey } from '../../examples/shop/test-support.js';
import { clientOf, Fleet, type Merchant, type Surroundings } from './merchant.js';
import { longestAnswerMs, orderOf } from './records.js';
import type { Process } from './timeline.js';

const resumesEachMs = 30_000;
const looksEachMs = 25_000;
const shopUrl = 'https://shop.example';

/** The example shop, in one or two processes over one database. */
export async function shopMerchant(surroundings: Surroundings): Promise<Merchant & Disposable> {
  const { timeline, records, mock } = surroundings;
  const database = await ShopDatabase.open(':memory:');

  function start(process: Process) {
    const shop = createShop({
      ...merchant,
      shopUrl,
      payWithinMs: 180_000,
      // The methods of a client that the shop calls.
      client: clientOf(process, surroundings),
      database: process.stepping(database),
      secretKey,
      staffPassword: 'staff-password',
      now: process.now,
    });
    const resume = () => {
      shop.resume().catch((error: unknown) => records.violated('resume', String(error)));
      process.after(resumesEachMs, resume);
    };
    resume();
    return shop;
  }
  const fleet = new Fleet(surroundings, start);

  async function request(path: string, init: RequestInit, limitMs = longestAnswerMs): Promise<Response> {
    const answer = await fleet.ask(path, limitMs, async ({ app }) => app.request(`${shopUrl}${path}`, init));
    timeline.note('answered', path, answer.status, answer.headers.get('location') ?? '');
    return answer;
  }

  async function submit(path: string, form: Record<string, string>): Promise<string | undefined> {
    const answer = await request(path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { origin: shopUrl, cookie: `cart=${encodeURIComponent('{"TL-2":1}')}` },
    });
    // Nobody has heard of an order whose checkout was refused.
    if (answer.status === 404) return submit('/orders', { orderId: path.split('/')[2] ?? '', ...address });
    if (answer.status !== 303) records.violated('page', `${path} was answered with ${String(answer.status)}`);
    const location = answer.headers.get('location') ?? '';
    return location.startsWith('/') ? undefined : location;
  }

  const payAgain = (order: string) => submit(`/orders/${order}/pay`, {});
  /** Concludes as the guide says: claims are blocked, and what nobody can be sending any more is looked up. */
  async function person(): Promise<void> {
    const { attempts, invoices } = await database.openQuestions();
    for (const { reference, orderId } of attempts) {
      if (mock.payments.get(reference)) continue;
      await database.stopSending(reference, surroundings.now());
      if (await database.conclude(reference, surroundings.now()))
        void payAgain(orderId).catch(() => undefined);
    }
    for (const { orderId } of invoices)
      if (!mock.invoices.all().some(({ referenceId }) => orderOf(referenceId) === orderId))
        await database.sendInvoiceAgain(orderId, surroundings.now());
    timeline.after(looksEachMs, () => void person());
  }
  if (surroundings.hasPerson) timeline.after(looksEachMs, () => void person());

  return {
    checkOut: (orderId) => submit('/orders', { orderId, ...address }),
    payAgain,
    async receive({ headers, body }) {
      const { status } = await request('/webhooks/installments', { method: 'POST', headers, body });
      return status;
    },
    async knows(reference, wasAcknowledged) {
      const order = await database.order(orderOf(reference));
      const { attempts, refunds, notices } = await database.openQuestions();
      return (
        order?.paidBy === reference ||
        [...(wasAcknowledged ? [] : attempts), ...refunds].some(
          (attempt) => attempt.reference === reference,
        ) ||
        notices.some(({ text }) => text.includes(reference))
      );
    },
    async decide() {
      const { invoices } = await database.openQuestions();
      for (const { orderId } of invoices) {
        const isThere = mock.invoices.all().some(({ referenceId }) => orderOf(referenceId) === orderId);
        // As the staff's page does; its password is checked on another thread, whose time is not ours.
        if (isThere) await database.moveInvoice(orderId, 'stored', 'decided by staff');
        else await database.sendInvoiceAgain(orderId, surroundings.now());
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}
