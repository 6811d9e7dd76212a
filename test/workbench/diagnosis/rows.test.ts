import { describe, expect, test } from 'vitest';
import { digests as allDigests } from '../../../src/workbench/diagnosis/digests.js';
import { wrongKeys } from '../../../src/workbench/diagnosis/keys.js';
import type { Words } from '../../../src/workbench/diagnosis/row.js';
import { nameRows, nullRows, orderRows } from '../../../src/workbench/diagnosis/signed/json-fields.js';
import { escapeRows, spacingRows } from '../../../src/workbench/diagnosis/signed/json-layouts.js';
import { valueRows } from '../../../src/workbench/diagnosis/signed/json-values.js';
import { notationRows } from '../../../src/workbench/diagnosis/signed/other-notations.js';
import { paymentTexts } from '../../../src/workbench/diagnosis/signed/payment-texts.js';
import type { TextsWith } from '../../../src/workbench/diagnosis/signed/signed-texts.js';
import { uploadTexts } from '../../../src/workbench/diagnosis/signed/upload-texts.js';
import { wholeTextRows } from '../../../src/workbench/diagnosis/signed/whole-text.js';
import type { Diagnosis } from '../../../src/workbench/diagnosis/types.js';
import { invoiceCanonicalString } from '../../../src/protocol/canonical-string.js';
import {
  fields,
  formOf,
  hex,
  hmac,
  merchant,
  ofPayment,
  ofUpload,
  refused,
  secretKey,
  sent,
} from './support.js';

// Each row of the lists is made on a request, and has to be explained by its own words alone.

type Bytes = string | Uint8Array;

/** Bodies and forms with something for every row: each kind of value, of character, and of white space. */
const odd = {
  merchant_id: 'a_b',
  b: null,
  c: '',
  d: [],
  e: {},
  f: true,
  g: false,
  digits: '12.50',
  spaced: ' Tủ ',
  amount: { value: 12_000_000, currency: 'VND' },
  items: [{ totalAmount: 0.5, description: 'd', price: '12000000', quantity: 2 }],
  shipping: { city: 'Ha Noi', ward: '\u2028=&<>\'"+`~!*()' },
  referenceId: 'R/1',
  z: "a\\nb!*'()",
};
const bodies = [
  '{"a":"Tủ / 😀 \'x\' ~*","b":1}',
  '{\n "a": 1\n}',
  sent,
  JSON.stringify(odd),
  JSON.stringify(odd, null, 2),
  ` ${JSON.stringify(odd, null, 2).replaceAll('\n', '\r\n')}\r\n`,
  JSON.stringify(sent),
  '{"c":{"a":"\\u1ee7\\/"},"price":12000000.00,"MerchantId":2,"1":1.50}',
  encodeURIComponent(sent),
  `\uFEFF${sent}`,
  sent.normalize('NFD'),
].map((each) => Buffer.from(each));
const recoded = [
  Buffer.from('{"a":"é"}', 'latin1'),
  Buffer.from('{"a":"é"}', 'utf16le'),
  Buffer.from('{"a":"é"}', 'utf16le').swap16(),
  Buffer.from(Buffer.from('{"a":"é"}').toString('latin1')),
];
const forms = [
  { ...fields, description: "a ~* 'x'", fileUrl: 'https://files.example/i.pdf', other: 'o' },
  { ...fields, description: ' <Tủ>\u0301 ', extraData: ' { "a": "ủ/" } ', storeId: '' },
  { referenceId: 'b', merchantId: 'c', storeId: 'a', paymentTransId: 'T', description: 'Tủ & "x" \'y\'' },
];

interface Made {
  readonly mistakes: readonly Words[];
  readonly value: Bytes | undefined;
}

/** The first row that leads to each value; the others are not shown by this request. */
function firstOf(all: Iterable<Made>): (readonly [row: Words, value: Bytes])[] {
  const known = new Set<string>();
  return Array.from(all).flatMap(({ mistakes: [row], value }) => {
    const identity = value === undefined ? '' : `:${Buffer.from(value).toString('latin1')}`;
    if (row === undefined || value === undefined || known.has(identity)) return [];
    known.add(identity);
    return [[row, value] as const];
  });
}

const singles = (texts: TextsWith) =>
  firstOf(Array.from(texts(1), ({ mistakes, text }) => ({ mistakes, value: text })));

/** A row, and the diagnosis of a request that has only its mistake. */
type Sample = readonly [row: Words, diagnose: () => Diagnosis];

const payments = [...bodies, ...recoded].flatMap((body) =>
  singles(paymentTexts(body, refused('/v2/payments', ''))).flatMap(([row, text]): Sample[] =>
    Buffer.from(text).equals(body) ? [] : [[row, () => ofPayment(hex(text), body)]],
  ),
);

const uploads = forms.flatMap((form) =>
  (['empty', 'omit'] as const).flatMap((absentFields) => {
    const request = { ...refused('/v2/payments/upload-invoice', ''), absentFields };
    const canonical = Buffer.from(invoiceCanonicalString(form, { absentFields }));
    return singles(uploadTexts(formOf(form), request)).flatMap(([row, text]): Sample[] =>
      Buffer.from(text).equals(canonical) ? [] : [[row, () => ofUpload(hex(text), form, { absentFields })]],
    );
  }),
);

const secrets = [secretKey, 'c2VjcmV0LWJ5dGVz=', ' Pad é ', '"q%41+$X#c\\d="', 'ab'.repeat(70)];
const keys = secrets.flatMap((secret) => {
  const own = { merchant: { ...merchant, secretKeys: [secret] as const } };
  const rows = wrongKeys({ ...refused('/v2/payments', ''), ...own });
  const made = firstOf(rows.map((row) => ({ mistakes: [row], value: row.change(secret) })));
  return made.flatMap(([row, key]): Sample[] =>
    Buffer.from(key).equals(Buffer.from(secret)) ? [] : [[row, () => ofPayment(hex(sent, key), sent, own)]],
  );
});

const digests = allDigests.flatMap(({ mistakes: [row], hash }): Sample[] => {
  const digest = hash(Buffer.from(sent), Buffer.from(secretKey));
  return row ? [[row, () => ofPayment(Buffer.from(digest, 'latin1').toString('hex'))]] : [];
});

const nameOf = ({ id, says }: Words) => `${id}: ${says}`;

describe('each mistake alone is explained by the words of its row', { timeout: 60_000 }, () => {
  test.each([
    ['payments', payments],
    ['uploads', uploads],
    ['keys', keys],
    ['digests', digests],
  ])('%s', (_what, samples) => {
    const shown = new Map(samples.toReversed().map((sample) => [nameOf(sample[0]), sample]));
    const others = [...shown].flatMap(([name, [, diagnose]]) => {
      const { cause, message } = diagnose();
      const words = `${cause}: ${message.replaceAll('<secret key>', secretKey)}`;
      return words === name ? [] : [`${name} is explained as ${words}`];
    });
    expect(others).toEqual([]);
  });
});

test('each row has an effect on some request', () => {
  const shown = new Set([...payments, ...uploads, ...keys, ...digests].map(([row]) => nameOf(row)));
  const request = refused('/v2/payments', '');
  const all = [
    ...valueRows,
    ...nullRows,
    ...nameRows,
    ...orderRows,
    ...spacingRows,
    ...notationRows,
    ...escapeRows,
    ...wholeTextRows(request),
    ...wrongKeys(request),
  ];
  expect(all.map(nameOf).filter((name) => !shown.has(name))).toEqual([]);
});

/** Every text with the mistakes of one library, and each other text with one mistake. */
function textsFor(texts: TextsWith): readonly Bytes[] {
  return [1, 2, 3].flatMap((count) => Array.from(texts(count), ({ text }) => text));
}

/** So many of a long list, spread over all of it. */
function sampled<Value>(list: readonly Value[], count: number): readonly Value[] {
  const step = Math.ceil(list.length / count);
  return list.filter((_each, index) => index % step === 0);
}

describe('a wrong text is explained together with', { timeout: 60_000 }, () => {
  const request = refused('/v2/payments', '');
  const wrong = wrongKeys(request).flatMap((row) => row.change(secretKey) ?? []);
  const notations: ((digest: Buffer) => string)[] = [
    (digest) => digest.toString('hex').toUpperCase(),
    (digest) => digest.toString('base64'),
    (digest) => `sha256=${digest.toString('hex')}`,
    (digest) => Buffer.from(digest.toString('hex')).toString('base64'),
  ];
  const besides: Record<string, (text: Bytes) => string[]> = {
    'each wrong key': (text) => wrong.map((key) => hex(text, key)),
    'each wrong digest': (text) =>
      allDigests.map(({ hash }) =>
        Buffer.from(hash(Buffer.from(text), Buffer.from(secretKey)), 'latin1').toString('hex'),
      ),
    'each notation': (text) => notations.map((write) => write(hmac(text))),
  };

  test.each(Object.keys(besides))('%s', (name) => {
    const beside = besides[name] ?? (() => []);
    const paid = textsFor(paymentTexts(Buffer.from(sent), request)).flatMap(beside);
    const uploaded = textsFor(
      uploadTexts(formOf(fields), refused('/v2/payments/upload-invoice', '')),
    ).flatMap(beside);
    const diagnoses = [
      ...sampled(paid, 6).map((signature) => ofPayment(signature)),
      ...sampled(uploaded, 6).map((signature) => ofUpload(signature)),
    ];
    expect(diagnoses.filter(({ cause }) => cause === 'unexplained')).toEqual([]);
  });
});
