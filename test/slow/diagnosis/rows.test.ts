import { describe, expect, test } from 'vitest';
import { wrongDigests } from '../../../src/workbench/diagnosis/digests.js';
import { wrongKeys } from '../../../src/workbench/diagnosis/keys.js';
import type { Texts } from '../../../src/workbench/diagnosis/signed/candidates.js';
import { paymentTexts } from '../../../src/workbench/diagnosis/signed/payment-texts.js';
import { uploadTexts } from '../../../src/workbench/diagnosis/signed/upload-texts.js';
import type { Case } from '../../workbench/diagnosis/corpus.js';
import { leadsToSignature } from '../../workbench/diagnosis/resign.js';
import {
  fields,
  formOf,
  hex,
  hmac,
  merchant,
  ofPayment,
  ofUpload,
  otherMerchant,
  refused,
  secretKey,
  sent,
} from '../../workbench/diagnosis/support.js';

// Each row of the lists is made on requests, and what the explanation says of them has to lead to the signature again.

type Bytes = string | Uint8Array;

/** Bodies and forms with something for every row, mostly twice: each kind of value, of character, and of white space. */
const odd = {
  merchantId: 'a_b',
  lang: null,
  c: '',
  d: [],
  seller: {},
  sendSms: true,
  sendEmail: false,
  digits: '12.50',
  spaced: ' Tủ ',
  amount: { value: 12_000_000, currency: 'VND' },
  items: [{ totalAmount: 0.5, description: 'd', price: '12000000', quantity: 2 }],
  shipping: { city: 'Ha Noi', ward: '=&<>\'"+`~!*()' },
  referenceId: 'R/1',
  z: "a\\nb!*'()",
};
const bodies = [
  '{"a":"Tủ / 😀 \'x\' ~*","b":1}',
  '{\n "a": 1\n}',
  JSON.stringify(odd, null, 2),
  ` ${JSON.stringify(odd, null, 2).replaceAll('\n', '\r\n')}\r\n`,
  JSON.stringify(sent),
  '{"c":{"a":"\\u1ee7\\/"},"price":12000000.00,"MerchantId":2,"e":1.50}',
  `\uFEFF${sent}`,
  sent.normalize('NFD'),
].map((each) => Buffer.from(each));
const recoded = [
  Buffer.from('{"a":"é"}', 'latin1'),
  Buffer.from(Buffer.from('{"a":"é"}').toString('latin1')),
];
const forms = [
  { ...fields, description: "a ~* 'x'", fileUrl: 'https://files.example/i.pdf', other: 'o' },
  { ...fields, description: ' <Tủ>\u0301 ', extraData: ' { "a": "ủ/" } ', storeId: '' },
  { referenceId: 'b', merchantId: 'c', storeId: 'a', paymentTransId: 'T', description: 'Tủ & "x" \'y\'' },
];
const secrets = [
  ...[secretKey, 'c2VjcmV0LWJ5dGVz=', ' Pad é ', '"q%41+$X#c\\d="', 'ab'.repeat(70)].map(
    (secret) => ['utf8', secret] as const,
  ),
  ['hex', 'ABcd01'],
  ['hex', 'ab'.repeat(70)],
  ['base64', 'deadbeef'],
  ['base64', '+/8QmQ=='],
] as const;

/** One digest as programs write it. */
const writings: readonly ((digest: Buffer, hexDigits: string) => string)[] = [
  (_digest, digits) => digits,
  (_digest, digits) => digits.toUpperCase(),
  (_digest, digits) => digits.slice(0, 32) + digits.slice(32).toUpperCase(),
  (digest) => digest.toString('base64'),
  (digest) => digest.toString('base64url'),
  (digest) => digest.toString('base64').replaceAll('=', ''),
  (digest) => `${digest.toString('base64url')}=`,
  (digest) => digest.toString('latin1'),
  (digest) => `[${Array.from(digest).join(' ')}]`,
  (_digest, digits) => Buffer.from(digits).toString('base64'),
  (_digest, digits) => (digits.match(/../g) ?? []).join('-'),
  (_digest, digits) => digits.slice(0, 60),
  (_digest, digits) => digits.slice(0, 60).toUpperCase(),
];
const wraps: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `"${text}"`,
  (text) => `b'${text}'`,
  (text) => `${text}\n`,
  (text) => `sha256=${text}`,
];

/** The texts of each row alone. */
function textsOf({ sent: own, lists }: Texts): Bytes[] {
  return lists.flatMap(({ mistakes }) => mistakes.flatMap((mistake) => mistake(own)?.candidate.text() ?? []));
}

/** The explanations of these cases that are not true. */
function wrongOf(
  given: readonly (Case & { cause: string; message: string })[],
  absentFields?: 'omit',
): string[] {
  return given.flatMap((each) => {
    if (each.cause === 'unexplained') return [];
    try {
      return leadsToSignature(each, each.message, absentFields) ? [] : [`${each.name}: ${each.message}`];
    } catch (error) {
      return [`${each.name}: ${String(error)}: ${each.message}`];
    }
  });
}

function withKey(secret: string, secretKeyEncoding?: Case['secretKeyEncoding']) {
  const otherKey = Buffer.from(otherMerchant.secretKeys[0]).toString(secretKeyEncoding);
  return {
    merchant: { ...merchant, secretKeys: [secret] as const },
    others: [{ ...otherMerchant, secretKeys: [otherKey] as const }],
    secretKeyEncoding,
  };
}

const isWrong = ({ signature, expected }: Case & { expected: string }) => signature !== expected;

type Wanted = Partial<Pick<Case, 'secretKey' | 'secretKeyEncoding' | 'signatureEncoding'>>;

function paid(body: Buffer, signature: string, wanted: Wanted = {}) {
  const { secretKey: secret = secretKey, secretKeyEncoding, signatureEncoding } = wanted;
  const own = { ...withKey(secret, secretKeyEncoding), signatureEncoding };
  const given: Case = {
    name: '',
    operation: 'payment',
    body,
    fields: {},
    secretKey: secret,
    signature,
    secretKeyEncoding,
    signatureEncoding,
  };
  return { ...given, ...ofPayment(signature, body, own) };
}

function uploaded(form: Readonly<Record<string, string>>, signature: string, absentFields: 'empty' | 'omit') {
  const given: Case = {
    name: JSON.stringify(form),
    operation: 'upload',
    body: Buffer.alloc(0),
    fields: form,
    secretKey,
    signature,
  };
  return { ...given, ...ofUpload(signature, form, { absentFields }) };
}

describe('the signature follows from the words about', { timeout: 120_000 }, () => {
  test.each([...bodies, ...recoded])('a body: %s', (body) => {
    const texts = textsOf(paymentTexts(body, refused('/v2/payments', '')));
    const signatures = new Set(texts.map((text) => hex(text)));
    const given = Array.from(signatures, (signature) => paid(body, signature)).filter(isWrong);
    expect(wrongOf(given)).toEqual([]);
    expect(given.filter(({ cause }) => cause === 'unexplained')).toEqual([]);
  });

  test.each(forms.flatMap((form) => (['empty', 'omit'] as const).map((absent) => [absent, form] as const)))(
    'an upload in which fields that are not sent are %s: %o',
    (absentFields, form) => {
      const request = { ...refused('/v2/payments/upload-invoice', ''), absentFields };
      const given = textsOf(uploadTexts(formOf(form), request)).map((text) =>
        uploaded(form, hex(text), absentFields),
      );
      expect(wrongOf(given, absentFields === 'omit' ? 'omit' : undefined)).toEqual([]);
      expect(given.filter(({ cause }) => cause === 'unexplained')).toEqual([]);
    },
  );

  test.each(secrets)('a key in %s: %s', (secretKeyEncoding, secret) => {
    const request = { ...refused('/v2/payments', ''), ...withKey(secret, secretKeyEncoding) };
    const { misread, other } = wrongKeys(request);
    const keys = [...misread, ...other].map(({ key }) => key);
    const wanted = { secretKey: secret, secretKeyEncoding };
    const given = keys.map((key) => paid(Buffer.from(sent), hex(sent, key), wanted)).filter(isWrong);
    expect(given.filter(({ cause }) => cause === 'unexplained')).toEqual([]);
    expect(wrongOf(given)).toEqual([]);
  });

  test.each(['hex', 'hex-upper', 'base64', 'base64url'] as const)(
    'a signature where %s is expected',
    (signatureEncoding) => {
      const digest = hmac(sent);
      const written = writings.map((write) => write(digest, digest.toString('hex')));
      const given = written
        .flatMap((text) => wraps.map((wrap) => paid(Buffer.from(sent), wrap(text), { signatureEncoding })))
        .filter(isWrong);
      expect(wrongOf(given)).toEqual([]);
      const explained = given.filter(({ cause }) => cause !== 'unexplained');
      expect(explained.length).toBeGreaterThan(45);
    },
  );

  test('a digest other than HMAC-SHA256 of the text', () => {
    const given = wrongDigests.map(({ hash }) =>
      paid(Buffer.from(sent), Buffer.from(hash(sent, secretKey), 'latin1').toString('hex')),
    );
    expect(given.filter(({ cause }) => cause === 'unexplained')).toEqual([]);
    expect(wrongOf(given)).toEqual([]);
  });
});
