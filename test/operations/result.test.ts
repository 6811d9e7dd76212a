import { describe, expect, it } from 'vitest';
import type { Failed } from '../../src/http/attempt-result.js';
import type { WireResponse } from '../../src/http/transport.js';
import { processResult, type ExpectedResult } from '../../src/operations/process-result.js';

const expected: ExpectedResult<object> = {
  operation: 'initiatePayment',
  referenceId: 'R-1',
  merchantId: 'M-1',
  mayHaveBeenSent: false,
  read: (approved) => ({ value: approved }),
};

function whole(text: string): WireResponse {
  return {
    httpStatus: 200,
    isRedirect: false,
    retryAfter: undefined,
    body: Buffer.from(text),
    bodyState: 'whole',
  };
}

/** The judgement of a response, without a network. */
function processed(
  text: string,
  changes: Partial<WireResponse> = {},
  changedExpectation: Partial<ExpectedResult<object>> = {},
) {
  return processResult({ ...whole(text), ...changes }, { ...expected, ...changedExpectation });
}

const errorOf = (result: object) =>
  (result as Failed).toError({ outcome: (result as Failed).outcome, retryable: false });

describe('a response that is a redirect', () => {
  it.each([200, 307])('is unknown, whatever its body: %i', (httpStatus) => {
    const result = processed('{"resultStatus":"APPROVED"}', { isRedirect: true, httpStatus });
    expect(result).toMatchObject({ outcome: 'unknown', transient: false });
    expect(errorOf(result)).toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    expect(errorOf(result).message).toContain('a redirect, which is never followed');
  });
});

describe('the referenceId of a refusal', () => {
  it.each(['', null, undefined, 'R-1'])('may be %j', (referenceId) => {
    const body = JSON.stringify({ referenceId, resultStatus: 'INVALID_AMOUNT' });
    expect(processed(body)).toMatchObject({ outcome: 'rejected', resultStatus: 'INVALID_AMOUNT' });
  });

  it.each(['R-2', 7, false, {}])('cannot be %j', (referenceId) => {
    const result = processed(JSON.stringify({ referenceId, resultStatus: 'INVALID_AMOUNT' }));
    expect(result).toMatchObject({ outcome: 'unknown', transient: false });
    expect(result).not.toHaveProperty('resultStatus');
  });
});

describe('the merchantId of an answer', () => {
  it.each(['', null, undefined, 'M-1'])('may be %j in a refusal', (merchantId) => {
    const body = JSON.stringify({ merchantId, resultStatus: 'INVALID_AMOUNT' });
    expect(processed(body)).toMatchObject({ outcome: 'rejected', resultStatus: 'INVALID_AMOUNT' });
  });

  it.each([null, undefined, 'M-1'])('may be %j in an approval', (merchantId) => {
    const body = JSON.stringify({ merchantId, resultStatus: 'APPROVED' });
    expect(processed(body)).toMatchObject({ outcome: 'accepted' });
  });

  it.each([
    ['APPROVED', 'M-2'],
    ['APPROVED', ''],
    ['APPROVED', 7],
    ['INVALID_AMOUNT', 'm-1'],
    ['REQUEST_PROCESSING', 'M-2'],
    ['NEVER_HEARD_OF', 'M-2'],
    [undefined, 'M-2'],
  ])('that differs makes it an answer to something else: %s for %j', (resultStatus, merchantId) => {
    const result = processed(JSON.stringify({ merchantId, resultStatus }));
    expect(result).toMatchObject({ outcome: 'unknown', transient: false });
    expect(errorOf(result)).toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    expect(errorOf(result).message).toContain('the response is for another merchantId');
  });

  it('is not compared for an upload', () => {
    const body = JSON.stringify({ merchantId: 'M-2', resultStatus: 'APPROVED' });
    const upload = { ...expected, operation: 'uploadInvoice' as const, merchantId: undefined };
    expect(processResult(whole(body), upload)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('JSON that is not an object', () => {
  const values = ['12', '[1]', '"text"', 'null', 'true'];

  it.each(values)('that is whole counts by its status only: %s', (text) => {
    expect(processed(text, { httpStatus: 200 })).toMatchObject({ outcome: 'unknown', transient: false });
    expect(processed(text, { httpStatus: 400 })).toMatchObject({ outcome: 'rejected', transient: false });
    expect(processed(text, { httpStatus: 429 })).toMatchObject({ outcome: 'rejected', transient: true });
    expect(processed(text, { httpStatus: 503 })).toMatchObject({ outcome: 'unknown', transient: true });
  });

  it.each(values)('that may have been cut is a lost answer under any status: %s', (text) => {
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

describe('a body that is not JSON', () => {
  it.each<readonly [string, WireResponse['bodyState'], number, 'rejected' | 'unknown', boolean]>([
    ['', 'whole', 403, 'rejected', false],
    ['', 'ended', 403, 'unknown', true],
    ['', 'cut', 403, 'unknown', true],
    ['<html>', 'whole', 403, 'rejected', false],
    ['<html>', 'ended', 403, 'unknown', true],
    ['<html>', 'whole', 429, 'rejected', true],
    ['<html>', 'ended', 429, 'unknown', true],
    ['<html>', 'cut', 429, 'unknown', true],
    ['<html>', 'too_large', 403, 'unknown', true],
    ['<html>', 'whole', 421, 'unknown', false],
    ['<html>', 'whole', 407, 'unknown', false],
    ['{"resultStatus":', 'whole', 403, 'unknown', true],
  ])('%j, %s, under %i is %s, transient: %s', (text, bodyState, httpStatus, outcome, transient) => {
    expect(processed(text, { bodyState, httpStatus })).toMatchObject({ outcome, transient });
  });
});

describe('a JSON object', () => {
  it.each(['whole', 'ended', 'cut'] as const)('that is closed is complete if its body is %s', (bodyState) => {
    const refusal = '{"resultStatus":"INVALID_AMOUNT"}';
    expect(processed(refusal, { bodyState, httpStatus: 500 })).toMatchObject({ outcome: 'rejected' });
    expect(processed('{}', { bodyState, httpStatus: 400 })).toMatchObject({ outcome: 'rejected' });
  });

  it.each([407, 417, 421, 500])('with a documented resultStatus outweighs HTTP %i', (httpStatus) => {
    expect(processed('{"resultStatus":"APPROVED"}', { httpStatus })).toMatchObject({ outcome: 'accepted' });
  });
});

describe('the record of a response', () => {
  it.each([
    ['7', 'the response is not a JSON object'],
    ['{"referenceId":"R-2"}', 'the response is for another referenceId'],
    ['{}', 'the response has no resultStatus'],
    ['{"resultStatus":null}', 'resultStatus is not a string, or is empty'],
    ['{"resultStatus":7}', 'resultStatus is not a string, or is empty'],
    ['{"resultStatus":""}', 'resultStatus is not a string, or is empty'],
    ['{"resultStatus":"SETTLED"}', 'undocumented resultStatus'],
    ['{"resultStatus":"INVALID_AMOUNT"}', 'INVALID_AMOUNT'],
  ])('of %s is: %s', (text, description) => {
    expect(processed(text)).toMatchObject({ description });
  });

  it('of JSON that is not an object, and may be cut, is lost', () => {
    expect(processed('7', { bodyState: 'ended' })).toMatchObject({
      description: 'the response is not a JSON object',
      transient: true,
    });
  });

  it('of a success is its value, as it was read', () => {
    expect(processed('{"resultStatus":"APPROVED","a":1}', { httpStatus: 201 })).toStrictEqual({
      outcome: 'accepted',
      value: { resultStatus: 'APPROVED', a: 1 },
      httpStatus: 201,
      resultStatus: 'APPROVED',
    });
  });

  it('of an incomplete success names the problem, keeps its status and is final', () => {
    const read = () => ({ problem: 'it has no paymentUrl' });
    const result = processed('{"resultStatus":"APPROVED"}', { retryAfter: '7' }, { read });
    expect(result).toMatchObject({
      outcome: 'unknown',
      transient: false,
      description: 'it has no paymentUrl',
      httpStatus: 200,
      resultStatus: 'APPROVED',
      retryAfter: '7',
    });
    expect(errorOf(result)).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      message: 'it has no paymentUrl (HTTP 200)',
    });
  });

  it.each([
    ['SETTLED', { resultStatus: 'SETTLED' }],
    ['two words', {}],
  ])('of an undocumented status has the status only if it is a word: %s', (status, shown) => {
    const result = processed(JSON.stringify({ resultStatus: status }), { httpStatus: 500, retryAfter: '7' });
    expect(result).toStrictEqual({
      outcome: 'unknown',
      transient: false,
      httpStatus: 500,
      retryAfter: '7',
      ...shown,
      description: 'undocumented resultStatus',
      toError: expect.any(Function) as () => unknown,
    });
  });

  it('of a refusal is by its table, and the error has the text of the service', () => {
    const result = processed('{"resultStatus":"DOWNSTREAM_ERROR","resultMsg":"later"}', { retryAfter: '7' });
    expect(result).toStrictEqual({
      outcome: 'unknown',
      transient: true,
      httpStatus: 200,
      resultStatus: 'DOWNSTREAM_ERROR',
      retryAfter: '7',
      description: 'DOWNSTREAM_ERROR',
      toError: expect.any(Function) as () => unknown,
    });
    expect(errorOf(result)).toMatchObject({
      code: 'DOWNSTREAM_ERROR',
      outcome: 'unknown',
      resultMsg: 'later',
    });
  });
});

describe('a refusal of a request that an earlier process may have sent', () => {
  it.each([
    ['DUPLICATE_REFERENCE_ID', undefined, 'unknown'],
    ['DUPLICATE_REFERENCE_ID', true, 'unknown'],
    ['DUPLICATE_REFERENCE_ID', false, 'rejected'],
    // Its history makes the outcome of the call unknown, not the answer.
    ['INVALID_AMOUNT', true, 'rejected'],
  ])('with %s and mayHaveBeenSent: %s is %s', (resultStatus, mayHaveBeenSent, outcome) => {
    const result = processed(JSON.stringify({ resultStatus }), {}, { mayHaveBeenSent });
    expect(result).toMatchObject({ outcome });
    expect(errorOf(result)).toMatchObject({ code: resultStatus, outcome });
  });
});
