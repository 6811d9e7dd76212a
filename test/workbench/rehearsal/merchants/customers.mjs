/** The customers of a backend with a webhook: three orders. The second order is declined, and can be paid later. */
import { request } from 'node:http';

const shop = `http://127.0.0.1:${process.env.WEBHOOK_PORT}`;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const run = Date.now().toString(36);

/** Uses node:http, because a process that sends three orders with fetch needs twice as long to start. */
function send(url, { method = 'GET', body = '', headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve({ ok: response.statusCode < 300, location: response.headers.location, text });
    });
    sent.on('error', reject).end(body);
  });
}

/** Clicks the button again if nothing happened. */
async function checkOut(order) {
  for (let clicks = 0; clicks < 2; clicks++) {
    const { ok, text } = await send(`${shop}/checkout?order=${order}`, { method: 'POST' });
    if (ok && text) return text;
    await wait(300);
  }
}

async function end(paymentUrl, outcome) {
  const { origin } = new URL(paymentUrl);
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  const { location } = await send(paymentUrl, { method: 'POST', body: `outcome=${outcome}`, headers });
  if (location?.startsWith(shop)) await send(location);
}

for (const [index, outcome] of ['paid', 'declined', 'paid'].entries()) {
  const paymentUrl = await checkOut(`${run}-${index + 1}`);
  if (!paymentUrl) continue;
  await end(paymentUrl, outcome);
  // Some services let a customer pay with the same link after the bank declined. Other services refuse that.
  if (outcome === 'declined') await end(paymentUrl, 'paid');
}
await wait(500);
