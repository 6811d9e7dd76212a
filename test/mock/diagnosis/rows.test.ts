import { describe, expect, test } from 'vitest';
import type { Ingredient, Stage, Candidates } from '../../../src/mock/diagnosis/ingredient.js';
import { keyStagesOf } from '../../../src/mock/diagnosis/key.js';
import { paymentCandidates } from '../../../src/mock/diagnosis/payment/candidate-texts.js';
import { uploadCandidates } from '../../../src/mock/diagnosis/upload/candidate-texts.js';
import { Variations, type Variation } from '../../../src/mock/diagnosis/variations.js';
import { invoiceCanonicalString } from '../../../src/protocol/canonical-string.js';
import { decodeUtf8 } from '../../../src/values/encodings.js';
import { merchant, otherMerchant, requestTime, secretKey, sent } from './support.js';

const request = { method: 'POST', path: '/v2/payments', requestTime, idempotencyKey: 'key-1' };
const refused = {
  merchant,
  others: [otherMerchant],
  signature: '',
  request: { ...request, contentType: 'application/json' },
};

/** A body with something for every row: each kind of value, of character, and of white space. */
const odd = {
  merchant_id: 'a_b',
  B: null,
  c: '',
  d: [],
  e: {},
  f: false,
  digits: '12.50',
  ' spaced ': ' Tủ \n',
  amount: { value: 12_000_000, currency: 'VND' },
  items: [{ price: 12_000_000.5, totalAmount: 0.25, quantity: 2 }, { price: '7' }],
  extraData: { a: [true, 1] },
  shipping: { city: 'ệ' },
  customer: { a: 1 },
  referenceId: "R/1\u2028=&<>'+`\u007f ﬁ ~!*()\u{1f600}#",
  merchantId: 'M',
  storeId: 'S',
  z: '</p>\\n"\r\n',
};
const indented = JSON.stringify(odd, null, 2);
const bodies = [
  sent,
  JSON.stringify(odd),
  `${indented}\n`,
  ` ${indented.replaceAll('\n', '\r\n')}\r\n`,
  JSON.stringify(sent),
  '{"c":{"a":"\\u1ee7\\/"},"price":12000000.00,"b":2,"1":1.50}',
  `\uFEFF${sent}`,
  encodeURIComponent(sent),
  sent.normalize('NFD'),
].map((each) => Buffer.from(each));
const recoded = ['latin1', 'utf16le'].map((encoding) => Buffer.from('{"a":"é"}', encoding as BufferEncoding));
const doubled = Buffer.from(Buffer.from('{"a":"é"}').toString('latin1'));
const payments = [...bodies, ...recoded, doubled].map((each) =>
  paymentCandidates(each, decodeUtf8(each), refused),
);

const forms: readonly Readonly<Record<string, string>>[] = [
  {
    merchantId: ' M  x ',
    referenceId: 'R:1',
    description: odd.referenceId,
    invoiceDate: '2026-11-20T23:04:05Z',
    extraData: '{"a":1,"b":"x=y/ủ"}',
    fileUrl: 'https://files.example/i.pdf',
    other: 'o',
    storeId: '',
  },
  { merchantId: 'B', referenceId: 'b', invoiceNumber: 'a', storeId: 'S', paymentTransId: 'T' },
];
const files = [{ name: 'invoice.pdf', bytes: Buffer.from('%PDF') }];
const uploads = forms.flatMap((fields) =>
  (['empty', 'omit'] as const).map((absentFields) => {
    const text = invoiceCanonicalString(fields, { absentFields });
    return uploadCandidates({ bytes: Buffer.from('--b'), fields, files }, text, { ...refused, absentFields });
  }),
);

const secrets = [secretKey, 'c2VjcmV0LWJ5dGVz=', ' Pad é ', 'e\u0301', '"q%41+$X#c\\d="', 'ab'.repeat(70)];
const keys = secrets.map((each) => {
  const stages = keyStagesOf({ ...refused, merchant: { ...merchant, secretKey: each } }, 'ORDER-1');
  return { root: Buffer.from(each), stages };
});

interface Space<Value> {
  readonly root: Value;
  readonly stages: readonly Stage<Value>[];
}

/** A row by its words, or by its place where it makes them of the request. */
function nameOf<Value>({ id, message }: Ingredient<Value>, place: number): string {
  return `${id}: ${typeof message === 'string' ? message : place}`;
}

function namesOf<Value>({ stages }: Space<Value>): Set<string> {
  return new Set(stages.flatMap((stage) => stage.map(nameOf)));
}

/** The rows that lead to a text or key of their own, alone, as a search finds them. */
function foundIn<Value>({ root, stages }: Space<Value>, bytesOf: (value: Value) => string | undefined) {
  const identify = ({ value }: Variation<Value>) => bytesOf(value);
  const options = { root, stages, identify, onTried: () => undefined, isOver: () => false };
  const variations = new Variations<Value>(options);
  const single = [1, 2, 3, 4, 5, 6].flatMap((cost) => {
    variations.makeSingle(cost);
    return variations.ofCost(cost);
  });
  const found = new Set(single.flatMap(({ steps }) => steps.map(({ ingredient }) => ingredient)));
  return stages.flatMap((stage) =>
    stage.flatMap((row, place) => (found.has(row) ? [nameOf(row, place)] : [])),
  );
}

/** The rows of every space of a kind, which no request makes, without those that one of the spaces leads to. */
function deadRows<Value>(spaces: readonly Space<Value>[], bytesOf: (value: Value) => string | undefined) {
  const [first = new Set<string>(), ...others] = spaces.map(namesOf);
  const found = new Set(spaces.flatMap((space) => foundIn(space, bytesOf)));
  return [...first].filter((name) => others.every((each) => each.has(name)) && !found.has(name));
}

describe('every row of a table leads to a signature of its own, alone, for one of the samples', () => {
  const signedBytes = ({ bytes, text }: Candidates['draft']) => {
    const signed = bytes ?? text;
    return signed === undefined ? undefined : Buffer.from(signed).toString('latin1');
  };
  const spaces = (all: readonly Candidates[]) => all.map(({ draft, stages }) => ({ root: draft, stages }));

  test('payments', () => {
    expect(deadRows(spaces(payments), signedBytes)).toEqual([]);
  });

  test('uploads', () => {
    const inPayments = new Set(spaces(payments).flatMap((space) => foundIn(space, signedBytes)));
    const dead = deadRows(spaces(uploads), signedBytes);
    expect(dead.filter((name) => !inPayments.has(name))).toEqual([]);
  });

  test('keys', () => {
    expect(deadRows(keys, (key) => key.toString('latin1'))).toEqual([]);
  });
});
