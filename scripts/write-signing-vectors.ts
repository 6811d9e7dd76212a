/**
 * Writes test/vectors/signing.json: `npm run generate -- vectors`. It imports nothing of the package: canonical strings are
 * laid out here, by the specification, and each digest comes from the openssl command line. The values are frozen:
 * running it again changes nothing.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../test/vectors/signing.json', import.meta.url);

/** HMAC-SHA256 of exact bytes, by openssl. */
function openssl(text: string, secretKey: string, encoding: 'hex' | 'base64'): string {
  const key = `hexkey:${Buffer.from(secretKey).toString('hex')}`;
  const digest = execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', key, '-binary'], {
    input: text,
  });
  return digest.toString(encoding);
}

const demo = 'demo-secret';
const vietnamese = 'khoá-bí-mật';

/** Bodies of initiate requests and of webhooks: any bytes, which are signed as they are. */
const payments: readonly (readonly [name: string, secretKey: string, body: string])[] = [
  ['minimal body', demo, '{"referenceId":"ORDER:2026-0001","amount":{"value":1000000,"currency":"VND"}}'],
  [
    'the bytes decide, not the values',
    demo,
    '{ "amount": {"currency":"VND","value":1000000}, "referenceId":"ORDER:2026-0001" }',
  ],
  ['Vietnamese body', vietnamese, '{"description":"Trả góp điện thoại"}'],
  ['empty body', demo, ''],
  ['Vietnamese, decomposed', vietnamese, '{"description":"Trả góp điện thoại"}'.normalize('NFD')],
  ['escaped letters', demo, '{"description":"Tr\\u1ea3 g\\u00f3p"}'],
  ['escaped slashes', demo, '{"url":"https:\\/\\/shop.example\\/done"}'],
  ['plain slashes', demo, '{"url":"https://shop.example/done"}'],
  ['a number with a fraction', demo, '{"price":33333.33}'],
  ['a number with a zero as its fraction', demo, '{"price":1000000.0}'],
  ['a number with an exponent', demo, '{"price":1e6}'],
  ['the largest safe number', demo, '{"price":9007199254740991}'],
  ['an emoji of two units', demo, '{"description":"📄"}'],
  ['a byte order mark', demo, '\ufeff{}'],
  ['a trailing line feed', demo, '{}\n'],
  ['CR LF between the lines', demo, '{\r\n"a":1\r\n}'],
  ['a tab', demo, '{\t"a":1}'],
  ['a NUL character, escaped', demo, '{"a":"\\u0000"}'],
  ['line separators', demo, '{"a":"\u2028\u2029"}'],
  [
    'an array of items',
    demo,
    '{"items":[{"productId":"SKU-1","quantity":2},{"productId":"SKU-2","quantity":1}]}',
  ],
  ['a secret of one letter', 'đ', '{"a":1}'],
  ['a secret of 64 bytes, one block', 'k'.repeat(64), '{"a":1}'],
  ['a secret of 65 bytes, longer than a block', 'k'.repeat(65), '{"a":1}'],
  ['a secret with spaces inside', 'two words', '{"a":1}'],
  ['a body of 1,000 bytes', demo, `{"a":"${'b'.repeat(992)}"}`],
];

type Fields = Readonly<Record<string, string>>;

const references: Fields = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER:2026-0002' };
const whole: Fields = {
  merchantId: 'DEMO-MERCHANT',
  referenceId: 'ORDER:2026-0001',
  paymentTransId: 'PT-778',
  storeId: 'STORE-01',
  invoiceNumber: 'INV-1',
  invoiceDate: '2026-11-20T03:04:05Z',
  description: 'Television',
  extraData: '{"till":4}',
};
const vietnameseText = 'Hoá đơn tủ lạnh – Thành phố Hồ Chí Minh'.normalize('NFC');

/** Textual fields of uploads. */
const invoices: readonly (readonly [name: string, secretKey: string, fields: Fields, note?: string])[] = [
  ['every field', demo, whole],
  ['only the references', demo, references, 'a field that is not sent stands with an empty value'],
  ['empty field', demo, { ...references, description: '' }, 'an empty field signs as an absent one does'],
  [
    'separators inside values',
    demo,
    { merchantId: 'M&1', referenceId: 'R=1', description: 'a=b&extraData=c', extraData: '{"q":"x&y=z"}' },
    'values are not escaped',
  ],
  [
    'Vietnamese, composed',
    vietnamese,
    { merchantId: 'DEMO-MERCHANT', referenceId: 'DON-1', description: vietnameseText },
  ],
  [
    'Vietnamese, decomposed',
    vietnamese,
    { merchantId: 'DEMO-MERCHANT', referenceId: 'DON-1', description: vietnameseText.normalize('NFD') },
    'text is signed as given, never renormalised',
  ],
  [
    'line break and emoji',
    demo,
    { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER-9', description: 'line one\nline two 📄' },
    'a line feed stays one byte',
  ],
  // Each field alone beside the references: two that change places are seen in every one of them.
  ...Object.entries(whole)
    .slice(2)
    .map(([name, value]): [string, string, Fields] => [
      `only ${name}`,
      demo,
      { ...references, [name]: value },
    ]),
  // Each field missing.
  ...Object.keys(whole)
    .slice(2)
    .map((name): [string, string, Fields] => [
      `all but ${name}`,
      demo,
      Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name)),
    ]),
  ['the same value everywhere', demo, Object.fromEntries(Object.keys(whole).map((name) => [name, 'same']))],
  ['values that end in the name of the next field', demo, { ...whole, storeId: 'S&invoiceNumber=' }],
  ['percent signs and plus signs, not decoded', demo, { ...references, description: '100%25+1' }],
  ['spaces at both ends', demo, { ...references, description: '  a  ' }],
  ['JSON with letters and spaces', demo, { ...references, extraData: '{ "ca": "sáng" }' }],
];

function canonical(fields: Fields, isShown: (value: string | undefined) => boolean): string {
  const pairs: (readonly [label: string, value: string | undefined])[] = [
    ['merchantId=', fields['merchantId']],
    ['referenceId=', fields['referenceId']],
    ['paymentTransId=', fields['paymentTransId']],
    ['storeId=', fields['storeId']],
    ['invoiceNumber=', fields['invoiceNumber']],
    ['invoiceDate=', fields['invoiceDate']],
    ['description=', fields['description']],
    ['extraData=', fields['extraData']],
  ];
  return pairs
    .filter(([, value]) => isShown(value))
    .map(([name, value = '']) => name + value)
    .join('&');
}

const vectors = {
  about:
    'Golden signing vectors. Canonical strings follow the specification by hand; every HMAC-SHA256 was computed with the openssl command line.',
  rfc4231: [
    {
      name: 'RFC 4231 test case 2',
      secretKey: 'Jefe',
      body: 'what do ya want for nothing?',
      signature: openssl('what do ya want for nothing?', 'Jefe', 'hex'),
      base64: openssl('what do ya want for nothing?', 'Jefe', 'base64'),
    },
  ],
  invoice: invoices.map(([name, secretKey, fields, note]) => {
    const text = canonical(fields, () => true);
    const omitted = canonical(fields, (value) => value !== undefined);
    return {
      name,
      secretKey,
      fields,
      canonical: text,
      signature: openssl(text, secretKey, 'hex'),
      omitted: { canonical: omitted, signature: openssl(omitted, secretKey, 'hex') },
      ...(note && { note }),
    };
  }),
  payment: payments.map(([name, secretKey, body]) => ({
    name,
    secretKey,
    body,
    signature: openssl(body, secretKey, 'hex'),
    base64: openssl(body, secretKey, 'base64'),
  })),
};

interface Vector {
  readonly name: string;
  readonly signature: string;
}
const groups = ['rfc4231', 'invoice', 'payment'] as const;
const before = JSON.parse(readFileSync(file, 'utf8')) as Record<(typeof groups)[number], readonly Vector[]>;
for (const group of groups)
  for (const { name, signature } of before[group])
    if ((vectors[group] as readonly Vector[]).find((each) => each.name === name)?.signature !== signature)
      throw new Error(`${name}: a frozen signature would change`);
writeFileSync(file, `${JSON.stringify(vectors, null, 2)}\n`);
console.log(`${String(groups.flatMap<Vector>((group) => vectors[group]).length)} vectors`);
