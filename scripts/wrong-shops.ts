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
    means: 'There are more payments than orders, or more than in the baseline',
    code: [
      "app.post('/checkout', async ({ query }) => {",
      '  const payment = await orders.newPayment(query.order); // at each click',
      '  return pay(payment.referenceId);',
    ],
  },
  'new-reference-after-unknown': {
    means: 'After a lost response, there are more referenceIds than in the baseline',
    code: [
      'try {',
      '  return await pay(order.id);',
      '} catch { return await pay(`${order.id}-2`); } // no response: try again',
    ],
  },
  'new-key': {
    means: 'The same referenceId and body were sent with two Idempotency-Keys',
  },
  'key-reused': {
    means:
      'Two bodies were sent with the same Idempotency-Key, for example because the request was built again',
  },
  'request-rebuilt': {
    means:
      'After an unknown outcome, the same referenceId was sent with another body and another Idempotency-Key',
  },
  'redirect-followed': {
    means: 'A request arrived at the target of a redirect',
  },
  'repeats-for-ever': {
    means:
      'More than 20 requests for one referenceId were sent without an approval, or ten were sent within two seconds',
  },
  'upload-again': {
    means:
      'After a lost response, the upload was sent again and its file is stored twice, or a payment has more files than in the baseline',
  },
  'upload-unconfirmed': {
    means: 'An invoice was uploaded before the payment was paid, or before a webhook or a query confirmed it',
  },
  'forged-accepted': {
    means: 'The shop responded with 2xx to a forged webhook, so it may have acted on the webhook',
  },
  'paid-not-counted': {
    means: 'An order is paid at the service, but not on your order page',
    code: [
      "if (event.status !== 'paid') await orders.close(event.referenceId); // also 'pending'",
      'else if (await orders.isOpen(event.referenceId)) {',
      "  await orders.set(event.referenceId, 'paid'); }",
    ],
  },
  'unpaid-counted': {
    means: 'An order is paid on your order page, but not at the service',
    code: [
      'const event = verifyWebhook({ body, signature }, { secretKey });',
      "if (event.status === 'paid') await orders.set(event.referenceId, 'paid'); // whatever the amount",
    ],
  },
  'other-amount-counted': {
    means: 'The customer has added to the basket, and the order counts as paid with the old amount',
  },
  'redirect-believed': {
    means: 'The order counts as paid after the redirect URL was opened',
  },
  'counted-twice': {
    means: 'The number that --once captures is higher than in the baseline',
  },
  'unknown-acknowledged': {
    means: 'The shop responded with 2xx to a signed webhook for a referenceId that the shop never sent',
  },
  'two-links-paid': {
    means: 'The customer paid with both links of one order',
  },
  'no-key': {
    means: 'A payment was sent without an Idempotency-Key',
  },
  'unknown-abandoned': {
    means: 'After an unknown outcome or HTTP 429, the shop did not send the request again within the run',
  },
  'retry-not-seen': {
    means:
      'After an unknown outcome, the shop sent no further request within the run, although its process keeps running',
  },
  'retry-after-ignored': {
    means: 'The shop sent the request again before the time in Retry-After had passed',
  },
  'request-time-off': {
    means: "Request-Time differs from the mock's clock by more than five minutes",
    code: [
      'const now = new Date().toISOString(); // UTC',
      "headers['Request-Time'] = now.slice(0, 19).replace('T', ' ');",
    ],
  },
  'notification-refused': {
    means: 'The shop refused every try of a webhook',
    code: [
      'app.use(express.json());',
      "verify(JSON.stringify(request.body), request.get('Signature')); // not the same bytes",
    ],
  },
  'order-odd': {
    means: 'An amount or a time to pay seems to be in a wrong unit, or a required text is empty',
  },
};
