import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { issuesOf, parseWith } from '../../src/protocol/issues.js';
import { issuesText, pathText } from '../../src/validation/broken-rules.js';
import { transformed, objectError } from '../../src/validation/rules.js';

describe('an unknown field', () => {
  const inner = z.strictObject({ colour: z.optional(z.string()) }, objectError());
  const schema = z.strictObject(
    {
      list: z.optional(z.array(transformed(inner, (line) => line))),
      amount: z.prefault(inner, {}),
      seller: z.optional(z._default(inner, {})),
    },
    objectError(),
  );
  const messages = (input: unknown, names?: Parameters<typeof parseWith>[2]) => {
    const parsed = parseWith(schema, input, names);
    return 'issues' in parsed ? parsed.issues.map(({ message }) => message) : [];
  };

  test.each<readonly [object, string]>([
    [{ amuont: {} }, 'unknown field: did you mean amount?'],
    [{ coupon: 1 }, 'unknown field'],
    [{ colour: 1 }, 'unknown field'],
    [{ amount: { color: 1 } }, 'unknown field: did you mean colour?'],
    [{ seller: { color: 1 } }, 'unknown field: did you mean colour?'],
    [{ list: [{}, { color: 1 }] }, 'unknown field: did you mean colour?'],
    [{ list: [{ list: 1 }] }, 'unknown field'],
    [{ amount: 7 }, 'must be an object; got a number'],
  ])('suggests the field that was probably meant in its place: %j', (input, message) => {
    expect(messages(input)).toEqual([message]);
  });

  test('is followed by a hint, unless it is in an array', () => {
    const hint = 'It goes elsewhere';
    expect(messages({ amuont: 1, coupon: 1, list: [{ coupon: 1 }] }, { hint })).toEqual([
      'unknown field',
      'unknown field: did you mean amount? It goes elsewhere',
      'unknown field. It goes elsewhere',
    ]);
  });

  test('is a separate issue, with a suggestion if it is one of the first twenty', () => {
    const names = Array.from({ length: 25 }, (_, index) => [`amount${index}`, 1]);
    const suggested = messages(Object.fromEntries(names)).map((message) => message !== 'unknown field');
    expect(suggested).toEqual(names.map((_, index) => index < 20));
    const list = Array.from({ length: 200 }, () => ({ color: 1 }));
    expect(messages({ list })).toEqual(list.map(() => 'unknown field: did you mean colour?'));
  });

  test('can have a different name', () => {
    expect(messages({ amuont: 1 }, { text: 'unknown option' })).toEqual([
      'unknown option: did you mean amount?',
    ]);
  });
});

describe('the path of an issue', () => {
  test.each([
    [[], ''],
    [['items', 3, 'price'], 'items[3].price'],
    [[0, 'a'], '[0].a'],
    [['options', 'signal'], 'options.signal'],
  ])('is written as in code: %j is %j', (path, text) => {
    expect(pathText(path)).toBe(text);
  });

  test('is cut if it is long', () => {
    const long = Array.from({ length: 100 }, () => 'abc');
    expect(pathText(long)).toBe(`${long.join('.').slice(0, 120)}…`);
    expect(pathText(long.slice(0, 30))).toBe(long.slice(0, 30).join('.'));
  });

  test('hides a key that does not look like a field name, because it can be data', () => {
    const data = ['nguyen.van.an@example.com', 'Nguyễn Văn An', '0912345678', '+84912345678', 'u12345'];
    const more = [
      'order 0912345678',
      '12 Kim Mã',
      'a\r\nb',
      'a\u2028',
      'x'.repeat(41),
      'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
    ];
    for (const key of [...data, ...more]) expect(pathText(['a', key, 'b'])).toBe('a.[redacted].b');
    const names = [
      'productId',
      'X-Trace',
      '$metadata',
      '_id',
      'line_2',
      'constructor',
      '',
      '0',
      'x'.repeat(40),
    ];
    for (const name of names) expect(pathText(['a', name])).toBe(`a.${name}`);
  });

  test('comes before the rule, and the text of the caller replaces an empty path', () => {
    const rule = { message: 'must be a string', resultStatus: 'INVALID_REQUEST' } as const;
    const issues = [
      { ...rule, path: ['items', 0, 'price'] },
      { ...rule, path: [] },
    ];
    const both = 'items[0].price: must be a string; the request: must be a string';
    expect(issuesText(issues, 'the request', 2)).toBe(both);
    expect(issuesText([...issues, ...issues], 'the request', 2)).toBe(`${both}; and 2 more`);
  });
});

describe('issues of a failed parse', () => {
  const parse = (schema: z.ZodMiniType, input: unknown) => {
    const { error } = schema.safeParse(input);
    if (!error) throw new Error('expected the parse to fail');
    return issuesOf(error, input, schema);
  };

  test('have the status of the field if the value has its type', () => {
    const schema = z.object({ customer: z.object({ phoneNumber: z.string().check(z.minLength(2)) }) });
    expect(parse(schema, { customer: { phoneNumber: 'x' } })).toMatchObject([
      { path: ['customer', 'phoneNumber'], resultStatus: 'PHONE_NUMBER_INVALID' },
    ]);
    expect(parse(schema, { customer: { phoneNumber: 7 } })).toMatchObject([
      { path: ['customer', 'phoneNumber'], resultStatus: 'INVALID_REQUEST' },
    ]);
    expect(parse(schema, { customer: 7 })).toMatchObject([
      { path: ['customer'], resultStatus: 'INVALID_REQUEST' },
    ]);
  });

  test('have the status of the rule instead of that of the field, if it is documented', () => {
    const rule = (resultStatus: unknown) =>
      z.object({ storeId: z.string().check(z.refine(() => false, { params: { resultStatus } })) });
    expect(parse(rule('FILE_TOO_LARGE'), { storeId: '' })).toMatchObject([
      { resultStatus: 'FILE_TOO_LARGE' },
    ]);
    for (const none of ['NONSENSE', ['FILE_TOO_LARGE'], undefined])
      expect(parse(rule(none), { storeId: '' })).toMatchObject([{ resultStatus: 'INVALID_STORE_ID' }]);
  });

  test('hide keys that can be data, and every symbol', () => {
    const schema = z.unknown().check(z.refine(() => false, { path: [Symbol('s'), 'an@example.com'] }));
    expect(parse(schema, {})).toMatchObject([{ path: ['[redacted]', '[redacted]'] }]);
  });

  test('name each unknown field individually', () => {
    const schema = z.object({ a: z.array(z.strictObject({})) });
    expect(parse(schema, { a: [{}, { x: 1, y: 2 }] })).toEqual([
      { path: ['a', 1, 'x'], message: 'unknown field', resultStatus: 'INVALID_REQUEST' },
      { path: ['a', 1, 'y'], message: 'unknown field', resultStatus: 'INVALID_REQUEST' },
    ]);
  });

  test('are INVALID_REQUEST if no field has a status', () => {
    expect(parseWith(z.object({ a: z.literal(1, 'must be 1') }), { a: 2 })).toEqual({
      issues: [{ path: ['a'], message: 'must be 1', resultStatus: 'INVALID_REQUEST' }],
    });
    expect(parseWith(z.string(), 'x')).toEqual({ value: 'x' });
  });
});
