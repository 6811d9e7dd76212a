import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** What the service does with a request: acts and answers, acts and answers nothing, or neither. */
export type Behaviour = 'answer' | 'lose' | 'ignore';

interface ServicePayment {
  readonly body: string;
  readonly idempotencyKey: string;
  state: 'open' | 'paid' | 'declined';
}

/** A service of payments that shares no code with the package. It counts what exists, by order. */
export interface PaymentService extends AsyncDisposable {
  readonly url: string;
  readonly payments: ReadonlyMap<string, ServicePayment>;
  /** Each request that arrived, by its reference. */
  readonly arrived: readonly string[];
  readonly uploads: readonly string[];
  /** What must never happen: a second live payment of an order, another request under a reference. */
  readonly violations: readonly string[];
  readonly end: (referenceId: string, state: 'paid' | 'declined') => void;
}

interface ServiceOptions {
  readonly behave?: (referenceId: string, count: number) => Behaviour;
  readonly delayMs?: number;
  /** How the customer ends a payment that exists. @default not at all */
  readonly outcome?: (referenceId: string) => 'paid' | 'declined';
}

function orderOf(referenceId: string): string {
  return referenceId.slice(0, referenceId.lastIndexOf('-'));
}

export async function servePayments({
  behave = () => 'answer',
  delayMs = 0,
  outcome,
}: ServiceOptions = {}): Promise<PaymentService> {
  const payments = new Map<string, ServicePayment>();
  const byOrder = new Map<string, Set<ServicePayment>>();
  const [arrived, uploads, violations]: [string[], string[], string[]] = [[], [], []];

  const create = (referenceId: string, body: string, idempotencyKey: string) => {
    const known = payments.get(referenceId);
    if (known) {
      if (known.body !== body || known.idempotencyKey !== idempotencyKey)
        violations.push(`${referenceId} came again as another request`);
      return;
    }
    const others = byOrder.get(orderOf(referenceId)) ?? new Set();
    if ([...others].some(({ state }) => state !== 'declined'))
      violations.push(`${referenceId} is a second live payment`);
    const payment: ServicePayment = { body, idempotencyKey, state: 'open' };
    payments.set(referenceId, payment);
    byOrder.set(orderOf(referenceId), others.add(payment));
  };

  const respond = async (request: IncomingMessage): Promise<object | undefined> => {
    const body = await text(request);
    if (request.url?.endsWith('/upload-invoice')) {
      const referenceId = /name="referenceId"\r\n\r\n([^\r]+)/.exec(body)?.[1] ?? '';
      uploads.push(referenceId);
      return {
        referenceId,
        invoiceId: `I-${String(uploads.length)}`,
        resultStatus: 'APPROVED',
        resultMsg: 'OK',
      };
    }
    const { referenceId, merchantId } = JSON.parse(body) as { referenceId: string; merchantId: string };
    arrived.push(referenceId);
    if (delayMs > 0) await pause(delayMs);
    const behaviour = behave(referenceId, arrived.filter((each) => each === referenceId).length);
    if (behaviour !== 'ignore') create(referenceId, body, String(request.headers['idempotency-key']));
    if (behaviour !== 'answer') return undefined;
    const paymentUrl = `https://pay.example/${referenceId}`;
    const responseTime = '2026-11-20 10:04:06';
    return { merchantId, referenceId, responseTime, resultStatus: 'APPROVED', resultMsg: 'OK', paymentUrl };
  };

  /** The notifications of an order: they come as often as somebody asks. */
  const notifications = (order: string): [string, string][] =>
    [...payments].flatMap(([referenceId, payment]) => {
      if (!outcome || orderOf(referenceId) !== order) return [];
      if (payment.state === 'open') payment.state = outcome(referenceId);
      return [[referenceId, payment.state]];
    });

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    if (pathname === '/notifications') {
      response.end(JSON.stringify(notifications(searchParams.get('order') ?? '')));
      return;
    }
    respond(request).then(
      (answer) => {
        if (!answer) return void response.destroy();
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
      },
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    payments,
    arrived,
    uploads,
    violations,
    end: (referenceId, state) => {
      const payment = payments.get(referenceId);
      if (payment?.state === 'open') payment.state = state;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
