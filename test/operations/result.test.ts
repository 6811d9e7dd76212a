import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { AttemptResult } from '../../src/http/failures.js';
import type { Failure } from '../../src/errors/failure.js';
import type { WireResponse } from '../../src/http/transport.js';
import { judgeResult, type ExpectedResult } from '../../src/operations/judge-result.js';
import { responseWith } from '../http/samples.js';

const expected: ExpectedResult = {
  operation: 'initiatePayment',
  referenceId: 'R-1',
  merchantId: 'M-1',
};

/** The verdict on a response, without a network. */
function processed(
  text: string,
  changes: Partial<WireResponse> = {},
  changedExpectation: Partial<ExpectedResult> = {},
) {
  return judgeResult<object>(responseWith({ text, ...changes }), { ...expected, ...changedExpectation });
}

function failedBy(result: AttemptResult<object>): Failure {
  if (result.outcome === 'accepted') throw new Error('a failure was expected');
  return result;
}

describe('the referenceId of a refusal', () => {
  test.each(['', null, undefined, 'R-1'])('can be %j', (referenceId) => {
    const body = JSON.stringify({ referenceId, resultStatus: 'INVALID_AMOUNT' });
    expect(processed(body)).toMatchObject({ outcome: 'rejected', code: 'INVALID_AMOUNT' });
  });

  test.each(['R-2', 7, false, {}])('cannot be %j', (referenceId) => {
    const result = processed(JSON.stringify({ referenceId, resultStatus: 'INVALID_AMOUNT' }));
    expect(result).toMatchObject({ outcome: 'unknown', transient: false });
    expect(failedBy(result).code).toBe('UNEXPECTED_RESPONSE');
  });
});

describe('the merchantId of a response', () => {
  test.each(['', null, undefined, 'M-1'])('can be %j in a refusal', (merchantId) => {
    const body = JSON.stringify({ merchantId, resultStatus: 'INVALID_AMOUNT' });
    expect(processed(body)).toMatchObject({ outcome: 'rejected', code: 'INVALID_AMOUNT' });
  });

  test.each([null, undefined, 'M-1'])('can be %j in an approval', (merchantId) => {
    const body = JSON.stringify({ merchantId, resultStatus: 'APPROVED' });
    expect(processed(body)).toMatchObject({ outcome: 'accepted' });
  });

  test.each([
    ['APPROVED', 'M-2'],
    ['APPROVED', ''],
    ['APPROVED', 7],
    ['INVALID_AMOUNT', 'm-1'],
    ['REQUEST_PROCESSING', 'M-2'],
    ['NEVER_HEARD_OF', 'M-2'],
    [undefined, 'M-2'],
  ])(
    'shows that the response is for something else, if it differs: %s for %j',
    (resultStatus, merchantId) => {
      const result = processed(JSON.stringify({ merchantId, resultStatus }));
      expect(result).toMatchObject({ outcome: 'unknown', transient: false });
      expect(failedBy(result)).toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
      expect(failedBy(result).problem).toContain('the response is for a different merchantId');
    },
  );

  test('is not compared for an upload', () => {
    const body = JSON.stringify({ merchantId: 'M-2', resultStatus: 'APPROVED' });
    const upload = { ...expected, operation: 'uploadInvoice' as const, merchantId: undefined };
    expect(judgeResult(responseWith({ text: body }), upload)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('JSON that is not an object', () => {
  const values = ['12', '[1]', '"text"', 'null', 'true'];

  test.each(values)('counts by its status only if it is complete: %s', (text) => {
    expect(processed(text, { httpStatus: 200 })).toMatchObject({ outcome: 'unknown', transient: false });
    expect(processed(text, { httpStatus: 400 })).toMatchObject({ outcome: 'rejected', transient: false });
    expect(processed(text, { httpStatus: 429 })).toMatchObject({ outcome: 'rejected', transient: true });
    expect(processed(text, { httpStatus: 503 })).toMatchObject({ outcome: 'unknown', transient: true });
  });

  test.each(values)('is a lost response under any status, if it may be incomplete: %s', (text) => {
    for (const bodyState of ['cut', 'ended'] as const) {
      for (const httpStatus of [200, 400, 403, 429, 503]) {
        expect(processed(text, { httpStatus, bodyState })).toMatchObject({
          outcome: 'unknown',
          transient: true,
        });
      }
    }
  });
});

describe('a JSON object', () => {
  test.each(['whole', 'ended', 'cut'] as const)(
    'is complete if it is closed, and its body is %s',
    (bodyState) => {
      const refusal = '{"resultStatus":"INVALID_AMOUNT"}';
      expect(processed(refusal, { bodyState, httpStatus: 500 })).toMatchObject({ outcome: 'rejected' });
      expect(processed('{}', { bodyState, httpStatus: 400 })).toMatchObject({ outcome: 'rejected' });
    },
  );

  test.each([407, 417, 421, 500])('outweighs HTTP %i if its resultStatus is documented', (httpStatus) => {
    expect(processed('{"resultStatus":"APPROVED"}', { httpStatus })).toMatchObject({ outcome: 'accepted' });
  });
});

describe('the record of a response', () => {
  test.each([
    ['7', 'the response is not a JSON object'],
    ['{"referenceId":"R-2"}', 'the response is for a different referenceId'],
    ['{}', 'the response has no resultStatus'],
    ['{"resultStatus":null}', 'resultStatus is not a string, or is empty'],
    ['{"resultStatus":7}', 'resultStatus is not a string, or is empty'],
    ['{"resultStatus":""}', 'resultStatus is not a string, or is empty'],
    ['{"resultStatus":"SETTLED"}', 'undocumented resultStatus'],
    ['{"resultStatus":"INVALID_AMOUNT"}', 'INVALID_AMOUNT'],
  ])('contains a summary: %s is: %s', (text, summary) => {
    expect(processed(text)).toMatchObject({ facts: { summary } });
  });

  test('contains the value of a success, as it was read', () => {
    expect(processed('{"resultStatus":"APPROVED","a":1}', { httpStatus: 201 })).toStrictEqual({
      outcome: 'accepted',
      value: { resultStatus: 'APPROVED', a: 1 },
      resultStatus: 'APPROVED',
    });
  });

  test('contains the problem of an incomplete success, which is final and keeps its status', () => {
    const problemOfApproved = () => 'it has no paymentUrl';
    expect(processed('{"resultStatus":"APPROVED"}', {}, { problemOfApproved })).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      outcome: 'unknown',
      transient: false,
      problem: 'it has no paymentUrl (HTTP 200)',
      facts: { summary: 'it has no paymentUrl', resultStatus: 'APPROVED' },
    });
  });

  test.each([
    ['SETTLED', 'SETTLED'],
    ['two words', 'not shown'],
  ])('shows an undocumented status only if it is a simple word: %s', (resultStatus, shown) => {
    expect(processed(JSON.stringify({ resultStatus, resultMsg: 7 }), { httpStatus: 500 })).toStrictEqual({
      code: 'UNKNOWN_RESULT',
      outcome: 'unknown',
      transient: false,
      problem: `the result status (${shown}) is not documented`,
      facts: { summary: 'undocumented resultStatus', resultStatus, resultMsg: '' },
    });
  });

  test.each([
    ['DOWNSTREAM_ERROR', 'unknown', true],
    ['DUPLICATE_REFERENCE_ID', 'unknown', false],
    ['INVALID_AMOUNT', 'rejected', false],
  ])('follows the table of statuses for a refusal: %s is %s', (resultStatus, outcome, transient) => {
    const result = processed(JSON.stringify({ resultStatus, resultMsg: 'later' }));
    expect(result).toMatchObject({
      code: resultStatus,
      outcome,
      transient,
      problem: resultStatus,
      meaning: expect.stringMatching(/^[A-Z].*\.$/) as string,
      facts: { summary: resultStatus, resultStatus, resultMsg: 'later' },
    });
  });
});

describe('a complete 4xx that mentions resultStatus and has no usable one', () => {
  const json = '{"resultStatus":"REQUEST_PROCESSING"}';
  const utf16be = Buffer.from(json, 'utf16le').swap16();

  test.each<readonly [string, Buffer]>([
    ['in UTF-16, little endian', Buffer.from(json, 'utf16le')],
    ['in UTF-16, big endian', utf16be],
    ['in UTF-16 with a mark', Buffer.concat([Buffer.of(0xfe, 0xff), utf16be])],
    ['in an array', Buffer.from(`[${json}]`)],
    ['in a JSON text', Buffer.from(JSON.stringify(json))],
    ['in another object', Buffer.from(`{"data":${json}}`)],
    ['a number', Buffer.from('{"resultStatus":7}')],
    ['with capitals', Buffer.from('{"ResultStatus":"INVALID_AMOUNT"}')],
    ['with an underscore', Buffer.from('{"result_status":"INVALID_AMOUNT"}')],
    ['with a hyphen', Buffer.from('{"RESULT-STATUS":"INVALID_AMOUNT"}')],
    ['in gzip that no header names', gzipSync(json)],
    ['in deflate that no header names', deflateSync(json)],
    ['in br that no header names', brotliCompressSync(json)],
  ])('is a response that cannot be read, unknown and final: %s', (_name, body) => {
    for (const httpStatus of [400, 408, 429]) {
      expect(processed('', { body, httpStatus })).toMatchObject({ outcome: 'unknown', transient: false });
    }
    expect(processed('', { body, httpStatus: 400, bodyState: 'cut' })).toMatchObject({ outcome: 'unknown' });
  });

  const open = ['APPROVED', 'DUPLICATE_REFERENCE_ID', 'REQUEST_PROCESSING', 'DOWNSTREAM_ERROR'];
  test.each(open)('is unknown and final under any name: %s', (status) => {
    const error = { error: { code: status } };
    for (const value of [error, [status], { errors: [{ status }] }, status, JSON.stringify(error)]) {
      const result = processed(JSON.stringify(value, null, 1), { httpStatus: 409 });
      expect(result).toMatchObject({ outcome: 'unknown', transient: false });
    }
  });

  test.each([
    'REQUEST_PROCESSING',
    'status=DUPLICATE_REFERENCE_ID',
    '<error><code>REQUEST_PROCESSING</code></error>',
    '{"code":"DUPLICATE_REFERENCE_ID: the order exists"}',
    '{"code":"request_processing"}',
    '{"code":"Approved"}',
    JSON.stringify({ first: JSON.stringify({ second: JSON.stringify({ code: 'APPROVED' }) }) }),
  ])('is unknown and final in any notation: %s', (body) => {
    expect(processed(body, { httpStatus: 400 })).toMatchObject({ outcome: 'unknown', transient: false });
  });

  test.each([
    '{"error":{"code":"INVALID_AMOUNT"}}',
    '{"error":{"code":"ERROR_GENERAL"}}',
    '{"error":"NOT_APPROVED"}',
    '{"message":"the result of the status check: APPROVED is not \\"known\\""}',
    '<html><input value="APPROVED"></html>',
  ])('is not assumed for any other word: %s', (body) => {
    expect(processed(body, { httpStatus: 400 })).toMatchObject({ outcome: 'rejected', transient: false });
  });

  test('is not assumed for the page of a gateway in another encoding', () => {
    const body = Buffer.from('<html>Truy c\xe2p b\xe1o l\xf3i</html>', 'latin1');
    expect(processed('', { body, httpStatus: 403 })).toMatchObject({ outcome: 'rejected', transient: false });
  });
});
