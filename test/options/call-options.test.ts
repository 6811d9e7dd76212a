import { describe, expect, test } from 'vitest';
import {
  initiatePaymentOptionRules,
  postOptionRules,
  uploadInvoiceOptionRules,
} from '../../src/options/call-options.js';
import { parseCallOptions } from '../../src/operations/parse-input.js';

const header =
  'a string of printable Latin-1 characters that is not empty and has no white space at either end';

describe('the message for a wrong option of a call', () => {
  test.each([
    [initiatePaymentOptionRules, { signal: 7 }, 'must be an AbortSignal, such as AbortSignal.timeout(5000)'],
    [initiatePaymentOptionRules, { idempotencyKey: 7 }, 'must be a string'],
    [
      initiatePaymentOptionRules,
      { sendBefore: 7 },
      'must be a valid Date, such as new Date(Date.now() + 60_000)',
    ],
    [initiatePaymentOptionRules, { idempotencyKey: ' ' }, `must be ${header}`],
    [uploadInvoiceOptionRules, { onUploadProgress: 7 }, 'must be a function'],
    [postOptionRules, { policy: 'twice' }, "must be 'once' or 'idempotent'"],
  ])('says what is expected', (rules, options, message) => {
    expect(parseCallOptions<object>(rules, options)).toMatchObject({
      issues: [{ path: ['options', Object.keys(options)[0]], message }],
    });
  });

  test('contains an example of an object of options', () => {
    expect(parseCallOptions(postOptionRules, 7)).toMatchObject({
      issues: [{ path: ['options'], message: 'must be an object of options, such as { maxRetries: 1 }' }],
    });
  });
});

describe('a refused option of a call', () => {
  test.each<[string, readonly unknown[]]>([
    ['signal', [7, {}, null, { aborted: false }, new EventTarget()]],
    ['attemptTimeoutMs', [0, NaN, 2 ** 31]],
    ['totalTimeoutMs', [-1, '1000']],
    ['maxRetries', [1.5, Infinity]],
    ['mayHaveBeenSent', ['yes', null]],
    ['repeatUnknown', ['no', null]],
    ['sendBefore', [new Date(NaN), '2026-11-20', 60_000, null]],
    ['idempotencyKey', ['', ' key', 'key ', 'a\r\nb', 'a\0', 'khóa-ế', 7, null]],
  ])('is named by its path, and its value is not quoted: %s', (name, values) => {
    for (const value of values) {
      const parsed = parseCallOptions<object>(initiatePaymentOptionRules, { [name]: value });
      expect(parsed).toMatchObject({ issues: [{ path: ['options', name] }] });
      if (name === 'idempotencyKey' && String(value).length > 1)
        expect(JSON.stringify(parsed)).not.toContain(String(value));
    }
  });
});

describe('the options of a call', () => {
  test('copy sendBefore, because the caller can change its Date', () => {
    const sendBefore = new Date();
    const parsed = parseCallOptions<object>(postOptionRules, { sendBefore });
    sendBefore.setTime(0);
    expect(parsed).toMatchObject({ value: { sendBefore: expect.any(Date) as Date } });
    expect(parsed).not.toEqual({ value: { sendBefore } });
  });

  test('accept the last possible Date as sendBefore, for no limit', () => {
    const sendBefore = new Date(8.64e15);
    expect(parseCallOptions<object>(postOptionRules, { sendBefore })).toEqual({ value: { sendBefore } });
  });

  test.each([
    [initiatePaymentOptionRules, { mayHaveBeenSent: true, idempotencyKey: 'a key', headers: { a: 'b' } }],
    [uploadInvoiceOptionRules, { onUploadProgress: () => undefined, signal: new AbortController().signal }],
    [postOptionRules, { policy: 'once', referenceId: 'ORDER-1' }],
    [postOptionRules, { policy: 'idempotent', idempotencyKey: 'a key' }],
  ])('are kept as they are', (rules, options) => {
    expect(parseCallOptions<object>(rules, options)).toEqual({ value: options });
  });

  test('accept a signal of another library that can be listened to', () => {
    const signal = {
      aborted: false,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    };
    expect(parseCallOptions<object>(initiatePaymentOptionRules, { signal })).toHaveProperty('value');
  });
});
