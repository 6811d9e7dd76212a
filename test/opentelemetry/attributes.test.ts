import { describe, expect, test } from 'vitest';
import type { AttemptMessage, CallMessage } from '../../src/http/diagnostics.js';
import {
  attemptAttributes,
  attemptsOf,
  callAttributes,
  referenceAttributes,
} from '../../src/opentelemetry/attributes.js';
import { sampleError } from '../../src/entries/mock.js';

const attempt = { startedAt: new Date(0), durationMs: 1, requestTime: '', outcome: 'unknown' } as const;
const identity = { operation: 'initiatePayment', httpStatus: 200, referenceId: 'ORDER-1' } as const;

describe('the attributes of a call', () => {
  test('contain the last status of the service, even if a later attempt had no response', () => {
    const metadata = { ...identity, attempts: [{ ...attempt, resultStatus: 'DOWNSTREAM_ERROR' }, attempt] };
    const error = Object.assign(sampleError('TIMEOUT'), { $metadata: metadata });

    expect(callAttributes({ operation: 'initiatePayment', error })).toEqual({
      'installment.outcome': 'unknown',
      'installment.result_status': 'DOWNSTREAM_ERROR',
      'error.type': 'TIMEOUT',
    });
  });

  test('contain nothing without a value: for a foreign error, only that it is an error', () => {
    const message: CallMessage = { operation: 'post', error: new TypeError('a bug') };

    expect(Object.entries(callAttributes(message))).toEqual([
      ['installment.outcome', 'unknown'],
      ['error.type', '_OTHER'],
    ]);
    expect(Object.entries(referenceAttributes(message))).toEqual([]);
    expect(attemptsOf(message)).toBe(0);
  });
});

describe('the attributes of an attempt', () => {
  const message = (origin: string): AttemptMessage => ({
    call: { operation: 'initiatePayment' },
    number: 1,
    attempt,
    subject: { operation: 'initiatePayment' },
    origin,
    request: { method: 'POST', host: '', path: '/v2/payments' },
  });

  test.each([
    ['https://pay.example', 'pay.example', 443],
    ['http://pay.example', 'pay.example', 80],
    ['https://pay.example:8443', 'pay.example', 8443],
    ['http://[::1]:80', '::1', 80],
  ])('contain host and port of %s', (origin, host, port) => {
    expect(attemptAttributes(message(origin))).toMatchObject({
      'server.address': host,
      'server.port': port,
      'url.full': `${origin}/v2/payments`,
    });
  });
});
