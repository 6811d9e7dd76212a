import { afterEach, describe, expect, it } from 'vitest';
import { recordingServer, type RecordingServer } from '../helpers/recording-server.js';
import { approvedPayment, demoClient, paymentRequest } from '../helpers/samples.js';
import { failure } from './failure.js';

let server: RecordingServer | undefined;
afterEach(() => server?.close());

async function serve(): Promise<RecordingServer> {
  server = await recordingServer({ body: approvedPayment() });
  return server;
}

const fail = (): never => {
  throw new Error('odd');
};

/** A signal whose named members begin to throw after so many uses. */
function odd(failing: readonly string[], uses: number): AbortSignal {
  const used = new Map<unknown, number>();
  return new Proxy(new AbortController().signal, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      const count = (used.get(name) ?? 0) + 1;
      used.set(name, count);
      const mayFail = typeof name === 'string' && failing.includes(name) && count > uses;
      if (typeof value === 'function') return mayFail ? fail : (value.bind(target) as unknown);
      return mayFail ? fail() : value;
    },
  });
}

describe('a signal that cannot be used', () => {
  it.each([
    [['addEventListener']],
    [['removeEventListener']],
    [['aborted']],
    [['addEventListener', 'removeEventListener', 'aborted', 'reason']],
  ])('is a ValidationError before anything is sent, if it throws in %j', async (failing) => {
    const { url, requests } = await serve();
    const signal = odd(failing, 0);
    const error = await failure(demoClient({ baseUrl: url }).initiatePayment(paymentRequest(), { signal }));
    expect(error).toMatchObject({
      code: 'VALIDATION',
      outcome: 'not_sent',
      issues: [{ path: ['options', 'signal'] }],
    });
    expect(requests).toHaveLength(0);
  });

  it('does not end a call if its class cannot be read', async () => {
    const { url } = await serve();
    const signal = new Proxy(odd([], 0), { getPrototypeOf: fail });
    const payment = await demoClient({ baseUrl: url }).initiatePayment(paymentRequest(), { signal });
    expect(payment.resultStatus).toBe('APPROVED');
  });

  it.each([2, 3, 4, 5])('does not lose an answer if all of its members throw after %i uses', async (uses) => {
    const { url } = await serve();
    const signal = odd(['addEventListener', 'removeEventListener', 'aborted', 'reason'], uses);
    const payment = await demoClient({ baseUrl: url }).initiatePayment(paymentRequest(), { signal });
    expect(payment.resultStatus).toBe('APPROVED');
  });
});
