import { describe, expect, test } from 'vitest';
import { paymentCandidates } from '../../../src/workbench/diagnosis/candidates/payment-candidates.js';
import { uploadCandidates } from '../../../src/workbench/diagnosis/candidates/upload-candidates.js';
import { wrongKeys } from '../../../src/workbench/diagnosis/keys.js';
import type { Candidates } from '../../../src/workbench/diagnosis/search.js';
import { wrongDigests } from '../../../src/workbench/diagnosis/signings.js';
import type { Case } from '../../workbench/diagnosis/corpus.js';
import { leadsToSignature } from '../../workbench/diagnosis/resign.js';
import {
  fields,
  formOf,
  hex,
  hmac,
  idsOf,
  merchant,
  otherMerchant,
  refused,
  secretKey,
  sent,
} from '../../workbench/diagnosis/support.js';

// Each row of the lists is applied to requests, and the IDs of the explanation must lead to the signature again.

type Bytes = string | Uint8Array;

/** Bodies and forms to which every row applies, mostly twice: each kind of value, of character, and of white space. */
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

/** One digest in the notations of different programs. */
const writings: readonly ((digest: Buffer, hexDigits: string) => string)[] = [
  (_digest, digits) => digits,
  (_digest, digits) => digits.toUpperCase(),
  (_digest, digits) => digits.slice(0, 32) + digits.slice(32).toUpperCase(),
  (digest) => digest.toString('base64'),
  (digest) => digest.toString('base64url'),
  (digest) => digest.toString('base64').replaceAll('=', ''),
  (digest) => `${digest.toString('base64url')}=`,
  (digest) => digest.toString('latin1'),
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

/** The texts of each single step. */
function textsOf({ sent: own, lists, alone, last = [] }: Candidates): Bytes[] {
  const steps = [...lists.flat(), ...alone];
  // The first of the thousands of orders of an upload are enough.
  for (const step of last) if (steps.push(step) > 400) break;
  return steps.flatMap((step) => step(own)?.text ?? []);
}

/** The cases without an explanation, and the wrong explanations. */
function wrongOf(given: readonly Case[], mayBeUnexplained = false): string[] {
  return given.flatMap((each) => {
    const ids = idsOf(each);
    if (!ids) return mayBeUnexplained ? [] : [`${each.signature}: unexplained`];
    try {
      return leadsToSignature(each, ids) ? [] : [`${each.signature}: ${ids.join(' + ')}`];
    } catch (error) {
      return [`${each.signature}: ${ids.join(' + ')}: ${String(error)}`];
    }
  });
}

type Wanted = Partial<Omit<Case, 'signature'>>;

const caseOf = (signature: string, wanted: Wanted): Case => ({
  name: '',
  operation: 'payment',
  body: Buffer.from(wanted.fields ? '' : sent),
  fields: {},
  secretKey,
  signature,
  ...wanted,
});
/** The cases whose signature is wrong. */
const wrongly = (signatures: Iterable<string>, right: string, wanted: Wanted) =>
  [...new Set(signatures)].filter((each) => each !== right).map((each) => caseOf(each, wanted));

describe('the signature follows from the IDs of the explanation of', () => {
  test.each([...bodies, ...recoded])('a body: %s', (body) => {
    const texts = textsOf(paymentCandidates(body, refused('/v2/payments', '')));
    expect(
      wrongOf(
        wrongly(
          texts.map((text) => hex(text)),
          hex(body),
          { body },
        ),
      ),
    ).toEqual([]);
  });

  test.each(forms.flatMap((form) => ([undefined, 'omit'] as const).map((absent) => [absent, form] as const)))(
    'an upload with this absentFields: %s, %o',
    (absentFields, fields) => {
      const request = { ...refused('/v2/payments/upload-invoice', ''), absentFields };
      const candidates = uploadCandidates(formOf(fields), request);
      const signatures = textsOf(candidates).map((text) => hex(text));
      const wanted = { operation: 'upload', fields, absentFields } as const;
      expect(wrongOf(wrongly(signatures, hex(candidates.sent.text ?? ''), wanted))).toEqual([]);
    },
  );

  test.each(secrets)('a key in %s: %s', (secretKeyEncoding, secret) => {
    const otherKey = Buffer.from(otherMerchant.secretKeys[0]).toString(secretKeyEncoding);
    const request = {
      ...refused('/v2/payments', ''),
      merchant: { ...merchant, secretKeys: [secret] as const },
      others: [{ ...otherMerchant, secretKeys: [otherKey] as const }],
      secretKeyEncoding,
    };
    const signatures = wrongKeys(request).map(({ key }) => hex(sent, key));
    const right = hex(sent, Buffer.from(secret, secretKeyEncoding));
    expect(wrongOf(wrongly(signatures, right, { secretKey: secret, secretKeyEncoding }))).toEqual([]);
  });

  test.each(['hex', 'hex-upper', 'base64', 'base64url'] as const)(
    'a signature whose expected notation is %s',
    (signatureEncoding) => {
      const digest = hmac(sent);
      const written = writings.map((write) => write(digest, digest.toString('hex')));
      const signatures = written.flatMap((text) => wraps.map((wrap) => wrap(text)));
      const right = digest.toString(signatureEncoding === 'hex-upper' ? 'hex' : signatureEncoding);
      const given = wrongly(signatures, signatureEncoding === 'hex-upper' ? right.toUpperCase() : right, {
        signatureEncoding,
      });
      expect(wrongOf(given, true)).toEqual([]);
      expect(given.filter((each) => idsOf(each) !== undefined)).toHaveLength(39);
    },
  );

  test('a digest other than HMAC-SHA256 of the text', () => {
    const signatures = wrongDigests.map(({ digest }) =>
      Buffer.from(digest(sent, secretKey), 'latin1').toString('hex'),
    );
    expect(wrongOf(wrongly(signatures, '', {}))).toEqual([]);
  });
});
