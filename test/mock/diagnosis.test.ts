import { createHmac } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  createMockService,
  DEMO_MERCHANT,
  type Diagnosis,
  type DiagnosisCause,
} from '../../src/mock/index.js';
import { paymentCandidates } from '../../src/mock/diagnosis/payment/candidate-texts.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../../src/protocol/canonical-string.js';
import { signPayment } from '../../src/protocol/signature.js';
import { initiate, now, order, upload, type PlainRequest } from '../helpers/signed-requests.js';

const secretKey: string = DEMO_MERCHANT.secretKey;
const other = { ...DEMO_MERCHANT, clientId: 'other-client', secretKey: 'other-secret' };

async function diagnosisOf(request: PlainRequest, merchants = [DEMO_MERCHANT, other]): Promise<Diagnosis> {
  const mock = createMockService({ now, merchants });
  const response = await mock.fetch(`https://sandbox.example${request.path}`, request.init);
  expect(await response.json()).toMatchObject({ resultStatus: 'INVALID_SIGNATURE' });
  const diagnosis = mock.journal.all()[0]?.diagnosis;
  if (!diagnosis) throw new Error('there is no diagnosis');
  expect(JSON.stringify(mock.journal.all())).not.toContain(secretKey);
  return diagnosis;
}

// Node has no other way to collect garbage in a process that was started without the flag.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function hmac(text: string, secret = secretKey): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

/** Every text that is tried as one mistake in a body, but for those that add a few characters to it. */
function textsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const refused = { merchant: DEMO_MERCHANT, others: [], signature: 'x'.repeat(64) };
  const { draft, stages } = paymentCandidates(bytes, text, refused);
  const texts = stages
    .flat()
    .filter(({ id }) => id !== 'text-added')
    .map((ingredient) => ingredient.apply(draft)?.text);
  return texts.filter((each) => each !== undefined);
}

function payment(body: string, signature: string): PlainRequest {
  return initiate(body, { headers: { Signature: signature } });
}

const body = JSON.stringify(order());

describe('a body that would grow without measure where it is indented', () => {
  test.each([
    ['nested', '['.repeat(500) + '1' + ',1'.repeat(50_000) + ']'.repeat(500)],
    ['wide and deep', '['.repeat(30) + '1' + ',1'.repeat(200_000) + ']'.repeat(30)],
  ])('is not indented: %s', { timeout: 60_000 }, async (_name, text) => {
    const sizes = textsOf(text).map(({ length }) => length);

    // An URL-encoded bracket or comma is three characters.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3 * text.length);
    expect(sizes.length).toBeGreaterThan(5);
    expect((await diagnosisOf(payment(text, 'x'.repeat(64)))).cause).toBe('secret-wrong');
  });

  test.each([
    ['field-order', '{"a":"x/y","b":1}'],
    ['body-escaped', '{"b":1,"a":"x\\/y"}'],
  ])('is told of the mistakes that need no indentation: %s', async (cause, signed) => {
    const nested = (inner: string) => '['.repeat(40) + inner + ']'.repeat(40);
    const request = payment(nested('{"b":1,"a":"x/y"}'), signPayment(nested(signed), secretKey));
    expect((await diagnosisOf(request)).cause).toBe(cause);
  });

  const long = 'x'.repeat(400_000);
  const short = '["a text that is worth a slice"]';
  const asOrder = JSON.stringify({ ...order(), extraData: long });
  test.each([
    ['indented', asOrder, JSON.stringify(JSON.parse(asOrder), null, 2)],
    ['different at its end', `["${long}", 1]`, `["${long}",1]`],
    ['trimmed of white space', short + ' '.repeat(400_000), short],
  ])('leaves nothing of itself but its start: %s', async (_title, sent, signed) => {
    const mock = createMockService({ now });
    const collected = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const { path, init } = payment(sent, signPayment(signed, secretKey));
    const refuse = async () => mock.fetch(`https://sandbox.example${path}`, init);
    await refuse();
    const before = await collected();
    for (let index = 0; index < 40; index++) await refuse();

    expect(mock.journal.all().every(({ diagnosis }) => diagnosis?.compared === 'signed text')).toBe(true);
    // The bodies are 16 MB.
    expect((await collected()) - before).toBeLessThan(8_000_000);
  });
});
const spaced = '{"referenceId": "A/1", "amount": {"value": 1, "currency": "VND"}, "items": [], "note": "Tủ"}';
const parsed: unknown = JSON.parse(spaced);

describe('a payment', () => {
  const signs = (text: string) => signPayment(text, secretKey);
  const cases: [DiagnosisCause, string, PlainRequest][] = [
    ['body-reserialised', 'compact JSON of a spaced body', payment(spaced, signs(JSON.stringify(parsed)))],
    ['body-pretty-printed', 'two spaces', payment(body, signs(JSON.stringify(order(), null, 2)))],
    ['body-pretty-printed', 'tabs', payment(body, signs(JSON.stringify(order(), null, '\t')))],
    ['body-pretty-printed', 'Python’s spacing', payment(JSON.stringify(parsed), signs(spaced))],
    ['body-escaped', 'escapes for what is not ASCII', payment('{"a":"Tủ"}', signs('{"a":"T\\u1ee7"}'))],
    ['body-escaped', 'PHP’s slashes', payment('{"a":"x/y"}', signs('{"a":"x\\/y"}'))],
    [
      'body-pretty-printed + body-escaped',
      'Python’s spacing and escapes',
      payment(JSON.stringify(parsed), signs(spaced.replace('ủ', '\\u1ee7'))),
    ],
    [
      'field-order',
      'sorted keys',
      payment(
        '{"b":1,"a":{"d":1,"c":[{"f":1,"e":null}]}}',
        signs('{"a":{"c":[{"e":null,"f":1}],"d":1},"b":1}'),
      ),
    ],
    ['body-empty', 'nothing', payment(body, signs(''))],
    ['values-trimmed', 'a body without its line feed', payment(`${body}\n`, signs(body))],
    ['line-breaks', 'a line feed that was not sent', payment(body, signs(`${body}\n`))],
    ['line-breaks', 'CR LF for LF', payment('{\n}', signs('{\r\n}'))],
    ['line-breaks', 'LF for CR LF', payment('{\r\n}', signs('{\n}'))],
    ['unicode-normalised', 'composed for decomposed', payment('{"a":"Tu\u0309"}', signs('{"a":"Tủ"}'))],
    [
      'unicode-normalised',
      'decomposed for composed',
      payment('{"a":"Tủ"}', signs('{"a":"Tủ"}'.normalize('NFD'))),
    ],
    ['url-encoded', 'percent signs', payment('{"a":1}', signs(encodeURIComponent('{"a":1}')))],
    ['digest-base64', 'base64', payment(body, hmac(body).toString('base64'))],
    ['digest-base64', 'base64url', payment(body, hmac(body).toString('base64url'))],
    ['digest-upper-case', 'upper case', payment(body, signs(body).toUpperCase())],
    ['digest-prefixed', 'a prefix', payment(body, `sha256=${signs(body)}`)],
    [
      'secret-trimmed',
      'a secret with a line feed',
      payment(body, hmac(body, `${secretKey}\n`).toString('hex')),
    ],
    [
      'secret-of-another-merchant',
      'the other secret',
      payment(body, hmac(body, other.secretKey).toString('hex')),
    ],
    ['secret-wrong', 'a secret that nobody has', payment(body, hmac(body, 'nobody').toString('hex'))],
    ['secret-wrong', 'something else under the empty body', payment('', 'something else')],
    [
      'body-reserialised + digest-base64',
      'base64 of the digest of another text',
      payment(spaced, hmac(JSON.stringify(parsed)).toString('base64')),
    ],
  ];

  test.each(cases)('%s: %s', async (cause, _mistake, request) => {
    const diagnosis = await diagnosisOf(request);
    expect(diagnosis.cause).toBe(cause);
    expect(diagnosis.message).toMatch(/\.$/);
  });

  test('a missing signature is said to be missing', async () => {
    const request = initiate();
    const { Signature: _dropped, ...headers } = request.init.headers;
    const diagnosis = await diagnosisOf({ ...request, init: { ...request.init, headers } });
    expect(diagnosis).toMatchObject({ cause: 'signature-missing', compared: 'signature', received: '' });
  });

  test('texts are compared up to the first byte that differs', async () => {
    const diagnosis = await diagnosisOf(
      payment('{"a":"Tủ","b": 1}', signPayment('{"a":"Tủ","b":1}', secretKey)),
    );
    expect(diagnosis).toEqual({
      cause: 'body-reserialised',
      message: expect.any(String) as unknown,
      fix: expect.any(String) as unknown,
      compared: 'signed text',
      expected: '{"a":"Tủ","b": 1}',
      received: '{"a":"Tủ","b":1}',
      firstDifference: {
        // Thirteen characters, one of which takes three bytes.
        byte: 16,
        expected: '{"a":"Tủ","b": 1}',
        received: '{"a":"Tủ","b":1}',
      },
    });
  });

  test('a difference inside a surrogate pair is one between characters', async () => {
    const text = '{"a":"\u{1f4c4}/"}';
    const diagnosis = await diagnosisOf(payment(text, signPayment('{"a":"\\ud83d\\udcc4/"}', secretKey)));
    expect(diagnosis.firstDifference?.byte).toBe(6);
  });

  test('a difference in the second half of a surrogate pair begins at its character', async () => {
    const text = '{"a":"\u{1109a}"}';
    const diagnosis = await diagnosisOf(payment(text, signPayment(text.normalize('NFD'), secretKey)));
    expect(diagnosis.cause).toBe('unicode-normalised');
    expect(diagnosis.firstDifference).toMatchObject({ byte: 6, expected: text });
  });

  test('signatures are compared where the text was right', async () => {
    const diagnosis = await diagnosisOf(payment(body, hmac(body).toString('base64')));
    expect(diagnosis).toMatchObject({
      compared: 'signature',
      expected: signPayment(body, secretKey),
      received: hmac(body).toString('base64'),
    });
    expect(diagnosis.firstDifference).toBeUndefined();
  });

  test('a large text is shown in part, its difference in full', async () => {
    const long = 'x'.repeat(20_000);
    const diagnosis = await diagnosisOf(payment(`["${long}", 1]`, signPayment(`["${long}",1]`, secretKey)));
    expect(diagnosis.expected.length).toBeLessThan(4100);
    expect(diagnosis.firstDifference).toMatchObject({
      byte: 20_004,
      received: expect.stringMatching(/x",1]$/) as unknown,
    });
  });

  test('a body nested 100,000 deep is diagnosed like any other', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect((await diagnosisOf(payment(deep, 'no'))).cause).toBe('secret-wrong');
  });

  test('a body that is no text is diagnosed by its bytes', async () => {
    const bytes = Uint8Array.from([0xff, 0xfe]);
    const base64 = createHmac('sha256', secretKey).update(bytes).digest('base64');
    expect((await diagnosisOf(initiate(bytes, { headers: { Signature: base64 } }))).cause).toBe(
      'digest-base64',
    );
  });

  test.each([
    ['secret-trimmed', ' padded secret ', 'padded secret'],
    ['secret-decoded', 'c2VjcmV0LWJ5dGVz', 'secret-bytes'],
    ['secret-decoded', Buffer.from('secret-bytes').toString('hex'), 'secret-bytes'],
  ])('%s: the merchant’s secret is %j, the client’s %j', async (cause, known, used) => {
    const merchants = [{ ...DEMO_MERCHANT, secretKey: known }, other];
    const diagnosis = await diagnosisOf(payment(body, hmac(body, used).toString('hex')), merchants);
    expect(diagnosis.cause).toBe(cause);
    expect(JSON.stringify(diagnosis)).not.toContain(used);
  });
});

describe('an upload', () => {
  const fields = {
    merchantId: 'DEMO-MERCHANT',
    referenceId: 'ORDER:2026-0001',
    invoiceNumber: ' INV 1 ',
    description: 'Tủ lạnh & tivi\nhai dòng',
  };
  const canonical = invoiceCanonicalString(fields);
  const fileUrl = 'https://files.example/i.pdf';
  const signs = (text: string) => hmac(text).toString('hex');
  const pairs = (names: readonly string[], values: Record<string, string> = fields) =>
    names.map((name) => `${name}=${values[name] ?? ''}`).join('&');
  const changed = (change: (value: string) => string) =>
    invoiceCanonicalString(
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)])),
    );
  const sent = ['merchantId', 'referenceId', 'description', 'invoiceNumber'];
  const swapped = { description: 'Tivi', invoiceNumber: 'INV-1' };
  const swappedPairs = pairs(sent, { ...fields, ...swapped });
  const formPairs = signedInvoiceFields.map((name): [string, string] => [
    name,
    (fields as Partial<Record<string, string>>)[name] ?? '',
  ]);

  const cases: [DiagnosisCause, string, PlainRequest][] = [
    [
      'absent-fields-omitted',
      'only what was sent',
      upload({ fields, signature: signs(invoiceCanonicalString(fields, { absentFields: 'omit' })) }),
    ],
    [
      'field-order',
      'alphabetical',
      upload({ fields, signature: signs(pairs([...signedInvoiceFields].sort())) }),
    ],
    [
      'absent-fields-omitted + field-order',
      'as sent',
      upload({ fields: swapped, signature: signs(swappedPairs) }),
    ],
    [
      'file-url-included',
      'at the end',
      upload({ fields: { ...fields, fileUrl }, signature: signs(`${canonical}&fileUrl=${fileUrl}`) }),
    ],
    [
      'file-url-included',
      'where the table of fields has it',
      upload({
        fields: { ...fields, fileUrl },
        signature: signs(canonical.replace('&description=', `&fileUrl=${fileUrl}&description=`)),
      }),
    ],
    [
      'values-trimmed',
      'values without their spaces',
      upload({ fields, signature: signs(changed((value) => value.trim())) }),
    ],
    ['unicode-normalised', 'decomposed', upload({ fields, signature: signs(canonical.normalize('NFD')) })],
    [
      'url-encoded',
      'each value by itself',
      upload({ fields, signature: signs(changed(encodeURIComponent)) }),
    ],
    [
      'url-encoded',
      'as a form',
      upload({
        fields,
        signature: signs(new URLSearchParams(formPairs).toString()),
      }),
    ],
    ['url-encoded', 'the whole string', upload({ fields, signature: signs(encodeURI(canonical)) })],
    ['line-breaks', 'CR LF for LF', upload({ fields, signature: signs(canonical.replace('\n', '\r\n')) })],
    [
      'line-breaks',
      'LF for the CR LF that a native FormData sends',
      upload({
        fields: { ...fields, description: 'a\r\nb' },
        signature: signs(invoiceCanonicalString({ ...fields, description: 'a\nb' })),
      }),
    ],
    ['digest-base64', 'base64', upload({ fields, signature: hmac(canonical).toString('base64') })],
    [
      'secret-trimmed',
      'a secret with a line feed',
      upload({ fields, signature: hmac(canonical, `${secretKey}\n`).toString('hex') }),
    ],
    [
      'secret-of-another-merchant',
      'the other secret',
      upload({ fields, signature: hmac(canonical, other.secretKey).toString('hex') }),
    ],
    [
      'secret-wrong',
      'a secret that nobody has',
      upload({ fields, signature: hmac(canonical, 'nobody').toString('hex') }),
    ],
    ['body-signed', 'JSON of the fields', upload({ fields, signature: signs(JSON.stringify(fields)) })],
    ['body-empty', 'nothing', upload({ fields, signature: signs('') })],
    ['signature-missing', 'nothing at all', upload({ fields, signature: '' })],
  ];

  test.each(cases)('%s: %s', async (cause, _mistake, request) => {
    expect((await diagnosisOf(request)).cause).toBe(cause);
  });

  test('body-signed: the whole multipart body', async () => {
    const request = upload({ fields });
    const signature = createHmac('sha256', secretKey).update(request.init.body).digest('hex');
    const headers = { ...request.init.headers, Signature: signature };
    expect((await diagnosisOf({ ...request, init: { ...request.init, headers } })).cause).toBe('body-signed');
  });

  test('both canonical strings are shown, and where they part', async () => {
    const { expected, received, firstDifference } = await diagnosisOf(
      upload({ fields, signature: signs(changed((value) => value.trim())) }),
    );
    expect(expected).toBe(canonical);
    expect(received).toBe(canonical.replace(' INV 1 ', 'INV 1'));
    expect(firstDifference?.byte).toBe(canonical.indexOf(' INV 1 '));
  });
});
