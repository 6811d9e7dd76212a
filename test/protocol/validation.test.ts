import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { issuesOf, pathText } from '../../src/protocol/issues.js';

describe('a path in words', () => {
  it.each([
    [[], ''],
    [['items', 3, 'price'], 'items[3].price'],
    [[0, 'a'], '[0].a'],
    [['options', 'signal'], 'options.signal'],
  ])('%j is %j', (path, text) => {
    expect(pathText(path)).toBe(text);
  });

  it('is cut where a hostile key is long', () => {
    expect(pathText(['x'.repeat(5000)])).toHaveLength(121);
  });
});

describe('issues of a failed parse', () => {
  const parse = (schema: z.ZodType, input: unknown) => {
    const { error } = schema.safeParse(input);
    if (!error) throw new Error('expected the parse to fail');
    return issuesOf(error, input, [{ path: 'a.b', type: 'string', resultStatus: 'INVALID_STORE_ID' }]);
  };

  it('take the status of the field when the value has its type', () => {
    const schema = z.object({ a: z.object({ b: z.string().min(2) }) });
    expect(parse(schema, { a: { b: 'x' } })).toMatchObject([
      { path: ['a', 'b'], resultStatus: 'INVALID_STORE_ID' },
    ]);
    expect(parse(schema, { a: { b: 7 } })).toMatchObject([
      { path: ['a', 'b'], resultStatus: 'INVALID_REQUEST' },
    ]);
    expect(parse(schema, { a: 7 })).toMatchObject([{ path: ['a'], resultStatus: 'INVALID_REQUEST' }]);
  });

  it('take the status of the rule before that of the field, unless it is none', () => {
    const rule = (resultStatus: unknown) =>
      z.object({ a: z.object({ b: z.string().refine(() => false, { params: { resultStatus } }) }) });
    expect(parse(rule('FILE_TOO_LARGE'), { a: { b: '' } })).toMatchObject([
      { resultStatus: 'FILE_TOO_LARGE' },
    ]);
    expect(parse(rule('NONSENSE'), { a: { b: '' } })).toMatchObject([{ resultStatus: 'INVALID_STORE_ID' }]);
  });

  it('write symbols out', () => {
    const schema = z.unknown().superRefine((_value, context) => {
      context.addIssue({ code: 'custom', message: 'no', path: [Symbol('s')] });
    });
    expect(parse(schema, {})).toMatchObject([{ path: ['Symbol(s)'] }]);
  });
});
