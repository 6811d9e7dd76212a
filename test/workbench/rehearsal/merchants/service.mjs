/** Code that the JavaScript backends share: signed requests, a server, and the test's control of the mock. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { env } = process;
const sample = JSON.parse(readFileSync(new URL('order.json', import.meta.url), 'utf8'));
const signed = ['merchantId', 'referenceId', 'paymentTransId', 'storeId', 'invoiceNumber', 'invoiceDate', 'description', 'extraData']; // oxfmt-ignore

export const newReference = () => `N-${process.hrtime.bigint().toString(36)}`;
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const sign = (text) => createHmac('sha256', env.INSTALLMENT_SECRET_KEY).update(text).digest('hex');
export const newOrder = (referenceId, changes) => ({
  ...sample,
  merchantId: env.INSTALLMENT_MERCHANT_ID,
  storeId: env.INSTALLMENT_STORE_ID,
  platformId: env.INSTALLMENT_PLATFORM_ID,
  referenceId,
  ...changes,
});

async function send(path, signature, init, timeoutMs, redirect = 'manual') {
  const requestTime = new Date(Date.now() + 7 * 3600_000).toISOString().slice(0, 19).replace('T', ' ');
  const response = await fetch(env.INSTALLMENT_BASE_URL + path, {
    ...init,
    method: 'POST',
    redirect,
    headers: {
      'Client-Id': env.INSTALLMENT_CLIENT_ID,
      'Request-Time': requestTime,
      Signature: signature,
      ...init.headers,
    },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  let answer = {};
  try {
    answer = JSON.parse(text);
  } catch {
    // A response of a proxy.
  }
  return {
    status: response.status,
    retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1000,
    answer,
  };
}

/** Rejects if there is no response. */
export function initiate(order, { key, timeoutMs = 5000, redirect } = {}) {
  const body = JSON.stringify(order);
  const headers = { 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) };
  return send('/v2/payments', sign(body), { body, headers }, timeoutMs, redirect);
}

export function upload(referenceId) {
  const fields = { merchantId: env.INSTALLMENT_MERCHANT_ID, referenceId, invoiceNumber: `HD-${referenceId}` };
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('file', new Blob([`%PDF-1.7\n${referenceId}`], { type: 'application/pdf' }), `${referenceId}.pdf`);
  const canonical = signed.map((name) => `${name}=${fields[name] ?? ''}`).join('&');
  return send('/v2/payments/upload-invoice', sign(canonical), { body }, 5000);
}

/** The customer, simulated by a test. */
export const settle = (referenceId, status) =>
  fetch(`${env.INSTALLMENT_MOCK_URL}/_mock/settle`, {
    method: 'POST',
    body: JSON.stringify({ referenceId, status }),
  });

/** Serves routes such as `'GET /orders/'` on WEBHOOK_PORT. Each route responds with a status and a text. */
export function serve(routes) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url, 'http://shop');
    const [, first, rest = ''] = /^(\/[^/]*\/?)(.*)$/.exec(url.pathname);
    const route = routes[`${request.method} ${first}`] ?? (() => [404, 'not found']);
    const [status, text] = await Promise.resolve()
      .then(() =>
        route({ rest, query: url.searchParams, body: Buffer.concat(chunks), headers: request.headers }),
      )
      .catch((error) => [500, String(error)]);
    response.writeHead(status).end(text);
  });
  server.listen(Number(env.WEBHOOK_PORT), '127.0.0.1', () => console.log('ready'));
}
