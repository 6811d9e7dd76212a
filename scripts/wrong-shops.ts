import type { RuleName } from '../src/mock/findings/rules.js';

/** A shop that breaks a rule in three lines, and what the report says about it. */
export interface WrongShop {
  readonly code: readonly string[];
  readonly said: string;
}

/** Mistakes of real shops. `pay` sends an order, `orders` is the database. */
export const wrongShops: Readonly<Record<RuleName, WrongShop>> = {
  'two-payments': {
    code: [
      "app.post('/checkout', async (request) => {",
      '  const attempt = await orders.newAttempt(request.query.order); // at each click',
      '  return pay(attempt.referenceId);',
    ],
    said: 'clicked-twice: 4 payments were created for 2 orders. Again: request 3 (A-2), request 4 (B-2).',
  },
  'new-reference-after-unknown': {
    code: [
      'try {',
      '  return await pay(order.id);',
      '} catch { return await pay(`${order.id}-2`); } // no answer: once more',
    ],
    said: 'lost-answer: The response to request 1 (A) was lost; request 2 followed with A-2.',
  },
  'new-key': {
    code: [
      'for (let tries = 0; tries < 3; tries++) {',
      '  const key = randomUUID(); // for each try',
      '  if (await send(order, key)) break;',
    ],
    said: 'lost-answer: requests 1 and 2 for A have the same body and two Idempotency-Keys.',
  },
  'key-reused': {
    code: [
      'for (let tries = 0; tries < 3; tries++) {',
      '  const order = buildOrder(cart, { time: Date.now() }); // built again',
      '  if (await send(order, cart.id)) break;',
    ],
    said: 'lost-answer: request 1 (A) and request 2 (A) have one Idempotency-Key and two bodies: extraData differs.',
  },
  'repeats-for-ever': {
    code: ['while (!link) {', '  link = await send(order, key); // until it works', '}'],
    said: 'repeat-duplicate: initiatePayment for A: 10 requests within 0.1 s (requests 1, 2, 3, …, 9 and 10).',
  },
  'upload-again': {
    code: [
      'await client.uploadInvoice(invoice).catch(() => {',
      '  return client.uploadInvoice(invoice); // no answer: once more',
      '});',
    ],
    said: 'lost-answer: The response to upload 2 (A) was lost; request 3 sent the same file again, and it is stored 2 times.',
  },
  'upload-unconfirmed': {
    code: [
      'const { paymentUrl } = await client.initiatePayment(order);',
      'await client.uploadInvoice(invoice); // APPROVED, so it is paid',
      'return redirect(paymentUrl);',
    ],
    said: 'plain: Upload 2 arrived while the payment A was not paid.',
  },
  'forged-accepted': {
    code: [
      'if (process.env.WEBHOOK_SECRET) verify(body, signature); // not set here',
      'const event = JSON.parse(body);',
      'await orders.set(event.referenceId, event.status);',
    ],
    said: 'forged: The forged notifications for A (WH-00000001 unsigned, …) got a 2xx response, and the order counted as paid before a true one said so.',
  },
  'paid-not-counted': {
    code: [
      "if (event.status !== 'paid') await orders.close(event.referenceId); // also 'pending'",
      'else if (await orders.isOpen(event.referenceId)) {',
      "  await orders.set(event.referenceId, 'paid'); }",
    ],
    said: "notification-pending-first: A is paid at the service; the merchant's order page does not say so.",
  },
  'unpaid-counted': {
    code: [
      'const event = verifyWebhook({ body, signature }, { secretKey });',
      "if (event.status === 'paid') {",
      "  await orders.set(event.referenceId, 'paid'); } // whatever the amount",
    ],
    said: "strange: The merchant's order page says that A is paid; nobody had paid, but notifications had arrived that must not count (WH-00000001 lower-amount, …).",
  },
  'redirect-believed': {
    code: [
      "app.get('/return', async (request) => {",
      "  if (request.query.status === 'success') {",
      "    await orders.set(request.query.order, 'paid'); }",
    ],
    said: "redirect-opened: The merchant's order page says that A is paid after its successRedirectUrl was opened; nobody had paid.",
  },
  'counted-twice': {
    code: [
      "if (event.status === 'paid') {",
      "  await orders.set(event.referenceId, 'paid');",
      '  await ship(event.referenceId); } // also for the second notification',
    ],
    said: "notification-twice: The merchant's order page of A has 2 where --once looks, 1 in the plain world.",
  },
  'two-links-paid': {
    code: [
      'if (attempt.isPaid) return; // this attempt, not the order',
      'attempt.isPaid = true;',
      'await ship(attempt.orderId);',
    ],
    said: 'clicked-twice: A-1 and A-2 are for one order, and all are paid.',
  },
  'no-key': {
    code: [
      'await fetch(`${baseUrl}/v2/payments`, {',
      "  method: 'POST', body,",
      "  headers: { 'Client-Id': id, Signature: sign(body) } }); // no key",
    ],
    said: 'plain: No Idempotency-Key: request 1 (A), request 2 (B).',
  },
  'answer-abandoned': {
    code: [
      'const answer = await send(order, key).catch(() => undefined);',
      "if (!answer) return fail('try again later'); // and nothing asks",
      'return redirect(answer.paymentUrl);',
    ],
    said: 'lost-answer: The response to request 1 (A) was lost, and nothing sent it again.',
  },
  'retry-after-ignored': {
    code: [
      'if (answer.status === 429) {',
      '  await sleep(100); // whatever Retry-After says',
      '  answer = await send(order, key); }',
    ],
    said: 'rate-limited: The response to request 1 (A) asked to wait 1 s; request 2 followed after 0.1 s.',
  },
  'request-time-off': {
    code: [
      'const now = new Date().toISOString(); // UTC',
      "headers['Request-Time'] = now.slice(0, 19).replace('T', ' ');",
      'await send(order, headers);',
    ],
    said: "plain: Request-Time is 420 minutes behind the mock's clock (requests 1 and 2): it looks like the time at +00:00 (UTC); …",
  },
  'notification-refused': {
    code: [
      'app.use(express.json());',
      "app.post('/hook', (request, response) => {",
      "  verify(JSON.stringify(request.body), request.get('Signature')); // written again",
    ],
    said: 'written-otherwise: The notification WH-00000001 (A) was never accepted: 3 tries, the last HTTP 401. An error here: plain accepted it.',
  },
  'order-odd': {
    code: [
      'const amount = { value: cart.total * 100 }; // cents, as elsewhere',
      'const transExpiredTime = 900; // seconds',
      'await client.initiatePayment({ ...order, amount, transExpiredTime });',
    ],
    said: 'plain: request 1 (A): a sentence for each oddity, such as a time under a minute.',
  },
};
