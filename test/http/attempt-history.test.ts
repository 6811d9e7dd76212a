import { describe, expect, it } from 'vitest';
import { AttemptHistory } from '../../src/http/attempt-history.js';
import {
  abortedBy,
  connectionFailed,
  outOfTime,
  timedOut,
  type Failed,
} from '../../src/http/attempt-result.js';
import type { CallDescription } from '../../src/http/call.js';
import { failureAt } from '../../src/http/classify-failure.js';
import { targetOf } from '../../src/http/transport.js';
import type { ErrorInit } from '../../src/errors/installment-error.js';

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
  ] as const)('names the phase of a time-out: %s is %s', (phase, outcome, text) => {
    const failed = timedOut(1_500, phase, url);
    expect(failed).toMatchObject({ outcome, transient: true, description: text });
  });

  it.each([
    ['connecting', 'could not connect to pay.example:443 (ECONNRESET)'],
    ['sending', 'connection lost while sending the request (ECONNRESET)'],
    ['waiting', 'connection lost while waiting for the answer (ECONNRESET)'],
    ['receiving', 'connection lost while receiving the answer (ECONNRESET)'],
    ['complete', 'connection lost after the answer (ECONNRESET)'],
  ] as const)('names the phase of a failed connection: %s, with the call and its target', (phase, text) => {
    const failed = connectionFailed(failureAt(phase, reset), phase, url);
    const history = new AttemptHistory(call);
    history.add(failed, { ...about, phase });
    const { message } = history.toError(failed);
    expect(message).toContain(`initiatePayment R-1 (POST pay.example/gateway/v2/payments): ${text}. `);
    expect(message).not.toContain('token');
    expect(history.metadata().attempts[0]).toMatchObject({ phase, error: 'ECONNRESET (read)' });
  });

  it('names the port of the URL, or the default port', () => {
    const said = (address: string) => timedOut(1, 'connecting', new URL(address)).description;
    expect(said('https://pay.example:8443')).toContain('pay.example:8443');
    expect(said('http://localhost')).toContain('localhost:80');
    expect(said('http://[::1]')).toContain('[::1]:80');
  });
});

describe('the message of a call', () => {
  const messageOf = (failed: Failed) => new AttemptHistory(call).toError(failed).message;

  it('does not name a phase that is not known', () => {
    const failed = connectionFailed(failureAt('sending', reset), undefined, url);
    expect(messageOf(failed)).toContain(': connection failed (ECONNRESET). ');
  });

  it('says that the caller aborted it', () => {
    expect(messageOf(abortedBy(undefined, 'not_sent'))).toContain(': aborted by the signal of the caller. ');
  });

  it('names the limit within which nothing was sent', () => {
    const failed = outOfTime(45_000);
    expect(failed).toMatchObject({ outcome: 'not_sent', transient: true });
    expect(messageOf(failed)).toContain(': timed out: nothing was sent within the total limit of 45000 ms. ');
  });
});

describe('an aborted attempt', () => {
  it("has a cause with the name of the signal's reason", () => {
    const reason = new DOMException('the shop closed', 'TimeoutError');
    const failed = abortedBy(AbortSignal.abort(reason), 'unknown');
    expect(failed).toMatchObject({
      outcome: 'unknown',
      transient: true,
      description: 'aborted by the caller',
      cause: { name: 'TimeoutError' },
    });
  });
});

describe('the history of a call', () => {
  const accepted = { outcome: 'accepted', value: {}, httpStatus: 200 } as const;
  const refused: Failed = {
    outcome: 'rejected',
    transient: false,
    description: 'INVALID_AMOUNT',
    httpStatus: 400,
    resultStatus: 'INVALID_AMOUNT',
    toError: timedOut(1, undefined, url).toError,
  };
  const lost = connectionFailed(failureAt('waiting', reset), 'waiting', url);

  it('records the known fields of an attempt, and no empty ones', () => {
    const history = new AttemptHistory(call);
    expect(history.add(accepted, about)).toStrictEqual({ ...about, outcome: 'accepted', httpStatus: 200 });
    expect(
      history.add({ ...accepted, resultStatus: 'APPROVED' }, { ...about, phase: 'complete' }),
    ).toStrictEqual({
      ...about,
      phase: 'complete',
      outcome: 'accepted',
      httpStatus: 200,
      resultStatus: 'APPROVED',
    });
    expect(history.add(refused, { ...about, phase: undefined })).toStrictEqual({
      ...about,
      outcome: 'rejected',
      httpStatus: 400,
      resultStatus: 'INVALID_AMOUNT',
      error: 'INVALID_AMOUNT',
    });
    expect(history.add(lost, about)).toStrictEqual({
      ...about,
      outcome: 'unknown',
      error: 'ECONNRESET (read)',
    });
  });

  it('is frozen in attempts and metadata', () => {
    const history = new AttemptHistory(call);
    const attempt = history.add(lost, about);
    const metadata = history.metadata();
    history.add(lost, about);
    expect(metadata.attempts).toEqual([attempt]);
    expect([attempt, metadata, metadata.attempts].every(Object.isFrozen)).toBe(true);
  });

  it('has the HTTP status of the last attempt that had one', () => {
    const history = new AttemptHistory(call);
    history.add(lost, about);
    expect(history.metadata()).not.toHaveProperty('httpStatus');
    history.add({ ...refused, httpStatus: 503 }, about);
    history.add({ ...refused, httpStatus: 429 }, about);
    history.add(lost, about);
    expect(history.metadata().httpStatus).toBe(429);
  });

  it('keeps the worst outcome', () => {
    const history = new AttemptHistory(call);
    const outcomes = [accepted, refused, lost, refused, accepted].map((result) => {
      history.add(result, about);
      return history.outcome;
    });
    expect(outcomes).toEqual(['not_sent', 'rejected', 'unknown', 'unknown', 'unknown']);
  });

  it('gives an error the known fields, and no empty ones', () => {
    const history = new AttemptHistory(call);
    history.add(refused, about);
    const given: ErrorInit[] = [];
    const toError = (init: ErrorInit) => {
      given.push(init);
      return refused.toError(init);
    };
    const cause = new Error('why');
    history.toError({ ...refused, toError });
    history.toError({ ...refused, toError, transient: true, cause }, 250);
    const metadata = history.metadata();
    expect(given).toStrictEqual([
      { outcome: 'rejected', retryable: false, metadata },
      { outcome: 'rejected', retryable: true, metadata, retryAfterMs: 250, cause },
    ]);
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

  it.each(outcomes)('is true after %s if the service can recognise the request', (outcome) => {
    expect(errorAfter('idempotent', outcome)).toMatchObject({ outcome, retryable: true });
  });

  it('is false if a repeat could do twice what an earlier attempt did', () => {
    expect(errorAfter('once', 'not_sent').retryable).toBe(true);
    expect(errorAfter('once', 'rejected').retryable).toBe(true);
    expect(errorAfter('once', 'unknown').retryable).toBe(false);
    expect(errorAfter('once', 'unknown', 'not_sent')).toMatchObject({ outcome: 'unknown', retryable: false });
  });
});
