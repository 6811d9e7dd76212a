import { describe, expect, test } from 'vitest';
import { wrongDigests } from '../../../src/mock/diagnosis/digests.js';
import { wrongKeys } from '../../../src/mock/diagnosis/keys.js';
import type { Words } from '../../../src/mock/diagnosis/row.js';
import { paymentTexts } from '../../../src/mock/diagnosis/signed/payment-texts.js';
import type { SignedTexts } from '../../../src/mock/diagnosis/signed/signed-texts.js';
import { uploadTexts } from '../../../src/mock/diagnosis/signed/upload-texts.js';
import { wholeTextRows } from '../../../src/mock/diagnosis/signed/whole-text.js';
import type { Diagnosis } from '../../../src/mock/diagnosis/types.js';
import { invoiceCanonicalString } from '../../../src/protocol/canonical-string.js';
import { decodeUtf8 } from '../../../src/values/encodings.js';
import { fields, formOf, hex, merchant, ofPayment, ofUpload, refused, secretKey, sent } from './support.js';

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

/** The texts with one mistake in them, each by the first row that leads to it. */
function singles(sentText: string | undefined, { styles, others }: SignedTexts) {
  const made = [...styles(1)].flatMap(({ mistakes, text }) => mistakes.map((mistake) => ({ mistake, text })));
  const instead = others.map((mistake) => ({ mistake, text: mistake.change(undefined) }));
  const whole = sentText === undefined ? [] : wholeTextRows(refused('/v2/payments', ''));
  const wholeTexts = whole.map((mistake) => ({ mistake, text: mistake.change(sentText ?? '') }));
  return firstOf([...instead, ...made, ...wholeTexts]);
}

interface Made {
  readonly mistake: Words;
  readonly text: Bytes | undefined;
}

function firstOf(all: readonly Made[]): (Words & { readonly text?: Bytes })[] {
  const known = new Set<string>();
  return all.map(({ mistake: { id, says, fix }, text }) => {
    const identity = text === undefined ? undefined : Buffer.from(text).toString('latin1');
    if (text === undefined || identity === undefined || known.has(identity)) return { id, says, fix };
    known.add(identity);
    return { id, says, fix, text };
  });
}

/** A row, and the diagnosis of a request that has only its mistake; undefined where it has no effect. */
type Sample = readonly [row: Words, diagnose: (() => Diagnosis) | undefined];

const payments = [...bodies, ...recoded].flatMap((body) => {
  const text = decodeUtf8(body);
  return singles(text, paymentTexts(body, text)).map((row): Sample => {
    const { text: signed } = row;
    const hasEffect = signed !== undefined && !Buffer.from(signed).equals(body);
    return [row, hasEffect ? () => ofPayment(hex(signed), body) : undefined];
  });
});

const uploads = forms.flatMap((form) =>
  (['empty', 'omit'] as const).flatMap((absentFields) => {
    const canonical = invoiceCanonicalString(form, { absentFields });
    const texts = uploadTexts(formOf(form), { ...refused('/v2/payments/upload-invoice', ''), absentFields });
    return singles(undefined, texts).map((row): Sample => {
      const { text: signed } = row;
      const hasEffect = signed !== undefined && signed !== canonical;
      return [row, hasEffect ? () => ofUpload(hex(signed), form, { absentFields }) : undefined];
    });
  }),
);

const secrets = [secretKey, 'c2VjcmV0LWJ5dGVz=', ' Pad é ', '"q%41+$X#c\\d="', 'ab'.repeat(70)];
const keys = secrets.flatMap((secret) => {
  const own = { merchant: { ...merchant, secretKey: secret } };
  const rows = wrongKeys({ ...refused('/v2/payments', ''), ...own });
  const made = firstOf(rows.map((mistake) => ({ mistake, text: mistake.change(secret) })));
  return made.map(({ text: key, ...row }): Sample => {
    const hasEffect = key !== undefined && !Buffer.from(key).equals(Buffer.from(secret));
    return [row, hasEffect ? () => ofPayment(hex(sent, key), sent, own) : undefined];
  });
});

const digests = wrongDigests.map((row): Sample => {
  const digest = row.change({ text: Buffer.from(sent), key: Buffer.from(secretKey) });
  return [row, digest && (() => ofPayment(digest.toString('hex')))];
});

/** Rows that no sample shows, and rows that are explained by other words than their own. */
function problems(samples: readonly Sample[]): string[] {
  const shown = new Map<string, Sample>();
  for (const sample of samples) {
    const [{ id, says }, diagnose] = sample;
    const name = `${id}: ${says}`;
    if (diagnose ? !shown.get(name)?.[1] : !shown.has(name)) shown.set(name, sample);
  }
  return [...shown].flatMap(([name, [, diagnose]]) => {
    // Rows that are made of the fields of a request may come to the same as others.
    if (!diagnose) return /^(?:field-omitted|body-part)/.test(name) ? [] : [`${name} has no sample`];
    const { cause, message } = diagnose();
    const words = `${cause}: ${message.replaceAll('<secret key>', secretKey)}`;
    return words === name ? [] : [`${name} is explained as ${words}`];
  });
}

describe('each mistake alone is explained by the words of its row', { timeout: 60_000 }, () => {
  test.each([
    ['payments', payments],
    ['uploads', uploads],
    ['keys', keys],
    ['digests', digests],
  ])('%s', (_what, samples) => {
    expect(problems(samples)).toEqual([]);
  });
});
