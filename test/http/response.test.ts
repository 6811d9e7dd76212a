import { describe, expect, test } from 'vitest';
import { makeError } from '../../src/errors/make-error.js';
import type { Failure } from '../../src/errors/failure.js';
import {
  isSuccessStatus,
  isJsonObject,
  parseBody,
  readJson,
  verdictByHttpStatus,
} from '../../src/http/response.js';
import { invalid, valid } from '../../src/values/checked.js';
import type { BodyState, WireResponse } from '../../src/http/transport.js';
import { responseWith, runOf } from './samples.js';

function arrived(body: string | Buffer, bodyState: BodyState = 'whole', httpStatus = 200): WireResponse {
  return responseWith({ body: Buffer.from(body), bodyState, httpStatus });
}

function unusable(response: WireResponse): Failure {
  const read = readJson(response);
  if (read.ok) throw new Error('the response is usable');
  return read.problem;
}
const errorFrom = (failure: Failure) => makeError(failure, runOf());

describe('an HTTP status', () => {
  test.each([
    [200, 'unknown', false, true],
    [299, 'unknown', false, true],
    [199, 'unknown', false, false],
    [300, 'unknown', false, false],
    [399, 'unknown', false, false],
    [400, 'rejected', false, false],
    [403, 'rejected', false, false],
    [407, 'unknown', false, false],
    [408, 'unknown', true, false],
    [409, 'unknown', true, false],
    [421, 'unknown', false, false],
    [425, 'unknown', true, false],
    [429, 'rejected', true, false],
    [499, 'rejected', false, false],
    [500, 'unknown', true, false],
    [599, 'unknown', true, false],
  ] as const)(
    'alone decides: %i means %s, transient: %s, success: %s',
    (status, outcome, transient, success) => {
      expect(verdictByHttpStatus(status)).toEqual({ outcome, transient });
      expect(isSuccessStatus(status)).toBe(success);
    },
  );
});

describe('a body', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF{"a":1}', { a: 1 }],
    [' [1] ', [1]],
    ['null', null],
  ])('is parsed if it is JSON: %j', (text, json) => {
    expect(parseBody(arrived(text))).toStrictEqual(valid(json));
    expect(parseBody(arrived(text, 'cut'))).toStrictEqual(valid(json));
  });

  const latin1 = (text: string) => Buffer.from(text, 'latin1');

  test.each<readonly [string | Buffer, BodyState, message: string, mayBeIncomplete: boolean]>([
    ['{}', 'too_large', 'the response is larger than 1 MiB', true],
    ['', 'whole', 'the response is empty', false],
    ['', 'ended', 'the response is empty', true],
    ['', 'cut', 'the response is empty', true],
    ['<html>', 'whole', 'the response is not JSON', false],
    ['<html>', 'ended', 'the response is not JSON', true],
    ['<html>', 'cut', 'the response is cut short', true],
    ['{"resultStatus":"APPR', 'whole', 'the response is cut short', true],
    ['\n\t{"a', 'whole', 'the response is cut short', true],
    ['"resultStatus":"APPROVED"}', 'whole', 'the response is cut short', true],
    ['<html>{', 'whole', 'the response is not JSON', false],
    [latin1('<html>\xe1'), 'whole', 'the response is not valid UTF-8', false],
    [latin1('<html>\xe1'), 'cut', 'the response is not valid UTF-8', true],
    [latin1('{"a":"\xe1"}'), 'whole', 'the response is not valid UTF-8', true],
  ])('has a problem if it is not JSON: %j, %s', (body, state, message, mayBeIncomplete) => {
    expect(parseBody(arrived(body, state))).toStrictEqual(invalid({ message, mayBeIncomplete }));
  });

  test.each<readonly [string, BodyState, boolean]>([
    ['{"a":1}', 'whole', true],
    ['{"a":1}', 'cut', true],
    ['[1]', 'whole', false],
    ['null', 'whole', false],
    ['7', 'cut', false],
    ['{"a":', 'cut', false],
    ['{}', 'too_large', false],
  ])('%j, %s, is a complete JSON object: %s', (text, state, whole) => {
    expect(isJsonObject(arrived(text, state))).toBe(whole);
  });
});

describe('an unusable response', () => {
  const lost = ['{"a', 'the response is cut short'] as const;
  const page = ['<html>', 'the response is not JSON'] as const;

  test.each([
    [403, lost, 'unknown', true],
    [403, page, 'rejected', false],
    [429, page, 'rejected', true],
    [503, page, 'unknown', true],
    [200, page, 'unknown', true],
    [304, page, 'unknown', false],
  ] as const)(
    'under HTTP %i, %j, has the outcome %s, transient: %s',
    (httpStatus, [body, problem], outcome, transient) => {
      const failure = unusable(arrived(body, 'whole', httpStatus));
      expect(failure).toMatchObject({ outcome, transient, facts: { summary: problem } });
      const hint = httpStatus === 403 && outcome === 'rejected' ? '; error.bodyText shows who responded' : '';
      expect(errorFrom(failure).message).toContain(`: ${problem} (HTTP ${String(httpStatus)}${hint}). `);
    },
  );

  test('is unknown and final if it is a redirect', () => {
    const failure = unusable({ ...arrived('{"resultStatus":"APPROVED"}', 'whole', 307), isRedirect: true });
    const summary = 'the response is a redirect, which is never followed';
    expect(failure).toMatchObject({ outcome: 'unknown', transient: false, facts: { summary } });
    expect(errorFrom(failure).message).toContain(`: ${summary} (HTTP 307). `);
  });
});
