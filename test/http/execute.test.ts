import { describe, expect, it } from 'vitest';
import { beforeFirstByte, reportingFailure } from '../../src/http/call.js';
import { Observer } from '../../src/http/observer.js';
import { execute, type Call } from '../../src/http/retry.js';
import { RetryBudget } from '../../src/http/retry-budget.js';
import { startDeadline } from '../../src/http/runtime.js';
import { manualRuntime } from '../helpers/runtime.js';

const fault = new RangeError('a mistake of this package');
const runtime = manualRuntime();
const shared = { runtime, budget: new RetryBudget(), observer: new Observer(console, 'debug', {}) };
const subject = { operation: 'initiatePayment' } as const;
const limits = () => ({
  attemptTimeoutMs: 100,
  maxRetries: 2,
  deadline: startDeadline(1_000, runtime),
  signal: undefined,
});

describe('a fault of this package comes out as it is, and not as a failed connection', () => {
  it('in sending or judging', async () => {
    const call: Call<never> = {
      subject,
      policy: 'idempotent',
      requestTime: () => '',
      send: () => Promise.reject(fault),
      judge: () => {
        throw fault;
      },
      limits: limits(),
    };
    await expect(execute(call, shared)).rejects.toBe(fault);
    const failure = { outcome: 'unknown', transient: true, description: 'x', cause: new Error('x') } as const;
    const judging = { ...call, send: () => Promise.resolve({ kind: 'failure', failure } as const) };
    await expect(execute(judging, shared)).rejects.toBe(fault);
  });

  it('before the first byte', async () => {
    const work = beforeFirstByte(() => Promise.reject(fault), { subject, limits: limits(), shared });
    await expect(work).rejects.toBe(fault);
  });

  it('and is not logged as an outcome of the service', async () => {
    await expect(reportingFailure(Promise.reject(fault), shared)).rejects.toBe(fault);
  });
});
