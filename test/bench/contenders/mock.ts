import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { approved, headersFor, orderOf } from '../order.js';
import { loadMock } from '../own-build.js';
import type { Suite } from './contender.js';

/** The route in bare Hono: reads the order, answers, and checks nothing. */
function bareHono(): Hono {
  const app = new Hono();
  app.post('/v2/payments', async (context) => {
    const { referenceId } = await context.req.json<{ referenceId: string }>();
    return context.json({ ...(JSON.parse(approved) as object), referenceId });
  });
  return app;
}

let lastOrder = 0;

/** A signed request for an order of its own: the same one again would be answered from memory. */
function nextRequest(url: string) {
  const referenceId = `ORDER-${String(process.pid)}-${String(++lastOrder)}`;
  const body = JSON.stringify(orderOf(5, referenceId));
  const headers = { ...headersFor(body), 'Idempotency-Key': referenceId };
  return { url: `${url}/v2/payments`, init: { method: 'POST', body, headers } };
}

type Answering = (url: string, init: RequestInit) => Response | Promise<Response>;

/** Orders that are signed before the clock runs; the work is to answer them. */
function answeringOrders(answer: Answering) {
  const waiting: ReturnType<typeof nextRequest>[] = [];
  return {
    prepare(calls: number) {
      for (let i = 0; i < calls; i++) waiting.push(nextRequest('http://mock.example'));
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
  async 'installment-payments/mock'() {
    const { createMockService } = await loadMock();
    const mock = createMockService();
    return answeringOrders((url, init) => mock.fetch(url, init));
  },
};

/** The same as servers; each runs in a process of its own, whose CPU is what is measured. */
export const mockServers: Readonly<Record<string, () => Promise<string>>> = {
  'bare Hono': () =>
    new Promise((resolve) => {
      serve({ fetch: bareHono().fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      );
    }),
  'installment-payments/mock': async () => {
    const { createMockService } = await loadMock();
    const { url } = await createMockService().listen();
    return url;
  },
};

/** Sends one fresh order to a server. */
export async function sendOrder(server: string): Promise<void> {
  const { url, init } = nextRequest(server);
  const response = await fetch(url, init);
  const text = await response.text();
  if (!text.includes('APPROVED')) throw new Error(text);
}
