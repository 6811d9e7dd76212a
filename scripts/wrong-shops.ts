import type { RuleName } from '../src/workbench/findings/rules.js';

/** A rule in a few words, a shop that breaks it in three lines, and what the report says about it. */
export interface WrongShop {
  /** The sign of the mistake, in a few words. */
  readonly means: string;
  readonly code: readonly string[];
  readonly said: string;
}

/** Mistakes of real shops. `pay` sends an order, `orders` is the database. */
export const wrongShops: Readonly<Record<RuleName, WrongShop>> = {
  'two-payments': {
    means: 'more payments than in the baseline, or than orders',
    code: [
      "app.post('/checkout', async (request) => {",
      '  const attempt = await orders.newAttempt(request.query.order); // at each click',
      '  return pay(attempt.referenceId);',
    ],
    said: 'clicked-twice: 4 payments were created for 2 orders; requests 1 (A-1) and 3 (A-2) are of one order.',
  },
  'new-reference-after-unknown': {
    means: 'another reference after a lost response, and more references than in the baseline',
    code: [
      'try {',
      '  return await pay(order.id);',
      '} catch { return await pay(`${order.id}-2`); } // no answer: once more',
    ],
    said: 'lost-response: The response to request 1 (A) was lost; request 2 (A-2) followed under another reference.',
  },
  'new-key': {
    means: 'one reference and body under two keys',
    code: [
      'for (let tries = 0; tries < 3; tries++) {',
      '  const key = randomUUID(); // for each try',
      '  if (await send(order, key)) break;',
    ],
    said: 'lost-response: The same body has two Idempotency-Keys: requests 1 (A) and 2 (A).',
  },
  'key-reused': {
    means: 'one key with two bodies',
    code: [
      'for (let tries = 0; tries < 3; tries++) {',
      '  const order = buildOrder(cart, { time: Date.now() }); // built again',
      '  if (await send(order, cart.id)) break;',
    ],
    said: 'lost-response: One Idempotency-Key has two bodies: requests 1 (A) and 2 (A). First difference: extraData.',
  },
  'request-rebuilt': {
    means: 'one reference under two bodies with two keys, after a response that left the outcome open',
    code: [
      'for (let tries = 0; tries < 3; tries++) {',
      '  const order = buildOrder(cart, { time: Date.now() }); // built again,',
      '  if (await send(order, sha256(order))) break; // with a key of its own',
    ],
    said: 'lost-response: The response to request 1 (A) was lost; request 2 (A) has another body and another Idempotency-Key. First difference: extraData.',
  },
  'redirect-followed': {
    means: 'a request arrived where a redirect pointed',
    code: [
      'session = requests.Session()',
      "answer = session.post(f'{base_url}/v2/payments', data=body, headers=headers)",
      "link = answer.json()['paymentUrl']  # of whoever answered",
    ],
    said: 'redirected: The response to request 1 (A) was HTTP 307, a redirect; request 2 (A) followed it to /redirected/v2/payments.',
  },
  'repeats-for-ever': {
    means: 'more than 20 requests for one reference without an approval, or ten within two seconds',
    code: ['while (!link) {', '  link = await send(order, key); // until it works', '}'],
    said: 'repeat-duplicate: initiatePayment: 10 requests, 10 within 2 s. See requests 1 (A), 2 (A), 3 (A), …, 9 (A) and 10 (A).',
  },
  'upload-again': {
    means:
      'a file whose response was lost is stored twice, or more files for one reference than in the baseline',
    code: [
      'await client.uploadInvoice(invoice).catch(() => {',
      '  return client.uploadInvoice(invoice); // no answer: once more',
      '});',
    ],
    said: 'lost-response: The response to the upload in request 2 (A) was lost; request 3 (A) sent the same file again, and it is stored 2 times.',
  },
  'upload-unconfirmed': {
    means: 'an upload for a payment that is not paid yet, or that nobody said is paid',
    code: [
      'const { paymentUrl } = await client.initiatePayment(order);',
      'await client.uploadInvoice(invoice); // APPROVED, so it is paid',
      'return redirect(paymentUrl);',
    ],
    said: 'baseline: The upload in request 2 (A) arrived while the payment was not paid.',
  },
  'forged-accepted': {
    means: '2xx to a forged notification, without proof that it had no effect',
    code: [
      'if (process.env.WEBHOOK_SECRET) verify(body, signature); // not set here',
      'const event = JSON.parse(body);',
      'await orders.set(event.referenceId, event.status);',
    ],
    said: 'forged: Forged notifications for A (WH-00000001 unsigned, …) got a 2xx response, and the order counted as paid before a true one said so.',
  },
  'paid-not-counted': {
    means: 'an order is paid at the service, and not on your page',
    code: [
      "if (event.status !== 'paid') await orders.close(event.referenceId); // also 'pending'",
      'else if (await orders.isOpen(event.referenceId)) {',
      "  await orders.set(event.referenceId, 'paid'); }",
    ],
    said: "notification-pending-first: A is paid at the service; the merchant's order page does not say so.",
  },
  'unpaid-counted': {
    means: 'an order is paid on your page, and not at the service',
    code: [
      'const event = verifyWebhook({ body, signature }, { secretKey });',
      "if (event.status === 'paid') {",
      "  await orders.set(event.referenceId, 'paid'); } // whatever the amount",
    ],
    said: "decoys: The merchant's order page says that A is paid; no customer had paid, but notifications had arrived that must not count (WH-00000001 lower-amount, …).",
  },
  'other-amount-counted': {
    means: 'less was paid than the order asks for since its basket has grown, and it counts as paid',
    code: [
      'const order = await orders.put(cart.id, { total: cart.total }); // a laptop was added',
      'return redirect(order.paymentUrl); // the link of before',
      '// in the webhook: the amount is that of the payment, so ship',
    ],
    said: "basket-changed: The merchant's order page counts A, for which 12,000,000 đồng were paid after its basket had grown to 20,000,000 đồng.",
  },
  'redirect-believed': {
    means: 'the order counts as paid after its redirect address was opened, and no customer had paid',
    code: [
      "app.get('/return', async (request) => {",
      "  if (request.query.status === 'success') {",
      "    await orders.set(request.query.order, 'paid'); }",
    ],
    said: "redirect-opened: The merchant's order page says that A is paid after its successRedirectUrl was opened; no customer had paid.",
  },
  'counted-twice': {
    means: 'the number that --once captures is higher than in the baseline',
    code: [
      "if (event.status === 'paid') {",
      "  await orders.set(event.referenceId, 'paid');",
      '  await ship(event.referenceId); } // also for the second notification',
    ],
    said: "notification-twice: The merchant's order page of A has 2 where --once looks, 1 in the baseline.",
  },
  'unknown-acknowledged': {
    means: '2xx to a signed notification of a reference that was never sent',
    code: [
      'const event = verifyWebhook({ body, signature }, { secretKey });',
      'const order = await orders.get(event.referenceId);',
      'if (order) await order.set(event.status); // and if not, nothing',
      'return response.status(204).end();',
    ],
    said: 'decoys: Signed notifications for NO-SUCH-ORDER (WH-00000003, WH-00000008) got a 2xx response; that reference was never sent.',
  },
  'two-links-paid': {
    means: 'both links of one order were paid',
    code: [
      'if (attempt.isPaid) return; // this attempt, not the order',
      'attempt.isPaid = true;',
      'await ship(attempt.orderId);',
    ],
    said: 'clicked-twice: One order is paid twice: requests 1 (A-1) and 2 (A-2).',
  },
  'no-key': {
    means: 'a payment without an Idempotency-Key',
    code: [
      'await fetch(`${baseUrl}/v2/payments`, {',
      "  method: 'POST', body,",
      "  headers: { 'Client-Id': id, Signature: sign(body) } }); // no key",
    ],
    said: 'baseline: No Idempotency-Key: requests 1 (A) and 2 (B).',
  },
  'unknown-abandoned': {
    means: 'no retry within the run, after a lost or open response or HTTP 429',
    code: [
      'const answer = await send(order, key).catch(() => undefined);',
      "if (!answer) return fail('try again later'); // and nothing asks",
      'return redirect(answer.paymentUrl);',
    ],
    said: 'lost-response: The response to request 1 (A) was lost, and nothing sent it again within the run.',
  },
  'retry-not-seen': {
    means: 'a shop that stays up sends nothing more, within the run, after a lost or open response',
    code: [
      'cron.schedule("0 * * * *", async () => { // each hour: the run is over by then',
      "  for (const order of await orders.in('unknown')) await pay(`${order.id}-2`);",
      '});',
    ],
    said: 'outage: The response to request 3 (A) was lost, and the shop sent nothing more for it within the run.',
  },
  'retry-after-ignored': {
    means: 'a retry before the time in Retry-After',
    code: [
      'if (answer.status === 429) {',
      '  await sleep(100); // whatever Retry-After says',
      '  answer = await send(order, key); }',
    ],
    said: 'rate-limited: The response to request 1 (A) asked to wait 1 s; request 2 (A) followed after 0.1 s.',
  },
  'request-time-off': {
    means: "Request-Time differs from the mock's clock by more than five minutes",
    code: [
      'const now = new Date().toISOString(); // UTC',
      "headers['Request-Time'] = now.slice(0, 19).replace('T', ' ');",
      'await send(order, headers);',
    ],
    said: "baseline: Request-Time is 420 minutes behind the mock's clock, like the time at +00:00 (UTC); …: requests 1 (A) and 2 (B).",
  },
  'notification-refused': {
    means: 'a notification that is never accepted',
    code: [
      'app.use(express.json());',
      "app.post('/hook', (request, response) => {",
      "  verify(JSON.stringify(request.body), request.get('Signature')); // written again",
    ],
    said: 'other-serialization: The notification WH-00000001 (A) was never accepted: 3 tries, the last HTTP 401. An error here: baseline accepted it.',
  },
  'order-odd': {
    means: 'an order that is probably a mistake',
    code: [
      'const amount = { value: cart.total * 100 }; // cents, as elsewhere',
      'const transExpiredTime = 900; // seconds',
      'await client.initiatePayment({ ...order, amount, transExpiredTime });',
    ],
    said: 'baseline: request 1 (A): a sentence for each oddity, such as a time under a minute.',
  },
};
