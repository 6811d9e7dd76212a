import { describe, expect, test } from 'vitest';
import type { ConfigurationError } from '../../src/errors/errors.js';
import { resolveLenderOptions } from '../../src/lender/lender-options.js';
import { thrownBy } from '../helpers/samples.js';

const baseUrl = 'https://service.example';

describe('an option of the lender that is refused', () => {
  test.each([
    ['applicationIdField', 7, 'must be a string'],
    ['applicationIdField', '', 'must not be empty'],
    ['applicationIdField', 'requestId', 'is the name of another field of the notifications'],
    ['applicationIdField', 'repaymentTransactions', 'is the name of another field of the notifications'],
    ['acknowledged', true, 'must be a function that returns true or false'],
    ['headers', 7, "must be a plain object, such as { 'X-Trace': 'a' }, not a Headers, a Map or an array"],
    [
      'headers',
      { 'Content-Type': 'text/plain' },
      'must not set Content-Type: the client sets this header itself',
    ],
    ['lenderCode', '', 'must not be empty'],
    // Not also "must not be empty": the type of an empty array is wrong.
    ['lenderCode', [], 'must be a string; got an array'],
    ['serviceApplicationId', '', 'must not be empty'],
  ])('%s: %j has an error with the expected value', (option, value, rule) => {
    const error = thrownBy(() => resolveLenderOptions({ baseUrl, [option]: value }));
    expect(error).toMatchObject({ code: 'CONFIGURATION', option, message: `${option} ${rule}` });
  });

  test('is named together with all others in one error', () => {
    const error = thrownBy(() => resolveLenderOptions({ baseUrl, lenderCode: '', applicationIdField: '' }));
    expect((error as ConfigurationError).message).toContain('lenderCode must not be empty');
    expect((error as ConfigurationError).message).toContain('applicationIdField must not be empty');
  });
});

describe('an option of the lender that is left out', () => {
  test('has its default', () => {
    expect(resolveLenderOptions({ baseUrl })).toMatchObject({
      baseUrl,
      applicationIdField: 'serviceApplicationId',
      headers: {},
    });
  });
});

describe('an option of the lender', () => {
  test('can set headers of the merchant, with an object or a function', () => {
    const named = { Signature: 'agreed', 'Client-Id': 'LENDER' };
    expect(resolveLenderOptions({ baseUrl, headers: named }).headers).toEqual(named);
    const made = () => named;
    expect(resolveLenderOptions({ baseUrl, headers: made }).headers).toBe(made);
  });

  test('accepts the specification’s name of the application too', () => {
    const applicationIdField = 'serviceApplicationId';
    expect(resolveLenderOptions({ baseUrl, applicationIdField })).toMatchObject({ applicationIdField });
  });

  test('is copied, so that later changes do not affect notifications', () => {
    const headers: Record<string, string> = { 'X-Trace': 'first' };
    const resolved = resolveLenderOptions({ baseUrl, headers });
    headers['Content-Length'] = '0';
    expect(resolved.headers).toEqual({ 'X-Trace': 'first' });
  });
});
