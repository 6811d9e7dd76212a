import { describe, expect, it } from 'vitest';
import { ConfigurationError, ValidationError, type HookError } from '../../src/errors/errors.js';
import { askCaller, withinTerms } from '../../src/http/ask-caller.js';
import { startTerms, type Call } from '../../src/http/call.js';
import { Observer } from '../../src/http/observer.js';
import { sendWithRetries } from '../../src/http/retry.js';
import type { Shared } from '../../src/http/shared-resources.js';
import { RetryBudget } from '../../src/http/retry-budget.js';
import { targetOf, type Transport } from '../../src/http/transport.js';
import { runCall } from '../../src/operations/run-call.js';
import { manualRuntime } from '../helpers/runtime.js';

const fault = new RangeError('a mistake of this package');
const runtime = manualRuntime();
const url = new URL('https://pay.example/v2/payments');
const terms = () =>
  startTerms(
    {},
    { attemptTimeoutMs: 100, totalTimeoutMs: 1_000, maxRetries: 2, repeatUnknown: true },
    runtime,
  );

function sharing(transport: Transport): Shared {
  const observer = new Observer({ logger: console, level: 'debug' }, {});
  return { runtime, budget: new RetryBudget({}, runtime.monotonicMs), observer, transport };
}

const call = (processResponse: Call<never>['processResponse']): Call<never> => ({
  subject: { operation: 'initiatePayment' },
  target: targetOf(url),
  policy: 'idempotent',
  terms: terms(),
  request: { url, headers: {}, body: Buffer.of() },
  processResponse,
  sensitive: () => ['secret-1'],
});

const response = {
  httpStatus: 200,
  isRedirect: false,
  retryAfter: undefined,
  body: Buffer.from('{}'),
  bodyState: 'whole',
} as const;

/** Runs a call that is prepared already, or cannot be. */
const run = <T extends object>(prepared: Call<T> | Promise<never>, shared: Shared) =>
  runCall('initiatePayment', shared, () => prepared);

describe('a fault of this package is rethrown as it is, and is not reported as a failed connection', () => {
  const neverProcessed = () => {
    throw new Error('nothing was to be processed');
  };

  it('where a transport rejects or throws', async () => {
    const rejecting = sharing(() => Promise.reject(fault));
    await expect(sendWithRetries(call(neverProcessed), rejecting)).rejects.toBe(fault);
    const throwing = sharing(() => {
      throw fault;
    });
    await expect(sendWithRetries(call(neverProcessed), throwing)).rejects.toBe(fault);
  });

  it('where the response is processed', async () => {
    const answering = sharing(() => Promise.resolve({ phase: 'complete', response }));
    const processing = call(() => {
      throw fault;
    });
    await expect(sendWithRetries(processing, answering)).rejects.toBe(fault);
  });

  it('and is not logged as an outcome of the service', async () => {
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => void lines.push(line);
    const observer = new Observer(
      { logger: { debug: log, info: log, warn: log, error: log }, level: 'debug' },
      {},
    );
    const shared = { ...sharing(() => neverProcessed()), observer };
    const disguised = Object.assign(new RangeError('x'), { $metadata: { operation: 'post', attempts: [] } });
    for (const error of [fault, disguised]) {
      await expect(run(Promise.reject(error), shared)).rejects.toBe(error);
    }
    observer.failed(new ConfigurationError('maxRetries', 'must be a number'));
    expect(lines).toEqual([]);
    const refused = new ValidationError(
      [{ path: [], message: 'must be an object', resultStatus: 'INVALID_REQUEST' }],
      { operation: 'post' },
    );
    await expect(run(Promise.reject(refused), shared)).rejects.toBe(refused);
    expect(lines).toEqual([
      [
        'post failed: VALIDATION, outcome not_sent',
        {
          operation: 'post',
          code: 'VALIDATION',
          outcome: 'not_sent',
          retryable: false,
          attempts: 0,
          issues: 'the request',
        },
      ],
    ]);
  });
});

describe('work within the terms of a call', () => {
  const forever = () => new Promise<never>(() => undefined);
  const description = {
    subject: { operation: 'initiatePayment', referenceId: 'R-1' },
    target: targetOf(url),
  } as const;
  const unread = new ValidationError([], { operation: 'uploadInvoice' });
  const doing = <T>(work: () => Promise<T>, signal?: AbortSignal) => {
    const own = manualRuntime();
    const defaults = { attemptTimeoutMs: 100, totalTimeoutMs: 1_000, maxRetries: 2, repeatUnknown: true };
    const about = { ...description, policy: 'once', terms: startTerms({ signal }, defaults, own) } as const;
    return { runtime: own, result: withinTerms(work, about, own, () => unread) };
  };

  it('returns its value', async () => {
    expect(await doing(() => Promise.resolve(7)).result).toBe(7);
  });

  it('that fails has the error that was chosen for it', async () => {
    await expect(doing(() => Promise.reject(fault)).result).rejects.toBe(unread);
  });

  it('is aborted by the caller, and nothing was sent', async () => {
    await expect(doing(forever, AbortSignal.abort()).result).rejects.toMatchObject({
      code: 'ABORTED',
      outcome: 'not_sent',
      retryable: true,
      $metadata: { referenceId: 'R-1', attempts: [] },
    });
  });

  it('ends with the time of the call, and nothing was sent', async () => {
    const { runtime: own, result } = doing(forever);
    own.advance(1_000);
    await expect(result).rejects.toMatchObject({
      code: 'TIMEOUT',
      outcome: 'not_sent',
      message: expect.stringContaining('nothing was sent within the total limit of 1000 ms') as string,
    });
  });

  it('may be a function of the caller, whose error is the cause, without sensitive texts', async () => {
    const told: unknown[] = [];
    const beforeSend = (subject: unknown) => {
      told.push(subject);
      throw new Error('no row for secret-1');
    };
    const unsent = call(() => {
      throw new Error('nothing was to be processed');
    });
    const transport = () => {
      throw new Error('nothing was to be sent');
    };
    const observer = new Observer({ logger: undefined, level: 'silent' }, { beforeSend });
    const message =
      'initiatePayment (POST pay.example/v2/payments): beforeSend rejected; see the cause. Nothing was sent by this ' +
      'call, so it is safe to call again; pass mayHaveBeenSent: true if an earlier call of this request ended unknown.';
    await expect(run(unsent, { ...sharing(transport), observer })).rejects.toMatchObject({
      code: 'HOOK',
      outcome: 'not_sent',
      retryable: true,
      message,
      cause: { message: 'no row for [redacted]' },
    });
    expect(told).toEqual([{ operation: 'initiatePayment' }]);
    const failing = { ...unsent, ...description };
    const asked = askCaller('headers', () => Promise.reject(new Error('x')), failing, runtime);
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining('headers rejected') as string,
    });
    const error: unknown = await asked.catch((reason: unknown) => reason);
    expect((error as HookError).$metadata).toStrictEqual({
      operation: 'initiatePayment',
      referenceId: 'R-1',
      request: targetOf(url),
      attempts: [],
    });
  });
});

describe('a whole call', () => {
  const shared = sharing(() => Promise.resolve({ response }));
  const value = { paid: true };
  const accepted: Call<object> = {
    ...call(() => {
      throw new Error('replaced');
    }),
    processResponse: () => ({ outcome: 'accepted', value, httpStatus: 200 }),
  };

  it('is sent once the hook of the caller allows it', async () => {
    const order: string[] = [];
    const hooks = {
      beforeSend: async () => {
        await Promise.resolve();
        order.push('hook');
      },
      onAttempt: () => void order.push('attempt'),
    };
    const observer = new Observer({ logger: undefined, level: 'silent' }, hooks);
    expect(await run(accepted, { ...shared, observer })).toEqual({ paid: true });
    expect(order).toEqual(['hook', 'attempt']);
  });

  it('has its metadata in a property that is neither listed nor written to', async () => {
    const result = await run(accepted, shared);
    expect(result).toBe(value);
    expect(result.$metadata).toMatchObject({ operation: 'initiatePayment', httpStatus: 200 });
    expect(Object.getOwnPropertyDescriptor(result, '$metadata')).toMatchObject({
      enumerable: false,
      configurable: true,
      writable: false,
    });
  });
});
