import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { InstallmentClient } from '../../../src/entries/index.js';
import { samplePaymentRequest, type MockWebhookEvent, type ScenarioName } from '../../../src/entries/mock.js';
import type { RuleName } from '../../../src/workbench/findings/all-rules.js';
import { signPayment } from '../../../src/operations/signer.js';

const secretKey = 'demo-secret';
const amount = 12_000_000;
const dearerAmount = 20_000_000;

/**
 * The mistakes of shops. `'works-later'`, `'responds-late'`, `'refuses-changes'` and `'offers-one-payment'` are not
 * mistakes.
 */
export type Habit =
  | 'believes-the-redirect'
  | 'cancels-by-redirect'
  | 'takes-pending-for-the-end'
  | 'takes-unknown-words-for-paid'
  | 'looks-for-paid-in-any-word'
  | 'verifies-nothing'
  | 'verifies-by-an-empty-key'
  | 'signs-rewritten-json'
  | 'compares-no-amount'
  | 'compares-no-merchant'
  | 'knows-the-last-attempt-alone'
  | 'pays-at-each-click'
  | 'ships-at-each-notification'
  | 'believes-the-last-word'
  | 'takes-busy-for-refused'
  | 'works-later'
  | 'responds-late'
  | 'works-later-on-anything'
  | 'refuses-changes'
  | 'offers-one-payment'
  | 'ships-for-the-old-price'
  | 'pays-for-each-basket';

/** The scenario and the rule in which each mistake shows. */
export const wrongShops: readonly (readonly [Habit, RuleName, ScenarioName])[] = [
  ['believes-the-redirect', 'redirect-believed', 'redirect-opened'],
  ['cancels-by-redirect', 'paid-not-counted', 'redirect-opened'],
  ['takes-pending-for-the-end', 'paid-not-counted', 'notification-pending-first'],
  ['takes-unknown-words-for-paid', 'unpaid-counted', 'notification-unknown-status'],
  ['looks-for-paid-in-any-word', 'unpaid-counted', 'notification-unknown-status'],
  ['verifies-nothing', 'forged-accepted', 'forged'],
  ['verifies-by-an-empty-key', 'forged-accepted', 'forged'],
  ['works-later-on-anything', 'forged-accepted', 'forged'],
  ['signs-rewritten-json', 'notification-refused', 'other-serialization'],
  ['compares-no-amount', 'unpaid-counted', 'decoys'],
  ['compares-no-merchant', 'unpaid-counted', 'decoys'],
  ['knows-the-last-attempt-alone', 'paid-not-counted', 'older-link'],
  ['pays-at-each-click', 'two-payments', 'clicked-twice'],
  ['pays-at-each-click', 'two-links-paid', 'clicked-twice'],
  ['pays-at-each-click', 'two-payments', 'clicked-later'],
  ['pays-at-each-click', 'two-links-paid', 'clicked-later'],
  ['ships-at-each-notification', 'counted-twice', 'notification-twice'],
  ['believes-the-last-word', 'paid-not-counted', 'reordered'],
  ['takes-busy-for-refused', 'two-payments', 'repeat-busy'],
  ['ships-for-the-old-price', 'other-amount-counted', 'basket-changed'],
  ['pays-for-each-basket', 'two-payments', 'basket-changed'],
  ['pays-for-each-basket', 'other-amount-counted', 'basket-changed'],
];

interface Attempt {
  readonly referenceId: string;
  readonly amount: number;
  readonly send: (options?: { mayHaveBeenSent: true }) => Promise<string>;
  link: Promise<string>;
  isDeclined: boolean;
}

interface Order {
  readonly attempts: Attempt[];
  /** The sum of its basket. */
  asked: number;
  state: string;
  shipped: number;
}

/** A shop with a checkout, a webhook and order pages. It has no mistake unless it has a habit. */
export async function checkoutShop(baseUrl: string, habit?: Habit) {
  const is = (...habits: Habit[]) => habit !== undefined && habits.includes(habit);
  const orders = new Map<string, Order>();
  const client = new InstallmentClient({
    baseUrl,
    clientId: 'demo-client',
    secretKey,
    merchantId: 'DEMO-MERCHANT',
    storeId: 'STORE-01',
    platformId: 'WEBSHOP',
    maxRetries: is('takes-busy-for-refused') ? 1 : 2,
  });
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const start = (name: string, order: Order): Attempt => {
    const referenceId = `${name}-${order.attempts.length + 1}`;
    const back = (path: string) => `${url}/${path}?reference=${referenceId}`;
    const request = samplePaymentRequest({
      referenceId,
      amount: { value: order.asked },
      items: [{ price: order.asked }],
      successRedirectUrl: back('thanks'),
      unSuccessRedirectUrl: back('sorry'),
    });
    const send: Attempt['send'] = (options) =>
      client.initiatePayment(request, options).then(({ paymentUrl }) => paymentUrl);
    const link = send().catch(() => send({ mayHaveBeenSent: true }));
    const attempt = { referenceId, amount: order.asked, send, link, isDeclined: false };
    order.attempts.push(attempt);
    return attempt;
  };

  /** Returns no link if the basket was changed while a payment is open. */
  const checkOut = async (name: string, asked: number): Promise<string> => {
    const order = orders.get(name) ?? { attempts: [], asked, state: 'open', shipped: 0 };
    orders.set(name, order);
    const last = order.attempts.at(-1);
    if (asked !== order.asked) {
      if (is('refuses-changes')) return 'the basket is frozen';
      order.asked = asked;
      if (is('pays-for-each-basket')) return start(name, order).link;
      if (!is('ships-for-the-old-price')) return 'another payment is open';
    }
    const isLast = last && (!last.isDeclined || is('offers-one-payment'));
    const attempt = isLast && !is('pays-at-each-click') ? last : start(name, order);
    return attempt.link.catch(() => {
      if (is('takes-busy-for-refused')) return start(name, order).link;
      attempt.link = attempt.send({ mayHaveBeenSent: true });
      return attempt.link;
    });
  };

  const find = (referenceId: string) => {
    for (const order of orders.values()) {
      const known = is('knows-the-last-attempt-alone') ? order.attempts.slice(-1) : order.attempts;
      const attempt = known.find((each) => each.referenceId === referenceId);
      if (attempt) return { order, attempt };
    }
    return undefined;
  };

  const isGenuine = (body: string, signature: unknown) => {
    if (is('verifies-nothing', 'works-later-on-anything')) return true;
    if (is('verifies-by-an-empty-key') && signature === signPayment(body, '')) return true;
    const signed = is('signs-rewritten-json') ? JSON.stringify(JSON.parse(body)) : body;
    return signature === signPayment(signed, secretKey);
  };

  const take = ({ referenceId, merchantId, status, amount: told }: MockWebhookEvent): number => {
    const found = find(referenceId);
    if (!found) return 404;
    const { order, attempt } = found;
    const isSame = told.value === attempt.amount && told.currency === 'VND';
    if (!isSame && !is('compares-no-amount')) return 409;
    if (merchantId !== 'DEMO-MERCHANT' && !is('compares-no-merchant')) return 409;
    const isKnown = ['declined', 'expired', 'pending'].includes(status);
    const isPaid =
      status === 'paid' ||
      (is('takes-unknown-words-for-paid') && !isKnown) ||
      (is('looks-for-paid-in-any-word') && /paid/i.test(status));
    if (order.state === 'closed') return 204;
    const isEnough = attempt.amount === order.asked || is('ships-for-the-old-price', 'pays-for-each-basket');
    if (isPaid && !isEnough) order.state = 'waits for staff';
    else if (isPaid) {
      if (order.state !== 'paid' || is('ships-at-each-notification')) order.shipped += 1;
      order.state = 'paid';
    } else if (status === 'declined' || status === 'expired') {
      attempt.isDeclined = true;
      if (is('believes-the-last-word')) order.state = status;
    } else if (is('takes-pending-for-the-end')) order.state = 'closed';
    return 204;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const body = await text(request);
    if (pathname.startsWith('/checkout')) {
      const asked = pathname === '/checkout-changed' ? dearerAmount : amount;
      const link = await checkOut(searchParams.get('order') ?? '', asked);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ link }).replaceAll('/', '\\/'));
      return;
    }
    if (pathname === '/webhook') {
      if (is('responds-late')) await pause(900);
      const isTrue = isGenuine(body, request.headers['signature']);
      if (is('works-later', 'works-later-on-anything')) {
        response.writeHead(200).end();
        // Longer than the --settle-ms of its rehearsal.
        await pause(is('works-later') ? 600 : 1000);
        if (isTrue) take(JSON.parse(body) as MockWebhookEvent);
        return;
      }
      response.writeHead(isTrue ? take(JSON.parse(body) as MockWebhookEvent) : 401).end();
      return;
    }
    const found = find(searchParams.get('reference') ?? pathname.replace('/orders/', ''));
    if (found && pathname === '/thanks' && is('believes-the-redirect')) found.order.state = 'paid';
    if (found && pathname === '/sorry' && is('cancels-by-redirect')) found.order.state = 'closed';
    response.writeHead(found ? 200 : 404).end(`${found?.order.state}, shipped: ${found?.order.shipped}`);
  };

  return { url, close: () => server.close() };
}
