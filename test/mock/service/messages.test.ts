import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readJsonMessage, recordResponse, shortTextAt } from '../../../src/mock/service/messages.js';

/** The headers of a request that has only these two headers. */
const headersOf = (contentType?: string, key?: string) => ({
  header: (name: string) => ({ 'Content-Type': contentType, 'Idempotency-Key': key })[name],
});
const json = headersOf('application/json');

describe('a JSON body', () => {
  const read = (body: string | Buffer, headers = json) => readJsonMessage(Buffer.from(body), headers);

  test.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    [' [1] ', [1]],
    ['"đồng"', 'đồng'],
  ])('is read if it is %s', (text, value) => {
    const message = read(text, headersOf('Application/JSON; charset=utf-8'));
    expect(message).toMatchObject({ value, problem: undefined });
  });

  test.each([undefined, 'text/plain', 'application/json2'])(
    'is read, and refused for the Content-Type %s',
    (contentType) => {
      const problem = 'The Content-Type is not application/json.';
      expect(read('{}', headersOf(contentType))).toMatchObject({ value: {}, problem });
    },
  );

  test.each(['', '{', '\uFEFF{}'])('%j is refused as not JSON', (text) => {
    expect(read(text)).toMatchObject({ value: undefined, problem: 'The body is not JSON.' });
  });

  test.each([
    ['merchantId=DEMO-MERCHANT&referenceId=R-1', 'The body is a form, not JSON.'],
    ['{"amount": {"value": NaN}}', 'The body contains NaN or Infinity, which JSON does not allow.'],
  ])('%j is refused as not JSON, with a likely mistake', (text, problem) => {
    expect(read(text).problem).toContain(problem);
  });

  test('has no value if it is not UTF-8', () => {
    const message = read(Buffer.of(0x22, 0xff, 0x22));
    expect(message).toMatchObject({ value: undefined, problem: 'The body is not UTF-8.' });
  });
});

describe('the journal entry of a JSON body', () => {
  const recorded = (body: string | Buffer, headers = json) =>
    readJsonMessage(Buffer.from(body), headers).recorded;

  test.each<[string, object]>([
    ['{}', {}],
    ['[1]', {}],
    ['{', {}],
    [
      '{"contractNumber":"C-1","receivedStatus":"SUCCESS","receivedAmount":7}',
      { contractNumber: 'C-1', receivedStatus: 'SUCCESS', amount: 7 },
    ],
    ['{"contractNumber":7,"receivedStatus":null,"receivedAmount":"7"}', {}],
    ['{"amount":{"value":0}}', { amount: 0 }],
    ['{"amount":{"value":"12"}}', {}],
    ['{"amount":{"value":12},"receivedAmount":7}', { amount: 12 }],
    ['{"repaymentTransactions":[{"allocatedTotal":0.1},{"allocatedTotal":0.2}]}', { amount: 0.3 }],
    ['{"repaymentTransactions":[]}', { amount: 0 }],
    ['{"repaymentTransactions":[{"allocatedTotal":1},{}]}', {}],
    ['{"repaymentTransactions":7,"receivedAmount":8}', { amount: 8 }],
  ])('keeps the size, the text and the facts of %s', (body, facts) => {
    expect(recorded(body)).toStrictEqual({ bodyBytes: body.length, body, ...facts });
  });

  test.each([
    ['k-1', { idempotencyKey: 'k-1' }],
    ['', {}],
  ])('keeps the Idempotency-Key %j', (key, facts) => {
    expect(recorded('{}', headersOf('application/json', key))).toStrictEqual({
      bodyBytes: 2,
      body: '{}',
      ...facts,
    });
  });

  test('keeps only the size if the body is not UTF-8', () => {
    expect(recorded(Buffer.of(0xff, 0xff))).toStrictEqual({ bodyBytes: 2 });
  });

  test('keeps the first 16 KiB of the text, and the hash of all of it', () => {
    const body = JSON.stringify('x'.repeat(16 * 1024));
    expect(recorded(body)).toStrictEqual({
      bodyBytes: 16 * 1024 + 2,
      body: body.slice(0, 16 * 1024),
      bodySha256: createHash('sha256').update(body).digest('hex'),
    });
  });
});

describe('the journal entry of a response', () => {
  const headers = { 'content-type': 'text/plain' };

  test('keeps its text and its size in bytes', () => {
    expect(recordResponse({ httpStatus: 200, headers, body: 'đ' })).toStrictEqual({
      headers,
      body: 'đ',
      bodyBytes: 2,
    });
  });

  test('keeps the first 16 KiB of a long text', () => {
    const body = 'x'.repeat(16 * 1024 + 1);
    expect(recordResponse({ httpStatus: 200, headers, body })).toStrictEqual({
      headers,
      body: body.slice(1),
      bodyBytes: 16 * 1024 + 1,
    });
  });
});

describe('the short text at a key', () => {
  test.each<[string, unknown, string | undefined]>([
    ['a text', { a: 'x' }, 'x'],
    ['an empty text', { a: '' }, ''],
    ['256 characters', { a: 'x'.repeat(256) }, 'x'.repeat(256)],
    ['257 characters', { a: 'x'.repeat(257) }, undefined],
    ['a number', { a: 7 }, undefined],
    ['another key', { b: 'x' }, undefined],
    ['an inherited key', Object.create({ a: 'x' }), undefined],
    ['null', null, undefined],
    ['undefined', undefined, undefined],
    ['a text that is not an object', 'a', undefined],
  ])('is found if it exists: %s', (_title, value, text) => {
    expect(shortTextAt(value, 'a')).toBe(text);
  });
});
