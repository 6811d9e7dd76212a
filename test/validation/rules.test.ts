import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  identifier,
  integerFrom,
  objectError,
  whenValid,
  oneOf,
  literal,
  optional,
  patterned,
  positiveInteger,
  text,
  boolean,
  wholeNumber,
  wrongOptional,
} from '../../src/validation/rules.js';
import { inputTimestamp, money, moneyWith, wireTimestamp } from '../../src/protocol/field-rules.js';
import { utcForm } from '../../src/protocol/timestamps.js';

const messages = (schema: z.ZodMiniType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

const halfPair = 'must be well-formed Unicode: it contains half of a surrogate pair';

const count = 'must be an integer from 1 to 9007199254740991';

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

const digits = patterned(/^\d+$/, 'must be digits');
const anything = patterned(/^[^]+$/, 'must be something');
const emptyObject = z.strictObject({}, objectError());
const amount = z.strictObject({ value: text }, objectError('{ value }'));

describe('the message of a broken rule', () => {
  test.each<readonly [string, z.ZodMiniType, unknown, string]>([
    ['text that is missing', text, undefined, 'is required and must be a string'],
    ['text of another type', text, 7, 'must be a string; got a number'],
    ['text with half a pair', text, 'a\ud800', halfPair],
    ['an identifier that is missing', identifier, undefined, 'is required and must be a string'],
    ['an empty identifier', identifier, '', 'must not be empty'],
    ['an identifier with half a pair', identifier, '\udc00', halfPair],
    ['a pattern that is missing', digits, undefined, 'is required and must be digits'],
    ['a pattern of another type', digits, 7n, 'must be digits; got a bigint'],
    ['a pattern that does not match, once', digits, 'x\ud800', 'must be digits'],
    ['a pattern that half a pair matches', anything, '\ud800', halfPair],
    ['a word that is missing', oneOf(['M', 'F', 'U']), undefined, "is required and must be 'M', 'F' or 'U'"],
    ['another word', oneOf(['M', 'F', 'U']), 'm', "must be 'M', 'F' or 'U'"],
    ['a word of another type', oneOf(['M', 'F', 'U']), ['M'], "must be 'M', 'F' or 'U'; got an array"],
    ['a constant that is missing', literal('VN'), undefined, "is required and must be 'VN'"],
    ['another constant', literal('VN'), 'vn', "must be 'VN'"],
    ['a constant of another type', literal('VN'), true, "must be 'VN'; got a boolean"],
    ['a switch as text', boolean, 'yes', 'must be true or false; got a string'],
    ['a missing count', positiveInteger, undefined, `is required and ${count}`],
    ['a count of 0', positiveInteger, 0, count],
    ['a count of -0.5, once', positiveInteger, -0.5, `${count}; is negative`],
    ['a count of 1.5, once', positiveInteger, 1.5, `${count}; has a fraction`],
    [
      'a count with advice',
      integerFrom(1, { 'has a fraction': 'round' }),
      1.5,
      `${count}; has a fraction: round`,
    ],
    ['a count as text', positiveInteger, '1', `${count}; got a string: pass a number`],
    ['a count as a bigint', positiveInteger, 1n, `${count}; got a bigint: pass a number`],
    ['a count as an object', positiveInteger, {}, `${count}; got an object (a BigNumber? pass a number)`],
    ['a count as an array', positiveInteger, [], `${count}; got an array`],
    [
      'a count as a revoked proxy',
      positiveInteger,
      revoked,
      `${count}; got an object (a BigNumber? pass a number)`,
    ],
    ['null for a count', positiveInteger, null, `${count}; got null`],
    ['a count beyond exact integers', wholeNumber, 2 ** 53, 'must be an integer from 0 to 9007199254740991'],
    ['a negative number', wholeNumber, -1, 'must be an integer from 0 to 9007199254740991; is negative'],
    ['money that is missing', money, undefined, 'is required and must be a number of VND, 0 or greater'],
    ['negative money', money, -0.01, 'must be a number of VND, 0 or greater; is negative'],
    [
      'negative money, with advice',
      moneyWith({ 'is negative': 'put the discount into the prices' }),
      -1,
      'must be a number of VND, 0 or greater; is negative: put the discount into the prices',
    ],
    ['endless money', money, Infinity, 'must be a number of VND, 0 or greater; got Infinity'],
    ['money that is NaN', money, NaN, 'must be a number of VND, 0 or greater; got NaN'],
    ['an object that is missing', emptyObject, undefined, 'is required and must be an object'],
    ['an object of another type', emptyObject, 7, 'must be an object; got a number'],
    ['an object with an example', amount, [], 'must be an object, such as { value }; got an array'],
    ['a field that is not known', emptyObject, { colour: 1 }, 'unknown field'],
  ])('says what was expected and what was found: %s', (_name, schema, value, message) => {
    expect(messages(schema, value)).toEqual([message]);
  });

  test.each<readonly [string, z.ZodMiniType, unknown]>([
    ['empty text', text, ''],
    ['text in pairs', text, '📄'],
    ['the first count', positiveInteger, 1],
    ['the last count', positiveInteger, 9007199254740991],
    ['no count', wholeNumber, 0],
    ['no money', money, 0],
    ['a fraction of money', money, 0.5],
  ])('is absent for %s', (_name, schema, value) => {
    expect(schema.parse(value)).toBe(value);
  });
});

describe('the message of a broken rule in an optional field', () => {
  test.each<readonly [string, z.ZodMiniType, unknown, string]>([
    ['text', optional(text), null, 'must be a string; got null: leave the field out'],
    ['a pattern', optional(digits), null, 'must be digits; got null: leave the field out'],
    ['a count', optional(positiveInteger), null, `${count}; got null: leave the field out`],
    ['a word', optional(oneOf(['a', 'b'])), null, "must be 'a' or 'b'; got null: leave the field out"],
    [
      'an object',
      optional(amount),
      null,
      'must be an object, such as { value }; got null: leave the field out',
    ],
    ['text of another type', optional(text), 7, 'must be a string; got a number'],
    ['text that breaks a rule', optional(identifier), '', 'must not be empty'],
    ['a field inside', optional(amount), { value: null }, 'must be a string; got null'],
  ])('advises to leave the field out if it is null: %s', (_name, schema, value, message) => {
    expect(messages(schema, value)).toEqual([message]);
    expect(schema.parse(undefined)).toBeUndefined();
  });
});

describe('a timestamp', () => {
  const real = '2027-01-31T09:30:00Z';
  const unreal = '2027-02-31T09:30:00Z';
  const notReal = 'is not a real date and time: check the day, the month and the hour';
  const wireRule = 'must be a string in the form yyyy-MM-ddTHH:mm:ssZ, such as 2026-11-20T09:30:00Z';
  const inputRule =
    'must be a valid Date, or a string in the form yyyy-MM-ddTHH:mm:ssZ, such as 2026-11-20T09:30:00Z';

  test('of an input can be a Date, which is formatted, or text as it is sent', () => {
    expect(inputTimestamp(utcForm).parse(new Date(real))).toBe(real);
    expect(inputTimestamp(utcForm).parse(real)).toBe(real);
  });

  test.each([
    ['missing', undefined, `is required and ${inputRule}`],
    ['null', null, `${inputRule}; got null`],
    ['a Date without a time', new Date(NaN), `${inputRule}; got an invalid Date`],
    ['text of another form', 'today', inputRule],
    ['text of the form that names no moment', unreal, notReal],
    ['a number', 2026, `${inputRule}; got a number`],
    ['an object that prints in the form', Object(real), `${inputRule}; got a String`],
    ['an array that prints as no moment', [unreal], `${inputRule}; got an array`],
  ])('of an input is refused with the accepted forms: %s', (_name, value, message) => {
    expect(inputTimestamp(utcForm).safeParse(value).error?.issues).toEqual([
      { code: 'custom', path: [], message },
    ]);
  });

  test('of an optional input is refused as null, with advice', () => {
    expect(messages(inputTimestamp(utcForm, wrongOptional), null)).toEqual([
      `${inputRule}; got null: leave the field out`,
    ]);
  });

  test('of a response is text only', () => {
    expect(wireTimestamp(utcForm).parse(real)).toBe(real);
    expect(messages(wireTimestamp(utcForm), new Date(0))).toEqual([`${wireRule}; got a Date`]);
    expect(messages(wireTimestamp(utcForm), undefined)).toEqual([`is required and ${wireRule}`]);
    expect(messages(wireTimestamp(utcForm), 'today')).toEqual([wireRule]);
    expect(messages(wireTimestamp(utcForm), unreal)).toEqual([notReal]);
  });
});

describe('a rule between fields', () => {
  const fits = z.refine<{ part: number; whole: number }>(({ part, whole }) => 10 % part === whole, {
    error: 'does not fit',
    when: whenValid('part', 'whole'),
  });
  const schema = z
    .strictObject({ part: positiveInteger, whole: positiveInteger, name: text }, objectError())
    .check(fits);

  test('runs if its own fields are valid, whatever is wrong with the others', () => {
    expect(messages(schema, { part: 3, whole: 2, name: 7, more: 1 })).toEqual([
      'must be a string; got a number',
      'unknown field',
      'does not fit',
    ]);
  });

  test.each([
    [{ part: 0, whole: 2, name: '' }, [count]],
    [{ part: 3, name: '' }, [`is required and ${count}`]],
    [
      { part: 0.5, whole: '2', name: '' },
      [`${count}; has a fraction`, `${count}; got a string: pass a number`],
    ],
    [null, ['must be an object; got null']],
  ])('does not run with a value that its field has refused: %j', (input, expectedMessages) => {
    expect(messages(schema, input)).toEqual(expectedMessages);
  });
});
