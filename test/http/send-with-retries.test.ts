import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../src/errors/call-metadata.js';
import type { Call } from '../../src/http/call.js';
import { CallState } from '../../src/http/call-state.js';
import { classifyFailure } from '../../src/http/classify-failure.js';
import { Observer } from '../../src/http/observer.js';
import { sendWithRetries } from '../../src/http/retry.js';
import { startOfCall } from '../../src/http/runtime.js';
import type { Transport, TransportResult, WireRequest, WireResponse } from '../../src/http/transport.js';
import { manualRuntime, settle } from '../helpers/runtime.js';
import { systemError } from '../helpers/scripted-failures.js';
import { callWith, responseWith } from './samples.js';

const reset = systemError('ECONNRESET', 'read');

function arrived(text: string, bodyState: WireResponse['bodyState']): WireResponse {
  return responseWith({ httpStatus: 503, headers: ['Retry-After', '7'], text, bodyState });
}

/** Sends a call over a transport that ends each attempt so, at once or when it is stopped. */
function sending({
  ended,
  stopped,
  ...changes
}: {
  readonly ended?: TransportResult;
  readonly stopped?: TransportResult;
  readonly signal?: AbortSignal;
  readonly requestTimeOffset?: number;
  readonly totalTimeoutMs?: number;
  readonly maxRetries?: number;
}) {
  const runtime = manualRuntime();
  const requests: WireRequest[] = [];
  const processed: string[] = [];
  const attempts: Attempt[] = [];
  const { signal, totalTimeoutMs = 1_000, maxRetries = 0, ...own } = changes;
  const request = { headers: { 'X-Own': '1' }, body: Buffer.of() };
  const call: Call<string> = {
    ...callWith(),
    limits: { attemptTimeoutMs: 100, totalTimeoutMs, maxRetries, signal },
    request,
    judge: ({ body }) => {
      const value = Buffer.from(body).toString();
      processed.push(value);
      return { outcome: 'accepted', value };
    },
    ...own,
  };
  const observer = new Observer({ hooks: { onAttempt: (attempt) => void attempts.push(attempt) } });
  const transport: Transport = (sent, { registerStop }) => {
    requests.push(sent);
    return new Promise((resolve) => {
      registerStop(() => {
        resolve(stopped ?? {});
      });
      if (ended) resolve(ended);
    });
  };
  const shared = { runtime, observer, transport };
  const result = sendWithRetries(new CallState(call, startOfCall(runtime), shared), request);
  result.catch(() => undefined);
  return { result, runtime, requests, processed, attempts };
}

describe('an attempt that ended', () => {
  test.each(['whole', 'ended', 'cut', 'too_large'] as const)(
    'has its response judged, which is %s',
    async (bodyState) => {
      const { result, processed } = sending({ ended: { response: arrived('half', bodyState) } });
      expect(await result).toBe('half');
      expect(processed).toEqual(['half']);
    },
  );

  test('has complete JSON judged, even if a failure followed it', async () => {
    const ended = { failure: classifyFailure(reset, 'receiving'), response: arrived('{"a":1}', 'cut') };
    expect(await sending({ ended }).result).toBe('{"a":1}');
  });

  test('is a failure with the status of the response, if only a part of the response arrived', async () => {
    const ended = {
      phase: 'receiving',
      failure: classifyFailure(reset, 'receiving'),
      response: arrived('half', 'cut'),
    } as const;
    const { result, processed } = sending({ ended });
    await expect(result).rejects.toMatchObject({
      code: 'CONNECTION',
      outcome: 'unknown',
      retryAfterMs: 7_000,
      $metadata: { attempts: [{ phase: 'receiving', httpStatus: 503, error: 'ECONNRESET (read)' }] },
    });
    expect(processed).toEqual([]);
  });
});

describe('an attempt that its time limit stopped', () => {
  const timeOut = async (stopped: TransportResult) => {
    const sent = sending({ stopped });
    await settle(2);
    sent.runtime.advance(100);
    await settle(2);
    return sent;
  };

  test('timed out with the status of the response, if a part of it arrived', async () => {
    const { result, processed } = await timeOut({ phase: 'receiving', response: arrived('half', 'cut') });
    await expect(result).rejects.toMatchObject({
      code: 'TIMEOUT',
      outcome: 'unknown',
      retryAfterMs: 7_000,
      $metadata: { httpStatus: 503, attempts: [{ phase: 'receiving', httpStatus: 503 }] },
    });
    expect(processed).toEqual([]);
  });

  test('has complete JSON judged, even if the response did not end', async () => {
    const { result } = await timeOut({ phase: 'receiving', response: arrived('{"a":1}', 'cut') });
    expect(await result).toBe('{"a":1}');
  });

  test('timed out in its phase, if there was no response', async () => {
    const { result } = await timeOut({ phase: 'connecting' });
    await expect(result).rejects.toMatchObject({
      code: 'TIMEOUT',
      outcome: 'not_sent',
      message: expect.stringContaining('still connecting to pay.example:443') as string,
    });
  });
});

describe('an attempt that the caller stopped', () => {
  test('is aborted, whatever has arrived', async () => {
    const stop = new AbortController();
    const stopped = { phase: 'receiving', response: arrived('{"a":1}', 'whole') } as const;
    const { result, processed, runtime } = sending({ stopped, signal: stop.signal });
    await settle(2);
    stop.abort();
    await expect(result).rejects.toMatchObject({ code: 'ABORTED', outcome: 'unknown' });
    expect(processed).toEqual([]);
    expect(runtime.pending()).toEqual([]);
  });

  test('stays aborted, even if its time limit follows at once', async () => {
    const stop = new AbortController();
    const { result, runtime } = sending({ stopped: { phase: 'connecting' }, signal: stop.signal });
    await settle(2);
    stop.abort();
    runtime.advance(100);
    await expect(result).rejects.toMatchObject({ code: 'ABORTED', outcome: 'not_sent' });
  });
});

describe('Request-Time', () => {
  const response = arrived('{}', 'whole');

  test('is sent with the offset that the call asks for', async () => {
    const { result, requests, attempts } = sending({ ended: { response }, requestTimeOffset: 420 });
    await result;
    expect(requests[0]?.headers).toStrictEqual({ 'X-Own': '1', 'Request-Time': '2026-11-20 10:04:05' });
    expect(attempts[0]?.requestTime).toBe('2026-11-20 10:04:05');
  });

  test('is not sent unless the call asks for it', async () => {
    const { result, requests, attempts } = sending({ ended: { response } });
    await result;
    expect(requests[0]?.headers).toStrictEqual({ 'X-Own': '1' });
    expect(attempts[0]?.requestTime).toBe('');
  });
});

test('a wait that would last exactly as long as the time that is left is not begun', async () => {
  const ended = { failure: classifyFailure(reset, 'receiving'), response: arrived('half', 'cut') };
  const { result, runtime } = sending({ ended, maxRetries: 1, totalTimeoutMs: 7_000 });
  await settle(2);
  expect(runtime.pending()).toEqual([]);
  await expect(result).rejects.toMatchObject({ code: 'CONNECTION', retryAfterMs: 7_000 });
});

test('a call that has no time left before its first attempt says that nothing was sent', async () => {
  const { result, requests } = sending({ totalTimeoutMs: 0 });
  await expect(result).rejects.toMatchObject({
    code: 'TIMEOUT',
    outcome: 'not_sent',
    message: expect.stringContaining('nothing was sent within the total limit of 0 ms') as string,
    $metadata: { attempts: [] },
  });
  expect(requests).toEqual([]);
});
