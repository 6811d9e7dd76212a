import { describe, expect, it, test } from 'vitest';
import { errorChain, describe as inShort, rebuildError, safeWords } from '../../src/errors/safe-words.js';
import { callerCause, credentialsIn, textsOf } from '../../src/errors/redact.js';

const letters = (count: number) => 'a'.repeat(count);

describe('the words of a foreign error', () => {
  it.each([
    [{ name: `A${letters(40)}Error` }, { name: `A${letters(40)}Error` }],
    [{ name: `A${letters(41)}Error` }, { name: 'Error' }],
    [{ name: 'DOMException' }, { name: 'DOMException' }],
    // A secret may be a plain word.
    [{ name: 'Swordfish' }, { name: 'Error' }],
    [{ code: 'swordfish' }, { name: 'Error' }],
    [{ code: 'Swordfish' }, { name: 'Error' }],
    [{ code: 'ConnectionRefused' }, { name: 'Error', code: 'ConnectionRefused' }],
    [{ name: 'typeError' }, { name: 'Error' }],
    [{ name: 'Type Error' }, { name: 'Error' }],
    [{ name: 'An TypeError' }, { name: 'Error' }],
    [{ name: 'TypeErrorAn' }, { name: 'Error' }],
    [{ name: 'Error0912345678' }, { name: 'Error' }],
    [{ name: 'Error\nof An' }, { name: 'Error' }],
    [{ code: 'E'.repeat(61) }, { name: 'Error', code: 'E'.repeat(61) }],
    [{ code: 'E'.repeat(62) }, { name: 'Error' }],
    [
      { code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE' },
      { name: 'Error', code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE' },
    ],
    [{ code: 'E' }, { name: 'Error', code: 'E' }],
    [{ code: '0912345678' }, { name: 'Error' }],
    [{ code: ' E' }, { name: 'Error' }],
    [{ code: 'E CODE' }, { name: 'Error' }],
    [{ code: 'an@example.com' }, { name: 'Error' }],
    [{ code: 7 }, { name: 'Error' }],
    [{ name: ['RangeError'], code: ['EIO'] }, { name: 'Error' }],
    [{ syscall: letters(20) }, { name: 'Error', syscall: letters(20) }],
    [{ syscall: letters(21) }, { name: 'Error' }],
    [{ syscall: 'Read' }, { name: 'Error', syscall: 'Read' }],
    [{ syscall: 'read /home' }, { name: 'Error' }],
    [{ syscall: '1read' }, { name: 'Error' }],
  ])('of %j are %j', (properties, words) => {
    expect(safeWords(Object.assign(new Error('x'), properties))).toEqual(words);
  });

  it.each([undefined, null, 'text', 7])('are absent from %s', (error) => {
    expect(safeWords(error)).toEqual({ name: 'Error' });
  });

  /** An error with so many errors behind it, the last of which has a code. */
  const chainOf = (length: number) =>
    Array.from({ length: length - 1 }).reduce<Error>(
      (cause) => new TypeError('x', { cause }),
      Object.assign(new Error('x'), { code: 'EIO' }),
    );

  it("are the innermost error's that has a code, up to eight deep", () => {
    expect(safeWords(chainOf(8))).toEqual({ name: 'Error', code: 'EIO' });
    expect(safeWords(chainOf(9))).toEqual({ name: 'TypeError' });
    const outer = Object.assign(new TypeError('x', { cause: new RangeError('y') }), { code: 'OUTER' });
    expect(safeWords(outer)).toEqual({ name: 'TypeError', code: 'OUTER' });
    expect(safeWords(new TypeError('x', { cause: 'text' }))).toEqual({ name: 'TypeError' });
  });

  it("are the first error's of several", () => {
    const errors = [
      Object.assign(new Error('a'), { code: 'A' }),
      Object.assign(new Error('b'), { code: 'B' }),
    ];
    expect(safeWords(new AggregateError(errors))).toEqual({ name: 'Error', code: 'A' });
    const noCause = new AggregateError(errors, 'x', { cause: null });
    expect(safeWords(noCause)).toEqual({ name: 'Error', code: 'A' });
    expect(safeWords(new AggregateError(['text']))).toEqual({ name: 'AggregateError' });
    expect(safeWords(Object.assign(new TypeError('x'), { errors: 'text' }))).toEqual({ name: 'TypeError' });
  });

  it.each([undefined, null, 'text', 7])('are not looked for in %s', (value) => {
    expect(errorChain(value)).toEqual([]);
  });

  it('are written in short', () => {
    expect(inShort({ name: 'Error', code: 'EIO', syscall: 'read' })).toBe('EIO (read)');
    expect(inShort({ name: 'TypeError' })).toBe('TypeError');
  });
});

describe('a rebuilt cause', () => {
  it('has the words, and a stack without lines', () => {
    const cause = rebuildError({ name: 'TypeError', code: 'EIO', syscall: 'read' });
    expect(cause.stack).toBe('TypeError: EIO (read)');
    expect(String(cause)).toBe('TypeError: EIO (read)');
    expect(Object.fromEntries(Object.entries(cause))).toEqual({ code: 'EIO', syscall: 'read' });
    expect(Object.keys(rebuildError({ name: 'TypeError' }))).toEqual([]);
  });

  it('can be given another name and stack, like any error', () => {
    const cause = rebuildError({ name: 'TypeError' });
    cause.name = 'Mine';
    cause.stack = 'elsewhere';
    expect([cause.name, cause.stack]).toEqual(['Mine', 'elsewhere']);
    expect(Reflect.deleteProperty(cause, 'stack')).toBe(true);
  });
});

describe("the cause for an error of the caller's own", () => {
  const messageOf = (error: unknown, ...sensitive: string[]) => callerCause(error, sensitive).message;

  it('has the longest text cut out first', () => {
    expect(messageOf(new Error('no Nguyen An Binh'), 'Nguyen', 'Nguyen An Binh', 'Nguyen An')).toBe(
      'no [redacted]',
    );
  });

  it('has a text of three letters cut out, and no message if a text of two letters occurs', () => {
    expect(messageOf(new Error('no Anh here'), 'Anh')).toBe('no [redacted] here');
    expect(messageOf(new Error('no An here'), 'An')).toBe(
      'Error: its message quotes the request and is left out',
    );
    expect(messageOf(new Error('no ? here'), '?')).toBe('no ? here');
    expect(messageOf(new Error('...'), 'An')).toBe('...');
  });

  it('has a text cut out to its last letter, whose small form may depend on its place', () => {
    expect(messageOf(new Error('no ΠΑΠΑΔΟΠΟΥΛΟΣ here'), 'Παπαδόπουλος')).toBe('no [redacted] here');
  });

  it.each<[text: string, message: string]>([
    ['Anh', 'no Thanh, Khanhs or Anhs here'],
    ['12 Phố 345678', 'error 12345678'],
    ['345678 / 12', 'error 34567812'],
    ['tel 912345678', 'error 91 234 5678'],
    ['123456', 'error 123 456'],
  ])('is kept where %j is only a part of a word, or is not a phone number: %j', (text, message) => {
    expect(messageOf(new Error(message), text)).toBe(message);
  });

  it.each<[phone: string, quoted: string]>([
    ['0912345678', '+84 912 345 678'],
    ['912 340 567', '0912340567'],
    ['01234567', '123-4567'],
  ])('has the phone number %s cut out in another notation: %s', (phone, quoted) => {
    expect(messageOf(new Error(`tel: ${quoted}!`), phone)).toBe('tel: [redacted]!');
  });

  it('has a text cut out as it stands in a string of JSON', () => {
    const quoted = JSON.stringify({ note: 'to Kim "Anh" Nguyen' });
    expect(messageOf(new Error(quoted), 'Kim "Anh" Nguyen')).toBe('{"note":"to [redacted]"}');
  });

  it('is kept where a text has nothing but accents', () => {
    expect(messageOf(new Error('no stock'), '\u0301'.repeat(3))).toBe('no stock');
  });

  it('is cut at 500 characters', () => {
    expect(messageOf(new Error(letters(500)))).toBe(letters(500));
    expect(messageOf(new Error(letters(501)))).toBe(letters(500));
  });

  it('has no message if it is too long to be searched', () => {
    const leftOut = 'Error: its message is too long and is left out';
    expect(messageOf(new Error(' '.repeat(64 * 1024)))).toBe(' '.repeat(500));
    expect(messageOf(new Error(' '.repeat(64 * 1024 + 1)))).toBe(leftOut);
  });

  const inNumbers = [
    '05-11-1990',
    '1990-11-05',
    '5/11/1990',
    '11/5/1990',
    '05.11.1990',
    '19901105',
    '1990-11-5',
  ];
  const inTwoDigits = ['05/11/90', '5/11/90', '11/5/90', '05-11-90', '90-11-05', '5.11.90'];
  const inEnglish = [
    '5 Nov 1990',
    'November 5, 1990',
    '5th of November, 1990',
    'NOV 05 1990',
    '05-Nov-90',
    '5nov1990',
  ];
  const inVietnamese = [
    '5 tháng 11 năm 1990',
    '05 Tháng 11, 1990',
    '5 tha\u0301ng 11 na\u0306m 1990',
    '5 thg 11, 1990',
    '5 T11 1990',
  ];
  const withOtherSigns = ['05_11_1990', '5 – 11 – 1990', '1990年11月5', '05%2F11%2F1990'];
  it.each([...inNumbers, ...inTwoDigits, ...inEnglish, ...inVietnamese, ...withOtherSigns])(
    'has a date cut out in the usual notations: %s',
    (date) => {
      expect(messageOf(new Error(`đã sinh ${date}, 12`), '05-11-1990')).toBe('đã sinh [redacted], 12');
    },
  );

  it.each(['September 3 1990', 'Sept. 3rd, 1990', '3 Sep 1990'])(
    'has each short form of a month cut out: %s',
    (date) => {
      expect(messageOf(new Error(`born ${date}`), '03-09-1990')).toBe('born [redacted]');
    },
  );

  it('is searched for a date in linear time', () => {
    const texts = [
      '5 nov',
      '05/11/',
      '1990 ',
      '5 ',
      '11',
      '5 thang ',
      `5 nov${'st'.repeat(32_000)}`,
      `5${' '.repeat(64_000)}`,
      `5${'%2f'.repeat(21_000)}`,
      `5${'t'.repeat(64_000)}`,
    ];
    const started = performance.now();
    for (const text of texts) {
      const long = text.repeat(Math.floor((64 * 1024) / text.length));
      expect(messageOf(new Error(long), '05-11-1990', '11-11-1911')).toBe(long.slice(0, 500));
    }
    // Quadratic time would be minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('has no other number cut out for a date', () => {
    for (const [date, text] of [
      ['10-10-1990', 'paid 1-1-1990'],
      ['05-11-1990', 'paid 15/11/1990'],
      ['01-11-1990', 'paid 1990-11-15'],
      ['05-11-1990', 'paid 051190'],
      ['05-11-1990', 'paid 5, 11, 90'],
      ['05-11-1990', 'paid 5/11/901'],
      ['05-11-1990', 'paid 105/11/90'],
      ['05-11-1990', 'paid 5 Oct 1990'],
      ['05-11-1990', 'paid 5 in 1990'],
      ['05-13-1990', 'paid 5 undefined 1990'],
      ['105-11-1990', 'paid 5/11/1990'],
      ['05-11-19901', 'paid 5/11/1990'],
    ]) {
      expect(messageOf(new Error(text), date ?? '')).toBe(text);
    }
  });

  it.each([
    ['Bearer tok_live_1', 'no tok_live_1 here'],
    ['sid=tok_live_1; theme=dark', 'no tok_live_1 here'],
    ['Basic c2hvcDpodW50ZXIycGFzcw==', 'no hunter2pass here'],
    ['basic   c2hvcDpodW50ZXIycGFzcw==', 'no c2hvcDpodW50ZXIycGFzcw== here'],
    ['Bearer 12345678', 'no 12345678 here'],
  ])('has the parts of the header %j cut out', (value, message) => {
    expect(messageOf(new Error(message), ...credentialsIn({ Authorization: value }))).toBe(
      'no [redacted] here',
    );
  });

  it.each([
    ['boom', 'boom'],
    [undefined, 'Error'],
    [null, 'Error'],
    [7, 'Error'],
    [{ message: 7 }, 'Error'],
    [{ name: 'Oops', code: 'E1' }, 'E1'],
  ])('of %j, which is not an error, is %s', (thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });

  it('keeps a name, code and syscall unless they quote something', () => {
    const error = Object.assign(new RangeError('x'), { code: 'E_ANH', syscall: 'read' });
    expect(callerCause(error, ['Binh'])).toMatchObject({
      name: 'RangeError',
      code: 'E_ANH',
      syscall: 'read',
    });
    expect(callerCause(error, ['ANH', 'read', 'Range'])).not.toHaveProperty('code');
    expect(callerCause(error, ['ANH', 'read', 'Range'])).not.toHaveProperty('syscall');
    expect(callerCause(error, ['Range']).name).toBe('Error');
  });

  it.each(['Order 77', '77 Orders', 'order-77'])('has no name and no code that is not a word: %s', (text) => {
    const cause = callerCause(Object.assign(new Error('x'), { name: text, code: text }), []);
    expect(cause.name).toBe('Error');
    expect(cause).not.toHaveProperty('code');
  });

  it('survives a text that is not well-formed', () => {
    expect(messageOf(new Error('a\ud800b'), 'a\ud800b')).toBe('[redacted]');
  });
});

test('the texts of a value are its strings, its long numbers, and the texts in URLs and JSON', () => {
  const url = 'http://files.example/a?token=t%20oken&v=1';
  const value = {
    a: ['text', 7, 42, 123, true, null, undefined],
    url,
    json: '[{"b":"inner"},1234]',
    loose: '"quoted"',
  };
  expect(textsOf(value).sort()).toEqual(
    [
      'text',
      '123',
      url,
      'token=t%20oken&v=1',
      't oken',
      '[{"b":"inner"},1234]',
      'inner',
      '1234',
      '"quoted"',
    ].sort(),
  );
  expect(textsOf('see http://files.example/?token=abc')).toHaveLength(1);
  expect(textsOf('HTTPS://files.example/?token=abc')).toContain('abc');
  expect(textsOf(undefined)).toEqual([]);
});

test('the texts of a value are the words of a name too, by its field or by its capitals', () => {
  expect(textsOf({ lastName: 'nguyễn văn' })).toContain('văn');
  expect(textsOf({ contact: 'Trần Bảo' })).toContain('Bảo');
  expect(textsOf({ named: 'giao buổi sáng' })).toEqual(['giao buổi sáng']);
});

test('a header of one or two characters is not a credential', () => {
  expect(credentialsIn({ A: 'abc', B: 'ab', C: '' })).toEqual(['abc']);
});
