import { describe, expect, test, vi } from 'vitest';
import { invalidInput } from '../../src/errors/make-error.js';
import { ConfigurationError } from '../../src/errors/errors.js';
import type { Call } from '../../src/http/call.js';
import { CallState } from '../../src/http/call-state.js';
import { Observer, type Hooks } from '../../src/http/observer.js';
import { startOfCall } from '../../src/http/runtime.js';
import type { Shared } from '../../src/http/shared-resources.js';
import type { Transport } from '../../src/http/transport.js';
import { runCall } from '../../src/operations/run-call.js';
import { manualRuntime } from '../helpers/runtime.js';
import { callWith, responseWith, target } from '../http/samples.js';

const fault = new RangeError('a mistake of this package');
const { subject } = callWith();

const answering: Transport = () =>
  Promise.resolve({ phase: 'complete', response: responseWith({ text: '{}' }) });

function sharing(transport: Transport, hooks: Hooks = {}): Shared {
  const observer = new Observer({ hooks });
  return { runtime: manualRuntime({ skipUpToMs: 10_000 }), observer, transport };
}

/** Runs a call that is already prepared. */
const running = (call: Call<object>, shared: Shared) => runCall('initiatePayment', shared, {}, () => call);

describe('a bug in this package', () => {
  const internal = /internal error of the client \(RangeError\)/;

  test('ends a call that is being prepared as not_sent, without a retry', async () => {
    const prepare = () => {
      throw fault;
    };
    await expect(runCall('post', sharing(answering), {}, prepare)).rejects.toMatchObject({
      code: 'CONNECTION',
      outcome: 'not_sent',
      nextStep: 'fix',
      message: expect.stringMatching(internal) as string,
      cause: { name: 'RangeError', message: fault.message },
    });
    const repeated = runCall('post', sharing(answering), { mayHaveBeenSent: true }, prepare);
    await expect(repeated).rejects.toMatchObject({
      outcome: 'unknown',
      nextStep: 'look_up',
      retryable: false,
    });
  });

  test.each<[string, Transport, Call<object>]>([
    ['where a transport rejects', () => Promise.reject(fault), callWith()],
    [
      'where the response is judged',
      answering,
      callWith({
        judge: () => {
          throw fault;
        },
      }),
    ],
  ])('%s leaves the outcome unknown, and the attempt is recorded', async (_name, transport, call) => {
    await expect(running(call, sharing(transport))).rejects.toMatchObject({
      outcome: 'unknown',
      nextStep: 'look_up',
      message: expect.stringMatching(internal) as string,
      $metadata: { attempts: [{ outcome: 'unknown' }] },
    });
  });

  test('keeps the outcome of the first attempt, if it occurs between two attempts', async () => {
    let attempts = 0;
    const runtime = manualRuntime({ skipUpToMs: 10_000 });
    const random = () => {
      throw fault;
    };
    const lost: Transport = () => {
      attempts += 1;
      return Promise.resolve({
        phase: 'waiting',
        failure: { outcome: 'unknown', transient: true, code: 'X', summary: 'X' },
      });
    };
    const shared = { ...sharing(lost), runtime: { ...runtime, random } };
    await expect(running(callWith(), shared)).rejects.toMatchObject({
      outcome: 'unknown',
      referenceId: 'R-1',
      $metadata: { attempts: [{ error: 'X' }] },
    });
    expect(attempts).toBe(1);
  });
});

describe('the record of a failure', () => {
  test('is written for calls alone', async () => {
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => void lines.push(line);
    const logger = { debug: log, info: log, warn: log, error: log };
    const observer = new Observer({ logger, logLevel: 'debug' });
    observer.failed(new ConfigurationError('maxRetries', 'must be a number'), false);
    const issues = [{ path: [], message: 'must be an object', resultStatus: 'INVALID_REQUEST' }] as const;
    const refused = invalidInput(issues, { operation: 'post' }, { mayHaveBeenSent: true });
    const prepare = () => {
      throw refused;
    };
    const shared = { ...sharing(answering), observer };
    await expect(runCall('post', shared, { mayHaveBeenSent: true }, prepare)).rejects.toBe(refused);
    expect(lines).toEqual([
      [
        'post failed: VALIDATION, outcome not_sent',
        {
          operation: 'post',
          code: 'VALIDATION',
          outcome: 'not_sent',
          retryable: false,
          nextStep: 'look_up',
          mayHaveBeenSent: true,
          attempts: 0,
          issues: 'the request',
        },
      ],
    ]);
  });
});

describe('work within the limits of a call', () => {
  const forever = () => new Promise<never>(() => undefined);
  const unread = new Error('unread');
  const doing = <T>(work: () => Promise<T>, signal?: AbortSignal) => {
    const runtime = manualRuntime();
    const limits = { attemptTimeoutMs: 100, totalTimeoutMs: 1_000, maxRetries: 2, signal };
    const shared = { ...sharing(answering), runtime };
    const callRun = new CallState(callWith({ limits }), startOfCall(runtime), shared);
    return { runtime, result: callRun.within(work, () => unread as never, 'the work') };
  };

  test('returns its value', async () => {
    expect(await doing(() => Promise.resolve(7)).result).toBe(7);
  });

  test('rejects with the error that was chosen for its failure', async () => {
    await expect(doing(() => Promise.reject(fault)).result).rejects.toBe(unread);
  });

  test('is aborted by the caller, and nothing was sent', async () => {
    await expect(doing(forever, AbortSignal.abort()).result).rejects.toMatchObject({
      code: 'ABORTED',
      outcome: 'not_sent',
      retryable: true,
      $metadata: { referenceId: 'R-1', attempts: [] },
    });
  });

  test('ends with the time of the call, and nothing was sent', async () => {
    const { runtime, result } = doing(forever);
    runtime.advance(1_000);
    await expect(result).rejects.toMatchObject({
      code: 'TIMEOUT',
      outcome: 'not_sent',
      message: expect.stringContaining('nothing was sent within the total limit of 1000 ms') as string,
    });
  });
});

describe('a whole call', () => {
  test.each<unknown>([new Error('no row'), 'no row', undefined])(
    'is not sent if beforeSend throws, and what it threw is the cause: %s',
    async (thrown) => {
      const beforeSend = vi.fn().mockRejectedValue(thrown);
      const call = running(callWith(), sharing(answering, { beforeSend }));
      const error: unknown = await call.catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'HOOK',
        outcome: 'not_sent',
        nextStep: 'call_again',
        message:
          'initiatePayment R-1 (POST pay.example/v2/payments): the beforeSend function failed: see error.cause. This ' +
          'call sent nothing, so it is safe to call again; pass mayHaveBeenSent: true if the outcome of an earlier ' +
          'call is unknown.',
        $metadata: { ...subject, request: target, attempts: [] },
      });
      expect((error as Error).cause).toBe(thrown);
      expect(beforeSend.mock.calls).toEqual([[subject]]);
    },
  );

  test('is sent once the hook of the caller allows it', async () => {
    const order: string[] = [];
    const hooks = {
      beforeSend: async () => {
        await Promise.resolve();
        order.push('hook');
      },
      onAttempt: () => void order.push('attempt'),
    };
    expect(await running(callWith(), sharing(answering, hooks))).toEqual({});
    expect(order).toEqual(['hook', 'attempt']);
  });

  test('has its metadata in a property that is neither enumerable nor writable', async () => {
    const result = await running(callWith(), sharing(answering));
    expect(result.$metadata).toMatchObject({ operation: 'initiatePayment', httpStatus: 200 });
    expect(Object.getOwnPropertyDescriptor(result, '$metadata')).toMatchObject({
      enumerable: false,
      configurable: true,
      writable: false,
    });
  });
});
