import { expect, test } from 'vitest';
import { wireSwitchesSchema } from '../../src/protocol/wire-switches.js';

test.each([undefined, {}])('the switches %j have every default', (value) => {
  expect(wireSwitchesSchema.parse(value)).toEqual({
    signatureEncoding: 'hex',
    secretKeyEncoding: 'utf8',
    requestTimeOffset: 420,
    absentFields: 'empty',
  });
});

test('given switches are kept, and the offset is converted to minutes east of UTC', () => {
  const others = { signatureEncoding: 'base64', secretKeyEncoding: 'hex', absentFields: 'omit' };
  expect(wireSwitchesSchema.parse({ ...others, requestTimeOffset: '-03:30' })).toEqual({
    ...others,
    requestTimeOffset: -210,
  });
  const defaults = {
    signatureEncoding: 'hex',
    secretKeyEncoding: 'utf8',
    absentFields: 'empty',
    requestTimeOffset: '+00:00',
  };
  expect(wireSwitchesSchema.parse(defaults)).toEqual({ ...defaults, requestTimeOffset: 0 });
});

test.each<readonly [unknown, string, string]>([
  [{ signatureEncoding: 'HEX' }, 'signatureEncoding', "must be 'hex', 'hex-upper', 'base64' or 'base64url'"],
  [{ secretKeyEncoding: 'base64url' }, 'secretKeyEncoding', "must be 'utf8', 'hex' or 'base64'"],
  [{ requestTimeOffset: 'UTC' }, 'requestTimeOffset', 'must be an offset from UTC, such as +07:00'],
  [{ requestTimeOffset: 7 }, 'requestTimeOffset', 'must be an offset from UTC, such as +07:00'],
  [{ absentFields: '' }, 'absentFields', "must be 'empty' or 'omit'"],
  ['hex', '', 'must be an object'],
])('switches such as %j are refused with the values that are allowed', (value, path, message) => {
  const issues = wireSwitchesSchema.safeParse(value).error?.issues;
  expect(issues?.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[path, message]]);
});
