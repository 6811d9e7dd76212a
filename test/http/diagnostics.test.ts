import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, test } from 'vitest';
import { setInstrumentation, type CallInstrument, type Instrumentation } from '../../src/http/diagnostics.js';
import type { AttemptMessage, CallMessage } from '../../src/entries/index.js';
import { LenderClient } from '../../src/entries/lender.js';
import { allocation, receipt } from '../helpers/lender-samples.js';
import { instantRuntime } from '../helpers/runtime.js';
import { approvedPayment, demoClient, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { inTurn, reset } from '../helpers/scripted-failures.js';
import { answering, unreachable } from '../helpers/scripted-fetch.js';

const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
const clean: (() => void)[] = [];
afterEach(() => {
  for (const undo of clean.splice(0)) undo();
});

function listen(name: string, onMessage: (message: unknown) => void): void {
  subscribe(name, onMessage);
  clean.push(() => unsubscribe(name, onMessage));
}

/** The messages that are published from now on, in order. */
function recorded() {
  const seen: (readonly [event: string, message: CallMessage | AttemptMessage])[] = [];
  for (const event of events) {
    listen(`tracing:installment-payments:call:${event}`, (message) => {
      seen.push([event, message as CallMessage]);
    });
  }
  listen('installment-payments:attempt', (message) => {
    seen.push(['attempt', message as AttemptMessage]);
  });
  return {
    names: () => seen.map(([event]) => event),
    calls: () => new Set(seen.filter(([event]) => event !== 'attempt').map(([, message]) => message)),
    attempts: () => seen.flatMap(([, message]) => ('call' in message ? [message] : [])),
  };
}

/** The first answer is lost. */
const losingOne = () => ({ fetch: inTurn(reset, () => Response.json(approvedPayment())).fetch });

describe('the channels of a payment', () => {
  test('report its start, each attempt and its end, and every attempt contains its call', async () => {
    const { names, calls, attempts } = recorded();
    const payment = await demoClient(losingOne()).initiatePayment(paymentRequest());

    expect(names()).toEqual(['start', 'end', 'attempt', 'attempt', 'asyncStart', 'asyncEnd']);
    const [call] = calls();
    expect(calls().size).toBe(1);
    expect(call).toEqual({ operation: 'initiatePayment', result: payment.$metadata });
    const { operation, referenceId, idempotencyKey, request } = payment.$metadata;
    expect(attempts()).toEqual(
      payment.$metadata.attempts.map((attempt, index) => ({
        call,
        number: index + 1,
        attempt,
        ...(index === 0 && { code: 'CONNECTION' }),
        subject: { operation, referenceId, idempotencyKey },
        origin: 'https://pay.example',
        request,
      })),
    );
    expect(attempts().every((message) => message.call === call)).toBe(true);
  });

  test('report the error that it rejects with', async () => {
    const { names, calls } = recorded();
    const { fetch } = answering({ resultStatus: 'INVALID_AMOUNT' });
    const error = await rejection(demoClient({ fetch }).initiatePayment(paymentRequest()));

    expect(names()).toEqual(['start', 'end', 'attempt', 'error', 'asyncStart', 'asyncEnd']);
    expect([...calls()]).toEqual([{ operation: 'initiatePayment', error }]);
    expect((calls().values().next().value as CallMessage).error).toBe(error);
  });

  test('report a payment that is refused before anything is sent', async () => {
    const { names } = recorded();
    const { fetch } = unreachable();
    await rejection(demoClient({ fetch }).initiatePayment(paymentRequest({ referenceId: '' })));
    expect(names()).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
  });

  test('are the same for every operation', async () => {
    const { calls } = recorded();
    const { fetch } = answering({ resultStatus: 'APPROVED' });
    await demoClient({ fetch }).uploadInvoice(invoiceUpload());
    await demoClient({ fetch }).post('/v2/own', {});
    const options = { baseUrl: 'https://pay.example', lenderCode: 'L', serviceApplicationId: 'A', fetch };
    const lender = new LenderClient(options, instantRuntime());
    await lender.notifyPaymentReceipt(receipt());
    await lender.notifyRepaymentAllocation(allocation());
    await lender.post('/v2/own', {});
    const operations = [...calls()].map((call) => (call as CallMessage).operation);
    expect(operations).toEqual(['uploadInvoice', 'post', 'paymentReceipt', 'repaymentAllocation', 'post']);
  });
});

describe('a subscriber', () => {
  test('receives the attempts if it subscribes to them alone', async () => {
    const seen: AttemptMessage[] = [];
    listen('installment-payments:attempt', (message) => seen.push(message as AttemptMessage));
    await demoClient(losingOne()).initiatePayment(paymentRequest());
    expect(seen.map(({ number, attempt }) => [number, attempt.outcome])).toEqual([
      [1, 'unknown'],
      [2, 'accepted'],
    ]);
  });

  test('does not affect the caller if it changes a message', async () => {
    listen('tracing:installment-payments:call:asyncEnd', (message) => {
      Object.assign((message as CallMessage).result ?? {}, { httpStatus: 500, attempts: [] });
    });
    const payment = await demoClient(losingOne()).initiatePayment(paymentRequest());
    expect(payment.$metadata).toMatchObject({ httpStatus: 200 });
    expect(payment.$metadata.attempts).toHaveLength(2);
  });

  test('does not affect the caller if it freezes a message', async () => {
    listen('tracing:installment-payments:call:start', Object.freeze);
    const payment = await demoClient(losingOne()).initiatePayment(paymentRequest());
    expect(payment.resultStatus).toBe('APPROVED');
    const late = demoClient().initiatePayment(paymentRequest({ referenceId: '' }));
    expect(await rejection(late)).toMatchObject({ code: 'VALIDATION' });
  });

  test("reads the store that it binds wherever the caller's code runs", async () => {
    const store = new AsyncLocalStorage<string>();
    const { start } = tracingChannel('installment-payments:call');
    start.bindStore(store, (message) => `of ${(message as CallMessage).operation}`);
    clean.push(() => void start.unbindStore(store));
    const found: (string | undefined)[] = [];
    const find = () => void found.push(store.getStore());
    const { fetch } = losingOne();
    const client = demoClient({
      fetch: (...request) => {
        find();
        return fetch(...request);
      },
      hooks: { beforeSend: find, onAttempt: find },
    });
    await client.initiatePayment(paymentRequest());
    expect(found).toHaveLength(5);
    expect(new Set(found)).toEqual(new Set(['of initiatePayment']));
    expect(store.getStore()).toBeUndefined();
  });
});

describe('an instrumentation', () => {
  function instrument(instrumentation: Instrumentation): () => void {
    const remove = setInstrumentation(instrumentation);
    clean.push(remove);
    return remove;
  }

  const pay = (options: Parameters<typeof demoClient>[0] = losingOne()) =>
    demoClient(options).initiatePayment(paymentRequest());
  const run = (work: () => void) => {
    work();
  };
  const ignore = () => undefined;

  test('receives a call, its attempts, and its end with the result', async () => {
    const told: string[] = [];
    const messages = new Set<CallMessage>();
    instrument((message) => {
      messages.add(message);
      told.push(`start of ${message.operation}`);
      return {
        run: (work) => {
          told.push('run');
          work();
          told.push('running');
        },
        attempted: ({ call, number, attempt }) => {
          messages.add(call);
          told.push(`attempt ${String(number)}: ${attempt.outcome}`);
        },
        ended: (ended) => {
          messages.add(ended);
          told.push(`end: HTTP ${String(ended.result?.httpStatus)}`);
        },
      };
    });
    await pay();

    expect(told).toEqual([
      'start of initiatePayment',
      'run',
      'running',
      'attempt 1: unknown',
      'attempt 2: accepted',
      'end: HTTP 200',
    ]);
    expect(messages.size).toBe(1);
  });

  test('runs the call in its own context', async () => {
    const store = new AsyncLocalStorage<string>();
    const found: unknown[] = [];
    instrument(() => ({
      run: (work) => {
        store.run('of the call', work);
      },
      attempted: ignore,
      ended: ignore,
    }));
    const hooks = { beforeSend: () => void found.push(store.getStore()) };
    await pay({ ...losingOne(), hooks });
    expect(found).toEqual(['of the call']);
  });

  test('receives the error that a call rejects with', async () => {
    const ended: CallMessage[] = [];
    instrument(() => ({ run, attempted: ignore, ended: (message) => void ended.push(message) }));
    const { fetch } = answering({ resultStatus: 'INVALID_AMOUNT' });
    const error = await rejection(pay({ fetch }));
    expect(ended).toEqual([{ operation: 'initiatePayment', error }]);
  });

  const failing = (): never => {
    throw new Error('a mistake of the instrumentation');
  };

  test.each<readonly [string, Instrumentation]>([
    ['fails itself', failing],
    ['fails to run the call', () => ({ run: failing, attempted: ignore, ended: ignore })],
    [
      'fails once the call runs',
      () => ({ run: (work) => (work(), failing()), attempted: ignore, ended: ignore }),
    ],
    ['fails at an attempt', () => ({ run, attempted: failing, ended: ignore })],
    ['fails at the end', () => ({ run, attempted: ignore, ended: failing })],
    ['does not run the call', () => ({ run: ignore, attempted: ignore, ended: ignore })],
    ['gives nothing', () => undefined as unknown as CallInstrument],
    [
      'runs the call twice',
      () => ({
        run: (work) => {
          work();
          work();
        },
        attempted: ignore,
        ended: ignore,
      }),
    ],
  ])('does not affect the call if it %s, and the call is sent once', async (_title, instrumentation) => {
    instrument(instrumentation);
    const { fetch, requests } = answering(approvedPayment());
    expect((await pay({ fetch })).resultStatus).toBe('APPROVED');
    expect(requests).toHaveLength(1);
  });

  test('replaces the previous one, and ends when it is removed', async () => {
    const told: string[] = [];
    const named =
      (name: string): Instrumentation =>
      () => {
        told.push(name);
        return { run, attempted: ignore, ended: ignore };
      };
    const removeFirst = instrument(named('first'));
    const removeSecond = instrument(named('second'));
    await pay();
    removeFirst();
    await pay();
    expect(told).toEqual(['second', 'second']);
    removeSecond();
    await pay();
    expect(told).toEqual(['second', 'second']);
  });
});

test('the package leaves no subscription behind', () => {
  expect(channel('installment-payments:attempt').hasSubscribers).toBe(false);
});
