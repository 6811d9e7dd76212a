import { describe, expect, it } from 'vitest';
import { AttemptHistory, connectionFailed, timedOut, type CallDescription } from '../../src/http/attempts.js';
import { failureAt } from '../../src/http/classify-failure.js';
import { targetOf } from '../../src/http/transport.js';

const url = new URL('https://pay.example/gateway/v2/payments?token=secret');
const call: CallDescription = {
  subject: { operation: 'initiatePayment', referenceId: 'R-1' },
  target: targetOf(url),
  policy: 'idempotent',
};
const about = { startedAt: new Date(0), durationMs: 1, requestTime: '' };
const reset = Object.assign(new Error('x'), { code: 'ECONNRESET', syscall: 'read' });

describe('the message of an attempt', () => {
  it.each([
    ['connecting', 'not_sent', 'no answer within 1500 ms: still connecting to pay.example:443'],
    ['sending', 'unknown', 'no answer within 1500 ms: still sending the request'],
    ['waiting', 'unknown', 'no answer within 1500 ms: the request was sent, and no answer began'],
    ['receiving', 'unknown', 'no answer within 1500 ms: the answer began and did not end'],
    [undefined, 'unknown', 'no answer within 1500 ms'],
  ] as const)('that timed out while %s is %s, and says so', (phase, outcome, text) => {
    const failed = timedOut(1_500, phase, url);
    expect(failed).toMatchObject({ outcome, transient: true, description: text });
  });

  it.each([
    ['connecting', 'could not connect to pay.example:443 (ECONNRESET)'],
    ['sending', 'connection lost while sending the request (ECONNRESET)'],
    ['waiting', 'connection lost while waiting for the answer (ECONNRESET)'],
    ['receiving', 'connection lost while receiving the answer (ECONNRESET)'],
    ['complete', 'connection lost after the answer (ECONNRESET)'],
  ] as const)('that failed while %s says so, with the call and where it went', (phase, text) => {
    const failed = connectionFailed(failureAt(phase, reset), phase, url);
    const history = new AttemptHistory(call);
    history.add(failed, { ...about, phase });
    const { message } = history.toError(failed);
    expect(message).toContain(`initiatePayment R-1 (POST pay.example/gateway/v2/payments): ${text}. `);
    expect(message).not.toContain('token');
    expect(history.metadata().attempts[0]).toMatchObject({ phase, error: 'ECONNRESET (read)' });
  });

  it('names the port of the URL, and the default one of http', () => {
    const said = (address: string) => timedOut(1, 'connecting', new URL(address)).description;
    expect(said('https://pay.example:8443')).toContain('pay.example:8443');
    expect(said('http://localhost')).toContain('localhost:80');
    expect(said('http://[::1]')).toContain('[::1]:80');
  });
});

describe('retryable', () => {
  const outcomes = ['not_sent', 'rejected', 'unknown'] as const;

  /** The error of a call whose attempts ended so, the last one transient. */
  function errorAfter(policy: CallDescription['policy'], ...ended: readonly (typeof outcomes)[number][]) {
    const history = new AttemptHistory({ ...call, policy });
    const phases = { not_sent: 'connecting', rejected: 'complete', unknown: 'waiting' } as const;
    const failures = ended.map((outcome) => ({
      ...connectionFailed({ ...failureAt(phases[outcome], reset), transient: true }, phases[outcome], url),
      outcome,
    }));
    for (const failed of failures) history.add(failed, about);
    const last = failures.at(-1);
    if (!last) throw new Error('an attempt is needed');
    return history.toError(last);
  }

  it.each(outcomes)('is true after %s where the service knows the request again', (outcome) => {
    expect(errorAfter('idempotent', outcome)).toMatchObject({ outcome, retryable: true });
  });

  it('is false where an earlier attempt may have been acted on, and a repeat could do it twice', () => {
    expect(errorAfter('once', 'not_sent').retryable).toBe(true);
    expect(errorAfter('once', 'rejected').retryable).toBe(true);
    expect(errorAfter('once', 'unknown').retryable).toBe(false);
    expect(errorAfter('once', 'unknown', 'not_sent')).toMatchObject({ outcome: 'unknown', retryable: false });
  });
});
