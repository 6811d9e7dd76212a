/**
 * `firstCalls` runs this as a separate module, with the arguments contender, URL of the server, URL of the package and
 * order as JSON. It prints microseconds of CPU time, and imports nothing before the measurement.
 */
import type { orderOf } from './order.js';

const [, name = '', url = '', dist = '', json = ''] = process.argv;
const order = JSON.parse(json) as ReturnType<typeof orderOf>;

/** A request without a client: signed, with the headers of the protocol. */
async function signed() {
  const { createHmac } = await import('node:crypto');
  const body = JSON.stringify(order);
  const headers = {
    'Content-Type': 'application/json',
    'Client-Id': 'demo-client',
    'Request-Time': new Date(Date.now() + 25_200_000).toISOString().slice(0, 19).replace('T', ' '),
    Signature: createHmac('sha256', 'demo-secret').update(body).digest('hex'),
    'Idempotency-Key': 'ORDER-1-1',
  };
  return { body, headers };
}

const contenders: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'bare fetch'() {
    const response = await fetch(`${url}/v2/payments`, { method: 'POST', ...(await signed()) });
    return response.json();
  },

  async 'bare node:http'() {
    const { default: http } = await import('node:http');
    const { body, headers } = await signed();
    const agent = new http.Agent({ keepAlive: true });
    const text = await new Promise<string>((resolve, reject) => {
      const options = {
        method: 'POST',
        agent,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      };
      const request = http.request(`${url}/v2/payments`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      });
      request.on('error', reject);
      request.end(body);
    });
    return JSON.parse(text) as unknown;
  },

  async stripe() {
    const { default: Stripe } = await import('stripe');
    const { hostname: host, port } = new URL(url);
    const client = new Stripe('sk_test_1', { host, port, protocol: 'http', telemetry: false });
    const line_items = order.items.map((item) => ({
      quantity: item.quantity,
      price_data: {
        currency: 'vnd',
        unit_amount: item.price,
        product_data: { name: item.productName, description: item.category },
      },
    }));
    const { successRedirectUrl: success_url, unSuccessRedirectUrl: cancel_url } = order;
    const session = { mode: 'payment', success_url, cancel_url, line_items };
    return client.checkout.sessions.create(session, { idempotencyKey: 'ORDER-1-1' });
  },

  async openai() {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: 'sk-1', baseURL: `${url}/v1` });
    const messages = order.items.map((item) => ({ role: 'user', content: JSON.stringify(item) }));
    return client.chat.completions.create({ model: 'm', messages });
  },

  async 'installment-payments'() {
    const { InstallmentClient } = (await import(dist)) as typeof import('../../src/entries/index.js');
    const client = new InstallmentClient({ baseUrl: url, clientId: 'demo-client', secretKey: 'demo-secret' });
    return client.initiatePayment(order);
  },
};

const before = process.cpuUsage();
const answer = await contenders[name]?.();
const { user, system } = process.cpuUsage(before);
if (typeof answer !== 'object') throw new Error('no answer');
console.log(user + system);
process.exit();
