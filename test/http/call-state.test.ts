import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeError } from '../../src/errors/make-error.js';
import type { Failure } from '../../src/errors/failure.js';
import {
  abortedBy,
  connectionFailed,
  internalFailure,
  totalLimitPassed,
  timedOut,
  sendBeforePassed,
} from '../../src/http/failures.js';
import { classifyFailure } from '../../src/http/classify-failure.js';
import { systemError } from '../helpers/scripted-failures.js';
import { callWith, responseWith, runOf } from './samples.js';

const url = new URL('https://pay.example/v2/payments');
const about = { startedAt: new Date(0), durationMs: 1, requestTime: '' };
const reset = systemError('ECONNRESET', 'read');

describe('the message of an attempt', () => {
  test.each([
    ['connecting', 'not_sent', 'no response within 1500 ms: still connecting to pay.example:443'],
    ['sending', 'unknown', 'no response within 1500 ms: still sending the request'],
    ['waiting', 'unknown', 'no response within 1500 ms: the request was sent, but no response began'],
    ['receiving', 'unknown', 'no response within 1500 ms: the response began, but was not complete'],
    [undefined, 'unknown', 'no response within 1500 ms'],
  ] as const)('names the phase of a time-out: %s is %s', (phase, outcome, text) => {
    const failed = timedOut(1_500, phase, url);
    expect(failed).toMatchObject({ outcome, transient: true, problem: text });
  });

  test.each([
    ['connecting', 'could not connect to pay.example:443 (ECONNRESET)'],
    ['sending', 'connection lost while sending the request (ECONNRESET)'],
    ['waiting', 'connection lost while waiting for the response (ECONNRESET)'],
    ['receiving', 'connection lost while receiving the response (ECONNRESET)'],
    ['complete', 'connection lost after the response (ECONNRESET)'],
  ] as const)('names the phase of a failed connection: %s, with the call and its target', (phase, text) => {
    const failed = connectionFailed(classifyFailure(reset, phase), phase, url);
    const history = runOf();
    history.recordAttempt(failed, { ...about, phase });
    const { message } = makeError(failed, history);
    expect(message).toContain(`initiatePayment R-1 (POST pay.example/v2/payments): ${text}. `);
    expect(history.metadata.attempts[0]).toMatchObject({ phase, error: 'ECONNRESET (read)' });
  });

  test('names the port of the URL, or the default port', () => {
    const said = (address: string) => timedOut(1, 'connecting', new URL(address)).problem;
    expect(said('https://pay.example:8443')).toContain('pay.example:8443');
    expect(said('http://localhost')).toContain('localhost:80');
    expect(said('http://[::1]')).toContain('[::1]:80');
  });
});

describe('the message of a call', () => {
  const messageOf = (failed: Failure) => makeError(failed, runOf()).message;

  test('does not name an unknown phase', () => {
    const failed = connectionFailed(classifyFailure(reset, 'sending'), undefined, url);
    expect(messageOf(failed)).toContain(': connection failed (ECONNRESET). ');
  });

  test('says that the caller aborted it', () => {
    expect(messageOf(abortedBy(undefined, 'not_sent'))).toContain(': aborted by the signal of the caller. ');
  });

  test('names the clock by which sendBefore has passed, and lets a later call send the same request', () => {
    const failed = sendBeforePassed('monotonic');
    expect(failed).toMatchObject({ outcome: 'not_sent', transient: true });
    expect(messageOf(failed)).toContain(
      ': sendBefore has passed (by the monotonic clock): call again with a new sendBefore. ',
    );
  });

  test.each([
    [{ problem: 'DOWNSTREAM_ERROR', meaning: 'A time-out.' }, 'DOWNSTREAM_ERROR. A time-out. '],
    [{ problem: 'the response is not JSON' }, 'the response is not JSON. '],
  ])('states the number of attempts before its problem, and then its meaning: %j', (words, text) => {
    const history = runOf();
    const failure = { ...totalLimitPassed(1), ...words };
    history.recordAttempt(failure, about);
    history.recordAttempt(failure, about);
    expect(makeError(failure, history).message).toContain(` failed after 2 attempts: ${text}`);
  });

  test('names the time limit within which nothing was sent', () => {
    const failed = totalLimitPassed(45_000);
    expect(failed).toMatchObject({ outcome: 'not_sent', transient: true });
    expect(messageOf(failed)).toContain(': timed out: nothing was sent within the total limit of 45000 ms. ');
  });
});

describe('an aborted attempt', () => {
  test("has the signal's reason as its cause, untouched", () => {
    const reason = new DOMException('the shop closed', 'TimeoutError');
    expect(abortedBy({ reason }, 'unknown').facts.cause).toBe(reason);
  });
});

describe('the history of a call', () => {
  const accepted = { outcome: 'accepted', value: {} } as const;
  const refused: Failure = {
    code: 'INVALID_AMOUNT',
    outcome: 'rejected',
    transient: false,
    problem: 'INVALID_AMOUNT',
    meaning: 'The payment amount is invalid.',
    facts: { summary: 'INVALID_AMOUNT', resultStatus: 'INVALID_AMOUNT' },
  };
  const responded = (httpStatus: number, ...headers: string[]) => responseWith({ httpStatus, headers });
  const lost = connectionFailed(classifyFailure(reset, 'waiting'), 'waiting', url);

  test('records the known fields of an attempt, and no empty ones', () => {
    const history = runOf();
    const recorded = (...given: Parameters<typeof history.recordAttempt>) => {
      history.recordAttempt(...given);
      return history.attempts.at(-1);
    };
    expect(recorded(accepted, about)).toStrictEqual({ ...about, outcome: 'accepted' });
    expect(
      recorded(
        { ...accepted, resultStatus: 'APPROVED' },
        { ...about, phase: 'complete', response: responded(200) },
      ),
    ).toStrictEqual({
      ...about,
      phase: 'complete',
      outcome: 'accepted',
      httpStatus: 200,
      resultStatus: 'APPROVED',
    });
    expect(recorded(refused, { ...about, phase: undefined, response: responded(400) })).toStrictEqual({
      ...about,
      outcome: 'rejected',
      httpStatus: 400,
      resultStatus: 'INVALID_AMOUNT',
      error: 'INVALID_AMOUNT',
    });
    expect(recorded(lost, about)).toStrictEqual({
      ...about,
      outcome: 'unknown',
      error: 'ECONNRESET (read)',
    });
  });

  test('is frozen in attempts and metadata', () => {
    const history = runOf();
    history.recordAttempt(lost, about);
    const metadata = history.metadata;
    history.recordAttempt(lost, about);
    expect(metadata.attempts).toEqual(history.attempts.slice(0, 1));
    expect([metadata.attempts[0], metadata, metadata.attempts].every(Object.isFrozen)).toBe(true);
  });

  test('has the HTTP status of the last attempt that had one', () => {
    const history = runOf();
    history.recordAttempt(lost, about);
    expect(history.metadata).not.toHaveProperty('httpStatus');
    history.recordAttempt(refused, { ...about, response: responded(503) });
    history.recordAttempt(refused, { ...about, response: responded(429) });
    history.recordAttempt(lost, about);
    expect(history.metadata.httpStatus).toBe(429);
    expect(makeError(lost, history).httpStatus).toBe(429);
  });

  test('contains the headers of the last response, which JSON and inspection do not show', () => {
    const history = runOf();
    expect(history.metadata).not.toHaveProperty('responseHeaders');
    history.recordAttempt(refused, { ...about, response: responded(503, 'X-Old', '1') });
    const headers = ['X-Request-Id', 'r-1', 'Via', 'a', 'via', 'b', 'X-Long', 'x'.repeat(2_000)];
    const others = Array.from({ length: 60 }, (_, index) => [`X-${String(index)}`, '1']).flat();
    history.recordAttempt(refused, { ...about, response: responded(429, ...headers, ...others) });
    history.recordAttempt(lost, about);
    const error = makeError(lost, history);
    const { responseHeaders = {} } = error.$metadata ?? {};
    expect(responseHeaders).toMatchObject({ 'x-request-id': 'r-1', via: 'a, b' });
    expect(responseHeaders['x-long']).toHaveLength(1024);
    expect(Object.keys(responseHeaders)).toHaveLength(50);
    const shown = inspect(error, { depth: Infinity, showHidden: true });
    expect(JSON.stringify(error) + shown).not.toContain('r-1');
  });

  test('keeps the worst outcome', () => {
    const history = runOf();
    const outcomes = [refused, lost, refused].map((result) => {
      history.recordAttempt(result, about);
      return history.outcome;
    });
    expect(outcomes).toEqual(['rejected', 'unknown', 'unknown']);
  });

  test('is unknown for a call that fails although its attempt was accepted', () => {
    const history = runOf();
    history.recordAttempt(accepted, about);
    expect(makeError(internalFailure(new Error('late'), 'not_sent'), history)).toMatchObject({
      outcome: 'unknown',
      nextStep: 'look_up',
    });
  });
});

describe('retryable', () => {
  const outcomes = ['not_sent', 'rejected', 'unknown'] as const;

  /** The error of a call whose attempts ended in this way, with a transient last attempt. */
  function errorAfter(policy: 'idempotent' | 'once', ...ended: readonly (typeof outcomes)[number][]) {
    const history = runOf(callWith({ policy }));
    const phases = { not_sent: 'connecting', rejected: 'complete', unknown: 'waiting' } as const;
    const failures = ended.map((outcome) => ({
      ...connectionFailed(
        { ...classifyFailure(reset, phases[outcome]), transient: true },
        phases[outcome],
        url,
      ),
      outcome,
    }));
    for (const failed of failures) history.recordAttempt(failed, about);
    const last = failures.at(-1);
    if (!last) throw new Error('an attempt is needed');
    return makeError(last, history);
  }

  test.each(outcomes)('is true after %s if the service can recognise the request', (outcome) => {
    expect(errorAfter('idempotent', outcome)).toMatchObject({ outcome, retryable: true });
  });

  test('is false if a repeat could do again what an earlier attempt did', () => {
    expect(errorAfter('once', 'not_sent').retryable).toBe(true);
    expect(errorAfter('once', 'rejected').retryable).toBe(true);
    expect(errorAfter('once', 'unknown').retryable).toBe(false);
    expect(errorAfter('once', 'unknown', 'not_sent')).toMatchObject({ outcome: 'unknown', retryable: false });
  });
});
