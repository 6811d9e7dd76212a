import { describe, expect, test } from 'vitest';
import {
  explained,
  missing,
  unexplained,
  type Expectation,
} from '../../../src/mock/diagnosis/explanation.js';
import type { Draft, Ingredient, Key } from '../../../src/mock/diagnosis/ingredient.js';
import type { Combination } from '../../../src/mock/diagnosis/search.js';
import type { Mistake } from '../../../src/mock/diagnosis/types.js';
import type { Step, Variation } from '../../../src/mock/diagnosis/variations.js';

const body: Expectation = { text: '{"a":"b"}', what: 'the body', signature: 'e1', encoding: 'hex' };

function step<Value>(
  value: Value,
  after: Value,
  id: Mistake,
  words: Partial<Ingredient<Value>>,
): Step<Value> {
  const ingredient = { id, rarity: 2, message: '', fix: '', apply: () => after, ...words } as const;
  return { ingredient, before: value, after };
}

/** A text that was signed instead, as the result of mistakes. */
function signing(after: Draft, ...words: [Mistake, Partial<Ingredient<Draft>>][]): Variation<Draft> {
  const steps = words.map(([id, more]) => step({ text: body.text }, after, id, more));
  return { value: steps.length === 0 ? { text: body.text } : after, steps, stage: steps.length - 1 };
}

const rightKey: Variation<Key> = { value: Buffer.from('k'), steps: [], stage: -1 };

function explain(text: Variation<Draft>, more: Partial<Combination> = {}, secretKey = 'demo-secret') {
  const combination = { text, key: rightKey, hashing: undefined, layers: [], ...more };
  return explained(body, 'r1', combination, { secretKey });
}

const added = { message: 'A line feed was added.', fix: 'Sign without it.' };
const lineFeed: [Mistake, Partial<Ingredient<Draft>>] = ['line-breaks', added];

describe('an explanation', () => {
  test('of one mistake in a text has its words, both texts and their first difference', () => {
    expect(explain(signing({ text: '{"a":"b"}\n' }, lineFeed))).toEqual({
      cause: 'line-breaks',
      message: 'A line feed was added.',
      fix: 'Sign without it.',
      compared: 'signed text',
      expected: '{"a":"b"}',
      received: '{"a":"b"}\n',
      firstDifference: { byte: 9, expected: '{"a":"b"}', received: '{"a":"b"}\n' },
    });
  });

  test('of a mistake in a key compares the signatures', () => {
    const words = { message: 'The key has a space.', fix: ['Trim it.', 'Print its length.'] };
    const key = {
      ...rightKey,
      steps: [step<Key>(Buffer.from('k'), Buffer.from('k '), 'secret-trimmed', words)],
    };
    expect(explain(signing({}), { key })).toEqual({
      cause: 'secret-trimmed',
      message: 'The key has a space.',
      fix: 'Trim it. Print its length.',
      compared: 'signature',
      expected: 'e1',
      received: 'r1',
    });
  });

  test('names mistakes in the text, the key, the hashing and the writing in that order, and each fix once', () => {
    const key = {
      ...rightKey,
      steps: [step<Key>(Buffer.from(''), Buffer.from(''), 'secret-empty', { message: 'Key.', fix: 'Same.' })],
    };
    const hashing = { id: 'hash-algorithm', rarity: 2, message: 'Hash.', fix: 'Same.', size: 20 } as const;
    const digest = () => Buffer.alloc(0);
    const layers = [{ id: 'digest-quoted', message: 'Quotes.', fix: 'Unquote.' }] as const;
    const text = signing({ text: 'x' }, ['text-case', { message: 'Text.', fix: 'Case.' }]);
    expect(explain(text, { key, hashing: { ...hashing, digest }, layers })).toMatchObject({
      cause: 'text-case + secret-empty + hash-algorithm + digest-quoted',
      message: 'Text. Key. Hash. Quotes.',
      fix: 'Case. Same. Unquote.',
    });
  });

  test('names a mistake that was made twice once', () => {
    const { cause, message } = explain(
      signing({ text: 'x' }, lineFeed, ['line-breaks', { message: 'Again.' }]),
    );
    expect(cause).toBe('line-breaks');
    expect(message).toBe('A line feed was added. Again.');
  });

  test('may take its words from what was there before and after', () => {
    const told = (before: Draft, after: Draft) => `${before.text ?? ''} > ${after.text ?? ''}`;
    const diagnosis = explain(
      signing({ text: 'x' }, ['text-case', { message: told, fix: (...of) => [told(...of)] }]),
    );
    expect(diagnosis).toMatchObject({ message: '{"a":"b"} > x', fix: '{"a":"b"} > x' });
  });

  test('without a mistake says that nothing explains the signature', () => {
    expect(explain(signing({})).cause).toBe('secret-wrong');
  });

  test('shows bytes as a reader of text would see them, and an unwritten text as nothing', () => {
    const bytes = Buffer.from('{"a":"é"}', 'latin1');
    expect(explain(signing({ bytes }, lineFeed)).received).toBe('{"a":"\ufffd"}');
    expect(explain(signing({}, lineFeed)).received).toBe('');
  });

  test('has no first difference where the texts look the same', () => {
    expect(explain(signing({ text: body.text }, lineFeed))).not.toHaveProperty('firstDifference');
  });
});

describe('a secret key in an explanation', () => {
  const sign = (text: string, secretKey: string, more: Draft = {}, message = '') =>
    explain(signing({ text, ...more }, ['text-added', { message }]), {}, secretKey);

  test.each([
    ['as it is', 'secret', '{"a":"b"}secret', '{"a":"b"}<secret key>'],
    ['twice', 'secret', 'secretsecret', '<secret key><secret key>'],
    ['as JSON', 'se"cret', '{"k":"se\\"cret"}', '{"k":"<secret key>"}'],
    ['as JSON of PHP', 'se/cret"', '{"k":"se\\/cret\\""}', '{"k":"<secret key>"}'],
    ['in part', 'secret', '{"a":"b"}secre', '{"a":"b"}secre'],
    ['that is as short as a word', 'short', '{"a":"b"}short', '{"a":"b"}short'],
  ])('is not shown %s', (_how, secretKey, text, shown) => {
    expect(sign(text, secretKey).received).toBe(shown);
  });

  test('is shown where it was sent in the body, unless it was added to it', () => {
    expect(sign('["a":"b"]', '"a":"b"').received).toBe('["a":"b"]');
    expect(sign('{"a":"b"}"a":"b"', '"a":"b"').received).toBe('{<secret key>}<secret key>');
  });

  test('is not shown in bytes', () => {
    const bytes = Buffer.from('secret', 'utf16le');
    expect(sign('secret', 'secret', { bytes }).received).toBe('<secret key>');
    expect(sign('other', 'secret', { bytes: Buffer.from('other', 'utf16le') }).received).toBe(
      'o\0t\0h\0e\0r\0',
    );
  });

  test('is not shown in words, also where it was sent', () => {
    expect(sign('x', '"a":"b"', {}, 'Before "a":"b".').message).toBe('Before <secret key>.');
  });
});

describe('the first difference', () => {
  function difference(expected: string, received: string) {
    const combination = {
      text: signing({ text: received }, lineFeed),
      key: rightKey,
      hashing: undefined,
      layers: [],
    };
    return explained({ ...body, text: expected }, 'r', combination, { secretKey: 'k' }).firstDifference;
  }

  test.each([
    ['is told by bytes of UTF-8', 'ủa', 'ủb', 3, 'ủa', 'ủb'],
    ['may be the first', 'a', 'b', 0, 'a', 'b'],
    ['may be the end of the expected text', 'a', 'ab', 1, 'a', 'ab'],
    ['may be the end of the other text', 'ab', 'a', 1, 'ab', 'a'],
    [
      'begins at the character of a surrogate pair',
      '-\u{1f600}',
      '-\u{1f601}',
      1,
      '-\u{1f600}',
      '-\u{1f601}',
    ],
    ['shows half of a pair as a replacement character', '\ud800', '\ud801', 0, '\ufffd', '\ufffd'],
  ])('%s', (_what, expected, received, byte, around, other) => {
    expect(difference(expected, received)).toEqual({ byte, expected: around, received: other });
  });

  test('has 24 characters of context on either side', () => {
    const [before, after] = ['-'.repeat(30), '+'.repeat(30)];
    expect(difference(`${before}a${after}`, `${before}b${after}`)).toEqual({
      byte: 30,
      expected: `${'-'.repeat(24)}a${'+'.repeat(23)}`,
      received: `${'-'.repeat(24)}b${'+'.repeat(23)}`,
    });
  });
});

describe('a text that is shown', () => {
  test.each([
    ['in whole up to 4,096 characters', 'a'.repeat(4096), 'a'.repeat(4096)],
    ['in part beyond', 'a'.repeat(4097), `${'a'.repeat(4096)}…`],
  ])('is shown %s', (_how, text, expected) => {
    expect(explain(signing({ text }, lineFeed)).received).toBe(expected);
    expect(unexplained(body, text).received).toBe(expected);
  });
});

describe('an unexplained signature', () => {
  test('of a body has three checks, which are the fix too', () => {
    const checks = [
      'The secret key belongs to this Client-Id, and the program has read it (print its length, not its value).',
      'What is signed is the bytes of the body exactly as they are sent: 9 bytes. Write the bytes to a file right before signing and compare.',
      'The signature is HMAC-SHA256, written in lower-case hex: e1 is expected.',
    ];
    expect(unexplained(body, 'r1')).toEqual({
      cause: 'secret-wrong',
      message:
        'No known mistake leads to this signature, and no combination of known mistakes that was tried: the secret key is another one, or something else was signed.',
      fix: `Check in this order: 1. ${checks[0] ?? ''} 2. ${checks[1] ?? ''} 3. ${checks[2] ?? ''}`,
      checks,
      compared: 'signature',
      expected: 'e1',
      received: 'r1',
    });
  });

  test('of an upload shows the canonical string, and its size in bytes', () => {
    const { checks } = unexplained({ ...body, text: 'a=ủ\n', what: 'the canonical string' }, 'r1');
    expect(checks?.[1]).toContain(
      'the canonical string shown here, with the values exactly as they are sent: 6 bytes, "a=ủ\\n". Write',
    );
  });

  test('in base64 is told the encoding', () => {
    expect(unexplained({ ...body, encoding: 'base64' }, 'r1').checks?.[2]).toContain(
      'written in base64: e1 is',
    );
  });
});

test('a missing signature is told as such', () => {
  expect(missing(body)).toEqual({
    cause: 'signature-missing',
    message: 'There is no Signature header.',
    fix: 'Send the signature in the Signature header. A proxy or an HTTP library may drop headers that it does not know.',
    compared: 'signature',
    expected: 'e1',
    received: '',
  });
});
