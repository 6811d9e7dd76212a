import { describe, expect, it } from 'vitest';
import { beforeFirstByte, reportingFailure } from '../../src/http/call.js';
import { startLimits } from '../../src/http/call-limits.js';
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
  startLimits({}, { attemptTimeoutMs: 100, totalTimeoutMs: 1_000, maxRetries: 2 }, runtime);

function sharing(transport: Transport): Shared {
  const observer = new Observer({ logger: console, level: 'debug' }, {});
  return { runtime, budget: new RetryBudget(), observer, transport: () => transport };
}

const call = (processResponse: Call<never>['processResponse']): Call<never> => ({
  subject: { operation: 'initiatePayment' },
  target: targetOf(url),
  policy: 'idempotent',
  limits: limits(),
  request: { url, headers: {}, body: Buffer.of() },
  processResponse,
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
  const stop = () => undefined;

  it('in a transport that rejects, or throws', async () => {
    const rejecting = sharing(() => ({ result: Promise.reject(fault), stop }));
    await expect(sendWithRetries(call(neverProcessed), rejecting)).rejects.toBe(fault);
    const throwing = sharing(() => {
      throw fault;
    });
    await expect(sendWithRetries(call(neverProcessed), throwing)).rejects.toBe(fault);
  });

  it('in a transport that cannot be loaded', async () => {
    const unloaded = { ...sharing(() => neverProcessed()), transport: () => Promise.reject(fault) };
    await expect(sendWithRetries(call(neverProcessed), unloaded)).rejects.toBe(fault);
  });

  it('in processing the response', async () => {
    const answering = sharing(() => ({ result: Promise.resolve({ phase: 'complete', response }), stop }));
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
    await expect(reportingFailure(Promise.reject(fault), shared)).rejects.toBe(fault);
    expect(lines).toEqual([]);
  });
});
