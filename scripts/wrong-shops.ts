import type { RuleName } from '../src/workbench/findings/all-rules.js';

/** A rule in a few words, and some lines of a shop that breaks it. */
export interface WrongShop {
  /** The sign of the mistake, in a few words. */
  readonly means: string;
  /** Absent if the sign says it all. */
  readonly code?: readonly string[];
}

/** Mistakes of real shops. `pay` sends an order, `orders` is the database. */
export const wrongShops: Readonly<Record<RuleName, WrongShop>> = {
  'two-payments': {
    means: 'more payments than orders, or than in the baseline',
    code: [
      "app.post('/checkout', async ({ query }) => {",
      '  const payment = await orders.newPayment(query.order); // at each click',
      '  return pay(payment.referenceId);',
    ],
  },
  'new-reference-after-unknown': {
    means: 'after a lost response, more referenceIds than in the baseline',
    code: [
      'try {',
      '  return await pay(order.id);',
      '} catch { return await pay(`${order.id}-2`); } // no response: try again',
    ],
  },
  'new-key': {
    means: 'one referenceId and body with two keys',
    code: [
      'for (let tries = 0; tries < 3; tries++) {',
      '  const key = randomUUID(); // for each try',
      '  if (await send(order, key)) break;',
    ],
  },
  'key-reused': {
    means: 'one key with two bodies',
    code: [
      'for (let tries = 0; tries < 3; tries++) {',
      '  const order = buildOrder(cart, { time: Date.now() }); // built again',
      '  if (await send(order, cart.id)) break;',
    ],
  },
  'request-rebuilt': {
    means: 'two bodies with two keys for one referenceId, after an unknown outcome',
  },
  'redirect-followed': {
    means: 'a request arrived at the target of a redirect',
  },
  'repeats-for-ever': {
    means: 'more than 20 requests for one referenceId without an approval, or ten within two seconds',
  },
  'upload-again': {
    means:
      'a file whose response was lost is stored twice, or more files for one reference than in the baseline',
    code: [
      'await client.uploadInvoice(invoice).catch(',
      '  () => client.uploadInvoice(invoice)); // no response: try again',
    ],
  },
  'upload-unconfirmed': {
    means: 'an upload before the payment is paid, or before a webhook or query said so',
    code: [
      'await client.initiatePayment(order);',
      'await client.uploadInvoice(invoice); // APPROVED, so it is paid',
    ],
  },
  'forged-accepted': {
    means: '2xx to a forged webhook, without proof that it had no effect',
    code: [
      'if (process.env.WEBHOOK_SECRET) verify(body, signature); // not set here',
      'const event = JSON.parse(body);',
    ],
  },
  'paid-not-counted': {
    means: 'an order is paid at the service, but not on your order page',
    code: [
      "if (event.status !== 'paid') await orders.close(event.referenceId); // also 'pending'",
      'else if (await orders.isOpen(event.referenceId)) {',
      "  await orders.set(event.referenceId, 'paid'); }",
    ],
  },
  'unpaid-counted': {
    means: 'an order is paid on your order page, but not at the service',
    code: [
      'const event = verifyWebhook({ body, signature }, { secretKey });',
      "if (event.status === 'paid') await orders.set(event.referenceId, 'paid'); // whatever the amount",
    ],
  },
  'other-amount-counted': {
    means: 'the basket has grown, and the old amount counts as paid',
    code: [
      'const order = await orders.put(cart.id, { total: cart.total }); // a laptop was added',
      'return redirect(order.paymentUrl); // the old link',
    ],
  },
  'redirect-believed': {
    means: 'opening the redirect URL makes the order count as paid',
    code: [
      "app.get('/return', async ({ query }) => {",
      "  if (query.status === 'success') await orders.set(query.order, 'paid');",
    ],
  },
  'counted-twice': {
    means: 'the number that --once captures is higher than in the baseline',
    code: [
      "if (event.status === 'paid') {",
      "  await orders.set(event.referenceId, 'paid');",
      '  await ship(event.referenceId); } // also for the second webhook',
    ],
  },
  'unknown-acknowledged': {
    means: '2xx to a signed webhook for a referenceId that was never sent',
  },
  'two-links-paid': {
    means: 'the customer paid both links of one order',
  },
  'no-key': {
    means: 'a payment without an Idempotency-Key',
  },
  'unknown-abandoned': {
    means: 'no retry within the run, after an unknown outcome or HTTP 429',
  },
  'retry-not-seen': {
    means: 'no further request within the run after an unknown outcome, although the shop stays up',
  },
  'retry-after-ignored': {
    means: 'a retry before the time in Retry-After',
  },
  'request-time-off': {
    means: "Request-Time differs from the mock's clock by more than five minutes",
    code: [
      'const now = new Date().toISOString(); // UTC',
      "headers['Request-Time'] = now.slice(0, 19).replace('T', ' ');",
    ],
  },
  'notification-refused': {
    means: 'a webhook that is never accepted',
    code: [
      'app.use(express.json());',
      "verify(JSON.stringify(request.body), request.get('Signature')); // not the same bytes",
    ],
  },
  'order-odd': {
    means: 'an order that is probably a mistake',
  },
};
