import { describe, expect, test } from 'vitest';
import { invoiceCanonicalString } from '../../../src/protocol/canonical-string.js';
import fixes from '../../../src/workbench/diagnosis/fixes.json' with { type: 'json' };
import sentences from '../../../src/workbench/diagnosis/sentences.json' with { type: 'json' };
import { mistake, type MistakeId } from '../../../src/workbench/diagnosis/mistake.js';
import { fields, hex, hmac, merchant, ofPayment, ofUpload, secretKey, sent } from './support.js';

const canonical = invoiceCanonicalString(fields);
const slashed = sent.replaceAll('/', '\\/');
const unknown = hex('?', '?');

describe('the diagnosis of a payment', () => {
  test('names a mistake in the text, compares both texts, and says what to do', () => {
    const signed = `${sent}\n`;
    expect(ofPayment(hex(signed))).toEqual({
      cause: 'line-breaks',
      message: sentences['line-breaks.end'],
      fix: fixes['line-breaks.end'],
      expected: sent,
      received: signed,
      firstDifference: {
        byte: Buffer.byteLength(sent),
        expected: sent.slice(-24),
        received: signed.slice(-25),
      },
    });
  });

  test('names a wrong key, and compares the signatures', () => {
    const received = hex(sent, '');
    const { 'secret-empty': fix } = fixes;
    const message = 'The key was empty.';
    expect(ofPayment(received)).toEqual({
      cause: 'secret-empty',
      message,
      fix,
      expected: hex(sent),
      received,
    });
  });

  test('names two mistakes, and each shared sentence of their fixes once', () => {
    const signed = JSON.stringify(JSON.parse(sent), null, 4).replaceAll('/', '\\/');
    const { cause, message, fix } = ofPayment(hex(signed));
    expect(cause).toBe('body-pretty-printed + body-escaped');
    expect(message).toBe(
      'The signed body is JSON written indented by 4 spaces; the body that was sent is written without white space. You signed JSON with escaped characters (\\/), but you sent it without them.',
    );
    const common = 'Serialise the body once, sign those bytes and send the same bytes. ';
    expect(fix).toBe(fixes['body-pretty-printed'] + fixes['body-escaped.slash'].replace(common, ' '));
  });

  test('names a cause once if two mistakes share it', () => {
    const { cause, message } = ofPayment(`""${hex(sent)}""`);
    expect({ cause, message }).toEqual({
      cause: 'digest-quoted',
      message: 'The signature is in quotation marks.',
    });
  });

  test.each([['missing', undefined] as const, ['empty', ''] as const])(
    'shows the expected signature if the received signature is %s',
    (_what, signature) => {
      expect(ofPayment('', sent, { signature })).toEqual({
        cause: 'signature-missing',
        message: 'There is no Signature header.',
        fix: fixes['signature-missing'],
        expected: hex(sent),
        received: '',
      });
    },
  );

  test('says what to check, with the exact bytes, if nothing explains the signature', () => {
    const { fix, ...rest } = ofPayment(unknown);
    expect(rest).toEqual({
      cause: 'unexplained',
      message: sentences.unexplained,
      expected: hex(sent),
      received: unknown,
    });
    expect(fix).toMatch(
      /^Check these points in order: 1\. Check that the secret key .* 2\. Sign .* 3\. The signature /,
    );
    expect(fix).toContain(`the bytes of the body exactly as they are sent: ${Buffer.byteLength(sent)} bytes`);
    expect(fix).toContain(`HMAC-SHA256 in hex. The expected signature is ${hex(sent)}. Assumed`);
  });

  test('says first that a body is not JSON', () => {
    expect(ofPayment(unknown, '{a=1}').fix).toContain('1. The body that arrived is not JSON: send');
    expect(ofPayment(unknown, '\uFEFF{} ').fix).toContain('1. Check that the secret key');
  });

  test('shows bytes that are not UTF-8 as a reader would see them', () => {
    const body = Buffer.from('{"a":"é"}', 'latin1');
    expect(ofPayment(hex('{"a":"é"}'), body)).toMatchObject({
      cause: 'body-encoding',
      expected: '{"a":"\uFFFD"}',
      received: '{"a":"é"}',
    });
    expect(ofPayment(hex(Buffer.from('[]', 'utf16le')), '[]').received).toBe('[\0]\0');
  });

  test.each([
    ['[object ReadableStream]', 'body-placeholder', 'node-fetch'],
    ['[object Object]', 'body-placeholder', 'JSON.stringify(order)'],
    ['merchantId=DEMO&amount%5Bvalue%5D=12000000', 'body-form', 'Guzzle'],
  ])('explains a body that arrived in a form other than JSON: %s', (body, cause, inFix) => {
    const diagnosis = ofPayment(hex(sent), body);
    expect(diagnosis).toMatchObject({ cause, expected: hex(body), received: hex(sent) });
    expect(diagnosis.fix).toContain(inFix);
  });
});

describe('the diagnosis of an upload', () => {
  test('compares both canonical strings', () => {
    const short = invoiceCanonicalString(fields, { absentFields: 'omit' });
    expect(ofUpload(hex(short))).toMatchObject({
      cause: 'absent-fields-omitted',
      expected: canonical,
      received: short,
      fix: expect.stringContaining('fields that are not sent have an empty value') as unknown,
    });
    expect(ofUpload(hex(canonical), fields, { absentFields: 'omit' })).toMatchObject({
      cause: 'absent-fields-included',
      expected: short,
      fix: expect.stringContaining('fields that are not sent are left out') as unknown,
    });
  });

  test('quotes the exact text to sign if nothing explains the signature', () => {
    const { cause, fix } = ofUpload(unknown, { merchantId: '{a' });
    expect(cause).toBe('unexplained');
    expect(fix).toMatch(/^Check these points in order: 1\. Check that the secret key /);
    const text = invoiceCanonicalString({ merchantId: '{a' });
    expect(fix).toContain(`as they are sent: ${text.length} bytes, ${JSON.stringify(text)}`);
  });

  test('accepts hex in upper and lower case, also if the signature of a payment is base64', () => {
    const wrongKey = hex(canonical, `${secretKey}\n`).toUpperCase();
    expect(ofUpload(wrongKey, fields, { signatureEncoding: 'base64' })).toMatchObject({
      cause: 'secret-trimmed',
      expected: hex(canonical),
    });
    expect(ofUpload(wrongKey, fields, { signatureEncoding: 'hex-upper' }).expected).toBe(
      hex(canonical).toUpperCase(),
    );
  });
});

describe('the closing line about assumptions', () => {
  const base64 = hmac(sent).toString('base64');
  const hexWritten = 'the signature of a payment is written in lower-case hex';
  const keyUsed = 'the secret key is used as UTF-8 text';
  const keyDecoded = 'the secret key is decoded from hex';
  const inHex = { secretKeyEncoding: 'hex', merchant: { ...merchant, secretKeys: ['abcd'] } } as const;
  const upper = { signatureEncoding: 'hex-upper' } as const;
  const inBase64 = { signatureEncoding: 'base64' } as const;
  const inBase64Url = { signatureEncoding: 'base64url' } as const;

  test.each([
    ['the notation', base64, {}, hexWritten],
    ['upper case', hex(sent).toUpperCase(), {}, hexWritten],
    ['lower case', hex(sent), upper, 'the signature of a payment is written in upper-case hex'],
    ['hex', hex(sent), inBase64, 'the signature of a payment is written in base64'],
    ['hex for base64url', hex(sent), inBase64Url, 'the signature of a payment is written in base64url'],
    ['one of two mistakes', `sha256=${base64}`, {}, hexWritten],
    ['a decoded key', hex(sent, Buffer.from(secretKey, 'base64')), {}, keyUsed],
    ['the bytes of the key', hex(sent, Buffer.from(secretKey, 'utf16le')), {}, keyUsed],
    ['a key that was not decoded', hex(sent, 'abcd'), inHex, keyDecoded],
  ])('names the assumption on which the explanation depends: %s', (_what, signature, changes, assumption) => {
    const { fix } = ofPayment(signature, sent, changes);
    expect(fix.endsWith(`. Assumed, because the specification does not say: ${assumption}.`)).toBe(true);
  });

  test.each(['null', ''])('names the assumption about absent fields: %s', (text) => {
    const signed = canonical.replace('paymentTransId=', text && `paymentTransId=${text}`).replace('&&', '&');
    expect(ofUpload(hex(signed)).fix).toMatch(
      /Assumed, .*: in the canonical string of an upload, .* value\.$/,
    );
  });

  test('names all assumptions if the signature has no explanation', () => {
    expect(ofPayment(unknown).fix).toMatch(/: the secret key .* text; the signature .* hex\.$/);
    expect(ofUpload(unknown).fix).toMatch(/: the secret key .* text; in the canonical string .* value\.$/);
  });

  test('is missing if no assumption matters', () => {
    for (const { fix } of [ofPayment(hex(sent, '')), ofPayment(hex(`${sent}\n`)), ofPayment('')]) {
      expect(fix).not.toContain('Assumed');
    }
  });
});

test.each([
  ['of the text, the key and the digest', hmac(`${sent}\n`, `${secretKey}\n`, 'sha1').toString('hex')],
  ['of the text, the key and the notation', hex(`${sent}\n`, `${secretKey}\n`).toUpperCase()],
  ['of the text, three times', hex(`\uFEFF${JSON.stringify(slashed)}\n`)],
])('three mistakes are not explained, and the fix quotes the bytes to sign: %s', (_what, signature) => {
  const { cause, message, fix } = ofPayment(signature);
  expect(cause).toBe('unexplained');
  expect(message).toContain('more than two mistakes');
  expect(fix).toContain(`${Buffer.byteLength(sent)} bytes`);
});

describe('a secret key that was sent as the signature', () => {
  const key = 'se/cret-key';
  const own = { merchant: { ...merchant, secretKeys: [key] as const } };
  const masked = '<secret key>';

  test.each([
    ['as it is', key, masked],
    ['in quotation marks', `"${key}"`, `"${masked}"`],
    ['in base64', Buffer.from(key).toString('base64'), masked],
    ['in hex', Buffer.from(key).toString('hex'), masked],
    ['in upper-case hex', Buffer.from(key).toString('hex').toUpperCase(), masked],
    ['after a prefix', `HMAC ${key}`, `HMAC ${masked}`],
    ['of another merchant', 'other-secret', masked],
  ])('is named and not shown: %s', (_what, signature, received) => {
    const diagnosis = ofPayment(signature, sent, own);
    const message = sentences['secret-as-signature'];
    expect(diagnosis).toMatchObject({
      cause: 'secret-as-signature',
      message,
      expected: hex(sent, key),
      received,
    });
    expect(JSON.stringify(diagnosis)).not.toContain(signature);
    expect(diagnosis.fix).toContain('Send the HMAC of the text, not the key itself');
  });

  test('is named and not shown, even if it is short', () => {
    const short = { merchant: { ...merchant, secretKeys: ['abc'] as const } };
    expect(ofPayment('abc', sent, short)).toMatchObject({ cause: 'secret-as-signature', received: masked });
    expect(ofPayment('abcd', sent, short)).toMatchObject({ cause: 'unexplained', received: 'abcd' });
  });

  test('is not shown beside an explained signature', () => {
    const { cause, received, message } = ofPayment(`${key}:${hex(sent, key)}`, sent, own);
    expect({ cause, received }).toEqual({
      cause: 'digest-prefixed',
      received: `${masked}:${hex(sent, key)}`,
    });
    expect(message).not.toContain(key);
  });
});

describe('a secret key that was signed together with the text', () => {
  const key = 'se/cret"key';
  const withKey = { merchant: { ...merchant, secretKeys: [key] as const } };

  test.each([
    ['a field', `${sent}&key=${key}`],
    ['a line', `${sent}\n${key}`],
  ])('is not shown: %s', (_what, signed) => {
    const { cause, received } = ofPayment(hex(signed, key), sent, withKey);
    expect(cause).toBe('text-added');
    expect(received).toBe(signed.replace(key, '<secret key>'));
  });

  test('is not shown in a message', () => {
    const known = {
      merchant: { ...merchant, secretKeys: ['undefined-key'] as const, clientId: 'undefined-key' },
    };
    const other = { ...known, others: [{ clientId: 'undefined-key', secretKeys: ['abcdefgh'] as const }] };
    expect(ofPayment(hex(sent, 'abcdefgh'), sent, other).message).toBe(
      'The secret key belongs to the client <secret key>.',
    );
  });

  test('is shown if the body contains it, with the right first difference', () => {
    const own = { merchant: { ...merchant, secretKeys: ['DEMO-MERCHANT'] as const } };
    const diagnosis = ofPayment(hex(`${sent}\n`, 'DEMO-MERCHANT'), sent, own);
    expect(diagnosis).toMatchObject({ cause: 'line-breaks', received: `${sent}\n` });
    expect(diagnosis.firstDifference?.byte).toBe(Buffer.byteLength(sent));
  });
});

describe('the first difference', () => {
  const [dashes, pluses] = ['-'.repeat(30), '+'.repeat(30)];
  test.each([
    ['is counted in bytes of UTF-8', '["ủ","/"]', 8, '["ủ","/"]', '["ủ","\\/"]'],
    [
      'has 24 characters of context',
      `["${dashes}/${pluses}"]`,
      32,
      `${dashes.slice(6)}/${pluses.slice(7)}`,
      `${dashes.slice(6)}\\/${pluses.slice(8)}`,
    ],
  ])('%s', (_what, body, byte, expected, received) => {
    const { firstDifference } = ofPayment(hex(body.replace('/', '\\/')), body);
    expect(firstDifference).toEqual({ byte, expected, received });
  });

  test.each([
    [
      'at the character of a surrogate pair',
      '{"\u{1f601}":1,"\u{1f600}":2}',
      '{"\u{1f600}":2,"\u{1f601}":1}',
      2,
    ],
    ['at the first byte', `["${pluses}"]`, `\uFEFF["${pluses}"]`, 0],
  ])('begins %s', (_what, body, signed, byte) => {
    expect(ofPayment(hex(signed), body).firstDifference).toMatchObject({
      byte,
      expected: body.slice(0, byte + 24),
    });
  });

  test.each([
    [4096, ''],
    [4097, '…'],
  ])('is found in texts of any length, of which 4,096 characters are shown: %d', (length, more) => {
    const body = '["/"]'.padStart(length);
    const diagnosis = ofPayment(hex(body.replace('/', '\\/')), body);
    expect(diagnosis.firstDifference?.byte).toBe(body.indexOf('/'));
    expect(diagnosis.expected).toBe(body.slice(0, 4096) + more);
  });
});

describe('an explanation makes no false statement about', () => {
  const ascii = slashed.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

  test.each([
    [
      'a body that was sent with an indent of one space and signed without white space',
      sent,
      JSON.stringify(JSON.parse(sent), null, 1),
      'The signed body is JSON written without white space; the body that was sent is written indented by 1 space.',
    ],
    [
      'a body that was signed with tabs and sent without white space',
      JSON.stringify(JSON.parse(sent), null, '\t'),
      sent,
      'The signed body is JSON written indented by 1 tab; the body that was sent is written without white space.',
    ],
    [
      'a body of PHP with escaped slashes on both sides',
      slashed,
      ascii,
      'You signed JSON without escaped characters that you sent (\\u1ee7, \\u1ea1, \\u00e0).',
    ],
  ])('%s', (_what, signed, body, message) => {
    expect(ofPayment(hex(signed), body).message).toBe(message);
  });

  test('a body with a name twice, which no library writes again', () => {
    expect(ofPayment(hex('{"a":2}'), '{"a": 1, "a": 2}').cause).toBe('unexplained');
  });
});

test.each(['[object Promise]', '[B@1b6d3586', 'undefined'])(
  'a signature that is the text of an object or a missing value is named: %s',
  (signature) => {
    expect(ofPayment(signature)).toEqual({
      cause: 'digest-placeholder',
      message: `The Signature header is the text ${signature}: an object or a missing value was converted to text.`,
      fix: `${fixes['digest-placeholder']} ${fixes['digest-written.hex']}`,
      expected: hex(sent),
      received: signature,
    });
  },
);

describe('the texts of a mistake', () => {
  test.each([
    ['secret-quoted.double', sentences['secret-quoted.double'], fixes['secret-quoted']],
    [
      'body-placeholder.a.b',
      'The text a.b was signed instead of the text that was sent.',
      fixes['body-placeholder'],
    ],
    [
      'secret-placeholder.$&',
      'The text $& was used as the key instead of the secret key.',
      fixes['secret-placeholder'],
    ],
    ['digest-prefixed.sum', sentences['digest-prefixed.sum'], fixes['digest-prefixed.sum']],
    [
      'field-order.upload.own.a-b',
      'The fields were signed in a different order: a-b.',
      fixes['field-order.upload'],
    ],
  ] as const)('are those of the longest beginning of its ID: %s', (id, says, fix) => {
    expect(mistake(id)).toEqual({ id, says, fix });
  });

  test('include a fix for each sentence, unless it depends on the expected notation', () => {
    const withoutFix = Object.keys(sentences).filter((id) => mistake(id as MistakeId).fix === '');
    expect(withoutFix.map((id) => id.replace(/\..*/, ''))).toEqual([
      'digest-base64',
      'digest-base64',
      'digest-hex',
      'digest-lower-case',
      'digest-raw',
      'digest-upper-case',
      'unexplained',
    ]);
  });
});
