import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { approved, headersFor, merchant, orderOf } from '../order.js';
import { loadMock } from '../own-build.js';
import type { Suite } from './contender.js';

/** The route in bare Hono: it reads the order, responds, and checks nothing. */
function bareHono(): Hono {
  const app = new Hono();
  app.post('/v2/payments', async (context) => {
    const { referenceId } = await context.req.json<{ referenceId: string }>();
    return context.json({ ...(JSON.parse(approved) as object), referenceId });
  });
  return app;
}

/** The route in bare Hono with the only check that a mock must have: the signature over the exact bytes. */
function checkingHono(): Hono {
  const app = new Hono();
  const key = createSecretKey(merchant.secretKey, 'utf8');
  app.post('/v2/payments', async (context) => {
    const body = Buffer.from(await context.req.arrayBuffer());
    const expected = Buffer.from(createHmac('sha256', key).update(body).digest('hex'));
    const received = Buffer.from(context.req.header('signature') ?? '');
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) {
      return context.json({ resultStatus: 'INVALID_SIGNATURE' });
    }
    const { referenceId } = JSON.parse(body.toString()) as { referenceId: string };
    return context.json({ ...(JSON.parse(approved) as object), referenceId });
  });
  return app;
}

/** An app as a server. */
function served(app: Hono): Promise<string> {
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    );
  });
}

const checking = 'Hono with a signature check';

let lastOrder = 0;

/** A signed request for a new order. A repeated request would get its response from memory. */
function nextRequest(url: string) {
  const referenceId = `ORDER-${String(process.pid)}-${String(++lastOrder)}`;
  const body = JSON.stringify(orderOf(5, referenceId));
  const headers = { ...headersFor(body), 'Idempotency-Key': referenceId };
  return { url: `${url}/v2/payments`, init: { method: 'POST', body, headers } };
}

type Answering = (url: string, init: RequestInit) => Response | Promise<Response>;

/** Orders that are signed before the measurement. The work is to respond to them. */
function answeringOrders(answer: Answering) {
  const waiting: ReturnType<typeof nextRequest>[] = [];
  return {
    prepare(calls: number) {
      for (let i = 0; i < calls; i++) waiting.push(nextRequest('https://mock.example'));
      return Promise.resolve();
    },
    async call() {
      const order = waiting.pop();
      if (!order) throw new Error('more calls than were prepared');
      const response = await answer(order.url, order.init);
      const text = await response.text();
      if (!text.includes('APPROVED')) throw new Error(text);
    },
  };
}

/** One payment through the mock as a `fetch`. */
export const mockFetch: Suite = {
  'bare Hono': () => {
    const app = bareHono();
    return answeringOrders((url, init) => app.request(url, init));
  },
  [checking]: () => {
    const app = checkingHono();
    return answeringOrders((url, init) => app.request(url, init));
  },
  async 'installment-payments/mock'() {
    const { createMockService } = await loadMock();
    const mock = createMockService();
    return answeringOrders((url, init) => mock.fetch(url, init));
  },
};

/** The mocks as servers. Each runs in its own process, whose CPU time is measured. */
export const mockServers: Readonly<Record<string, () => Promise<string>>> = {
  'bare Hono': () => served(bareHono()),
  [checking]: () => served(checkingHono()),
  'installment-payments/mock': async () => {
    const { createMockService } = await loadMock();
    const { url } = await createMockService().listen();
    return url;
  },
};

/** Sends one new order to a server. */
export async function sendOrder(server: string): Promise<void> {
  const { url, init } = nextRequest(server);
  const response = await fetch(url, init);
  const text = await response.text();
  if (!text.includes('APPROVED')) throw new Error(text);
}
