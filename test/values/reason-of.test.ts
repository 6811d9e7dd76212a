import { expect, test } from 'vitest';
import { reasonOf } from '../../src/values/reason-of.js';

test.each<[string, unknown, string]>([
  ['the code of a system error', Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'ENOENT'],
  ['the message of an error', new Error('no such file'), 'no such file'],
  [
    'the message of an error whose code is no text',
    Object.assign(new Error('refused'), { code: 7 }),
    'refused',
  ],
  ['the text of anything else', { code: 'ENOENT', toString: () => 'gone' }, 'gone'],
  ['the text of a thrown word', 'gone', 'gone'],
])('the reason of a failure is %s', (_, error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
