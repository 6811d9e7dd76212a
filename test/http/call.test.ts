import { describe, expect, it } from 'vitest';
import { ConfigurationError, ValidationError } from '../../src/errors/errors.js';
import { beforeFirstByte, reportingFailure, runCall, sendCall, withMetadata } from '../../src/http/call.js';
import { startLimits } from '../../src/http/call-limits.js';
import { hookError } from '../../src/http/hook-error.js';
import { Observer } from '../../src/http/observer.js';
import { sendWithRetries, type Call } from '../../src/http/retry.js';
import { type Shared } from '../../src/http/shared.js';
import { RetryBudget } from '../../src/http/retry-budget.js';
import { targetOf, type Transport } from '../../src/http/transport.js';
import { manualRuntime } from '../helpers/runtime.js';

const fault = new RangeError('a mistake of this package');
const runtime = manualRuntime();
const url = new URL('https://pay.example/v2/payments');
const limits = () =>
  startLimits(
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
  limits: limits(),
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

describe('a fault of this package comes out as it is, and not as a failed connection', () => {
  const neverProcessed = () => {
    throw new Error('nothing was to be processed');
  };
  it('in a transport that rejects, or throws', async () => {
    const rejecting = sharing(() => Promise.reject(fault));
    await expect(sendWithRetries(call(neverProcessed), rejecting)).rejects.toBe(fault);
    const throwing = sharing(() => {
      throw fault;
    });
    await expect(sendWithRetries(call(neverProcessed), throwing)).rejects.toBe(fault);
  });

  it('in processing the response', async () => {
    const answering = sharing(() => Promise.resolve({ phase: 'complete', response }));
    const processing = call(() => {
      throw fault;
    });
    await expect(sendWithRetries(processing, answering)).rejects.toBe(fault);
  });

  it('before the first byte', async () => {
    const failing = () => Promise.reject(fault);
    const shared = sharing(() => neverProcessed());
    expect(await beforeFirstByte(failing, call(neverProcessed), shared)).toEqual({ error: fault });
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
      await expect(reportingFailure(Promise.reject(error), shared)).rejects.toBe(error);
    }
    observer.failed(new ConfigurationError('maxRetries', 'must be a number'));
    expect(lines).toEqual([]);
    const refused = new ValidationError(
      [{ path: [], message: 'must be an object', resultStatus: 'INVALID_REQUEST' }],
      { operation: 'post' },
    );
    await expect(reportingFailure(Promise.reject(refused), shared)).rejects.toBe(refused);
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

describe('work before the first byte', () => {
  const forever = () => new Promise<never>(() => undefined);
  const description = {
    subject: { operation: 'initiatePayment', referenceId: 'R-1' },
    target: targetOf(url),
  } as const;
  const shared = sharing(() => {
    throw new Error('nothing was to be sent');
  });
  const before = <T>(work: () => Promise<T>, signal?: AbortSignal) => {
    const own = manualRuntime();
    const defaults = { attemptTimeoutMs: 100, totalTimeoutMs: 1_000, maxRetries: 2, repeatUnknown: true };
    const about = { ...description, policy: 'once', limits: startLimits({ signal }, defaults, own) } as const;
    return { runtime: own, result: beforeFirstByte(work, about, { ...shared, runtime: own }) };
  };

  it('gives its value', async () => {
    expect(await before(() => Promise.resolve(7)).result).toStrictEqual({ value: 7 });
  });

  it('that the caller aborts: nothing was sent', async () => {
    await expect(before(forever, AbortSignal.abort()).result).rejects.toMatchObject({
      code: 'ABORTED',
      outcome: 'not_sent',
      retryable: true,
      $metadata: { referenceId: 'R-1', attempts: [] },
    });
  });

  it('that outlasts the whole call: nothing was sent', async () => {
    const { runtime: own, result } = before(forever);
    own.advance(1_000);
    await expect(result).rejects.toMatchObject({
      code: 'TIMEOUT',
      outcome: 'not_sent',
      message: expect.stringContaining('nothing was sent within the total limit of 1000 ms') as string,
    });
  });

  it('is the hook of the caller, whose error is the cause, without what is sensitive', async () => {
    const told: unknown[] = [];
    const beforeSend = (subject: unknown) => {
      told.push(subject);
      throw new Error('no row for secret-1');
    };
    const observer = new Observer({ logger: undefined, level: 'silent' }, { beforeSend });
    const unsent = call(() => {
      throw new Error('nothing was to be processed');
    });
    const sent = sendCall(unsent, { ...shared, observer });
    const message =
      'initiatePayment (POST pay.example/v2/payments): beforeSend rejected; see the cause. Nothing was sent, so it is ' +
      'safe to call again.';
    await expect(sent).rejects.toMatchObject({
      code: 'HOOK',
      outcome: 'not_sent',
      retryable: true,
      message,
      cause: { message: 'no row for [redacted]' },
    });
    expect(told).toEqual([{ operation: 'initiatePayment' }]);
    const error = hookError('headers', new Error('x'), { ...description, policy: 'once' }, []);
    expect(error.$metadata).toStrictEqual({
      operation: 'initiatePayment',
      referenceId: 'R-1',
      request: targetOf(url),
      attempts: [],
    });
  });
});

describe('a whole call', () => {
  const shared = sharing(() => Promise.resolve({ response }));
  const accepted: Call<object> = {
    ...call(() => {
      throw new Error('replaced');
    }),
    processResponse: () => ({ outcome: 'accepted', value: { paid: true }, httpStatus: 200 }),
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
    const { value } = await sendCall(accepted, { ...shared, observer });
    expect(value).toEqual({ paid: true });
    expect(order).toEqual(['hook', 'attempt']);
  });

  it('has its metadata in a property that is neither listed nor written to', async () => {
    const completed = await sendCall(accepted, shared);
    const result = withMetadata(completed);
    expect(result).toBe(completed.value);
    expect(Object.getOwnPropertyDescriptor(result, '$metadata')).toStrictEqual({
      value: completed.metadata,
      enumerable: false,
      configurable: true,
      writable: false,
    });
  });

  it('works with the context of its client, where nobody listens', async () => {
    const context = { shared };
    const seen: unknown[] = [];
    await runCall('initiatePayment', context, async (given) => {
      seen.push(given);
      return withMetadata(await sendCall(accepted, shared));
    });
    expect(seen[0]).toBe(context);
  });
});
