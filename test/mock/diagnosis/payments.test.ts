import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/mock/index.js';
import { initiate } from '../../helpers/signed-requests.js';
import { hex, hmac, merchant, ofPayment, otherMerchant, requestTime, secretKey, sent } from './support.js';

type Case = readonly [cause: string, title: string, signature: string, ...words: string[]];

function check(cause: string, _title: string, signature: string, ...words: string[]): void {
  const diagnosis = ofPayment(signature);
  expect(diagnosis.cause).toBe(cause);
  for (const each of words) expect(`${diagnosis.message} ${diagnosis.fix}`).toContain(each);
  expect(JSON.stringify(diagnosis)).not.toContain(secretKey);
}

const right = hex(sent);
const digest = hmac(sent);
const order = JSON.parse(sent) as Record<string, unknown>;
const sortedOrder = Object.fromEntries(Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1)));
const sortedJson = JSON.stringify(sortedOrder);
const spaced = 'body-pretty-printed';
const escaped = 'body-escaped';

/** System.Text.Json with its default encoder, written out by the rules of its documentation. */
function dotnet(json: string): string {
  const upper = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return json.replaceAll('\\"', '\\u0022').replaceAll(/[&'+<>`\u007f-\uffff]/g, upper);
}

/** Gson with its default HTML escaping. */
function gson(json: string): string {
  return json.replaceAll(/[&'<=>]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
}

function pascal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pascal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      pascal(inner),
    ]),
  );
}

/** Jackson's default pretty printer, written out for the shape of this order. */
const jackson = JSON.stringify(order, null, 2)
  .replaceAll(/^( *"[^"]+"): /gm, '$1 : ')
  .replace(
    /"items" : \[\n {4}\{\n([^]*?)\n {4}\}\n {2}\]/,
    (_all, inner: string) => `"items" : [ {\n${inner.replaceAll(/^ {2}/gm, '')}\n  } ]`,
  );

describe('a payment signed in Java, .NET or JavaScript', () => {
  const cases: Case[] = [
    [
      escaped,
      'System.Text.Json by default',
      hex(dotnet(sent)),
      'upper-case digits',
      'UnsafeRelaxedJsonEscaping',
    ],
    [
      `field-names + ${escaped}`,
      'JsonSerializer.Serialize beside PostAsJsonAsync',
      hex(dotnet(JSON.stringify(pascal(order)))),
      'PascalCase',
      'JsonSerializerOptions.Web',
    ],
    ['field-names', 'PascalCase with the relaxed encoder', hex(JSON.stringify(pascal(order))), 'PascalCase'],
    [
      `${spaced} + ${escaped}`,
      'System.Text.Json, WriteIndented on Linux',
      hex(dotnet(JSON.stringify(order, null, 2))),
      'WriteIndented = false',
    ],
    [
      `${spaced} + ${escaped} + line-breaks`,
      'System.Text.Json, WriteIndented on Windows',
      hex(dotnet(JSON.stringify(order, null, 2)).replaceAll('\n', '\r\n')),
      'CR LF',
    ],
    [
      `${spaced} + line-breaks`,
      'Newtonsoft, Formatting.Indented on Windows',
      hex(JSON.stringify(order, null, 2).replaceAll('\n', '\r\n')),
      'CR LF',
      '2 spaces',
    ],
    [
      escaped,
      'Jackson, ESCAPE_NON_ASCII',
      hex(
        sent.replaceAll(
          /[\u0080-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
        ),
      ),
      'ESCAPE_NON_ASCII',
    ],
    [escaped, 'Gson by default', hex(gson(sent)), '= (\\u003d)', 'disableHtmlEscaping'],
    [spaced, 'Jackson, INDENT_OUTPUT', hex(jackson), 'Jackson', 'INDENT_OUTPUT'],
    [
      'number-format',
      'Java double',
      hex(sent.replaceAll('12000000', '1.2E7')),
      '1.2E7',
      'long or BigDecimal',
    ],
    [
      'number-format',
      'BigDecimal with a scale of 2',
      hex(sent.replaceAll('12000000', '12000000.00')),
      '12000000.00',
    ],
    [
      'value-types',
      'amounts as strings',
      hex(sent.replaceAll('12000000', '"12000000"')),
      'amounts as strings',
    ],
    ['other-notation', 'toString() of a map', hex(javaMap(order)), 'Java map', 'order.toString()'],
    [
      'null-fields-added',
      'Jackson without Include.NON_NULL',
      hex(
        JSON.stringify({
          ...order,
          lang: null,
          terminalType: null,
          installment: null,
          seller: null,
          transExpiredTime: null,
          sendEmail: null,
        }),
      ),
      'null',
      'setSerializationInclusion',
    ],
    [spaced, 'JSON.stringify with 4', hex(JSON.stringify(order, null, 4)), 'third argument'],
    ['body-wrapped', 'JSON.stringify twice', hex(JSON.stringify(sent)), 'twice'],
    ['body-placeholder', 'the object itself', hex('[object Object]'), '[object Object]'],
    ['body-placeholder', 'undefined', hex('undefined'), 'undefined'],
    ['body-empty', 'a body that a parser has read', hex(''), 'empty'],
    ['body-wrapped', 'inside data', hex(`{"data":${sent}}`), 'data'],
    [
      'field-omitted',
      'signed before a field was added',
      hex(JSON.stringify({ ...order, sendSms: undefined })),
      'sendSms',
    ],
    [
      'field-omitted',
      'signed before a field was added inside',
      hex(sent.replace(',"currency":"VND"},"items"', '},"items"')),
      'amount.currency',
    ],
    ['body-part', 'only the items', hex(JSON.stringify(order['items'])), 'items'],
    ['body-part', 'only the reference', hex('ORDER:2026-0001'), 'referenceId'],
    ['url-encoded', 'encodeURIComponent', hex(encodeURIComponent(sent))],
    ['body-encoding', 'Buffer.from(text, "latin1")', hex(Buffer.from(sent, 'latin1')), 'low byte'],
    ['body-encoding', 'Encoding.Unicode', hex(Buffer.from(sent, 'utf16le')), 'UTF-16LE'],
    ['body-encoding', 'Encoding.ASCII', hex(sent.replaceAll(/[^\0-\x7f]/g, '?')), 'ASCII'],
    ['unicode-normalised', 'NFD', hex(sent.normalize('NFD')), 'NFD'],
  ];

  test.each(cases)('is explained as %s: %s', check);

  function javaMap(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(javaMap).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return String(value);
    return `{${Object.entries(value)
      .map(([name, inner]) => `${name}=${javaMap(inner)}`)
      .join(', ')}}`;
  }
});

describe('a payment with more than its body in the signed text', () => {
  const cases: Case[] = [
    ['text-added', 'body and Request-Time', hex(sent + requestTime), 'followed by the Request-Time'],
    ['text-added', 'Request-Time and body', hex(requestTime + sent), 'preceded by the Request-Time'],
    ['text-added', 'body, line feed, Request-Time', hex(`${sent}\n${requestTime}`), '"\\n"'],
    ['text-added', 'Request-Time | body', hex(`${requestTime}|${sent}`), '"|"'],
    ['text-added', 'client and body', hex(merchant.clientId + sent), 'the Client-Id'],
    ['text-added', 'body and secret', hex(sent + secretKey), 'followed by the secret key'],
    ['text-added', 'secret and body', hex(secretKey + sent), 'preceded by the secret key'],
    [
      'text-added',
      'method, path, time and body',
      hex(`POST\n/v2/payments\n${requestTime}\n${sent}`),
      'the method, the path, the Request-Time',
    ],
    ['text-added', 'Request-Time . body', hex(`${requestTime}.${sent}`), '"."'],
    ['field-order + text-added', 'sorted, after Request-Time .', hex(`${requestTime}.${sortedJson}`), '"."'],
    [
      'text-added',
      'method, path, time and the hash of the body',
      hex(`POST\n/v2/payments\n${requestTime}\n${createHash('sha256').update(sent).digest('hex')}`),
      'the SHA-256 hash of the text',
      'without hashing it first',
    ],
    ['text-added', 'path and body', hex(`/v2/payments${sent}`), 'the path'],
    ['text-added', 'body and &key=', hex(`${sent}&key=${secretKey}`), '&key='],
    ['text-added', 'the idempotency key', hex(`key-1${sent}`), 'the Idempotency-Key'],
    [
      `${escaped} + text-added`,
      'escaped and with the time',
      hex(sent.replaceAll('/', '\\/') + requestTime),
      'JSON_UNESCAPED_SLASHES',
      'Request-Time',
    ],
  ];
  test.each(cases)('is explained as %s: %s', check);
});

describe.each([
  ['+07:00', '2026-11-20T03:04:05Z'],
  ['+00:00', '2026-11-20T10:04:05Z'],
  ['-03:30', '2026-11-20T13:34:05Z'],
])('a Request-Time at %s that is signed along', (requestTimeOffset, instant) => {
  const moment = Date.parse(instant);

  test.each([
    ['in seconds', String(moment / 1000), 'seconds since 1970'],
    ['in milliseconds', String(moment), 'milliseconds since 1970'],
    ['in ISO form', new Date(moment).toISOString(), 'ISO 8601'],
    ['in ISO form without milliseconds', instant, 'ISO 8601'],
  ])('%s is explained', async (_form, time, words) => {
    const mock = createMockService({ wire: { requestTimeOffset } });
    const { path, init } = initiate(sent, {
      headers: { 'Request-Time': requestTime, Signature: hex(time + sent) },
    });
    await mock.fetch(`https://mock.example${path}`, init);
    const { cause, message } = mock.journal.get(1)?.diagnosis ?? {};
    expect(cause).toBe('text-added');
    expect(message).toContain(words);
  });
});

describe('a body that is sent as JSON encoded twice', () => {
  const python = JSON.stringify(sent).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

  test.each([
    ['body-wrapped', 'by requests.post(json=text)', python, sent, secretKey],
    ['body-wrapped', 'by JSON.stringify of a text', JSON.stringify(sent), sent, secretKey],
    [
      'body-wrapped',
      'with spaces in the JSON inside',
      JSON.stringify(JSON.stringify(order, null, 1)),
      JSON.stringify(order, null, 1),
      secretKey,
    ],
    ['body-wrapped', 'with white space around it', ` ${JSON.stringify(sent)}\n`, sent, secretKey],
    [
      'body-wrapped + line-breaks',
      'with a line feed that was signed too',
      JSON.stringify(sent),
      `${sent}\n`,
      secretKey,
    ],
    [
      'body-wrapped + secret-trimmed',
      'with a line feed in the secret',
      JSON.stringify(sent),
      sent,
      `${secretKey}\n`,
    ],
  ])('is explained as %s: %s', (cause, _title, body, signed, secret) => {
    const diagnosis = ofPayment(hex(signed, secret), body);
    expect(diagnosis.cause).toBe(cause);
    expect(diagnosis.message).toContain('JSON encoded twice');
    expect(diagnosis.fix).toContain('data=body.encode(), not json=body');
  });
});

describe('a payment signed with a wrong key', () => {
  const cases: Case[] = [
    ['secret-trimmed', 'a line feed', hex(sent, `${secretKey}\n`), 'line feed'],
    ['secret-trimmed', 'CR LF', hex(sent, `${secretKey}\r\n`), 'CR LF'],
    ['secret-trimmed', 'a tab', hex(sent, `${secretKey}\t`), 'tab'],
    ['secret-trimmed', 'a space before', hex(sent, ` ${secretKey}`), 'space before'],
    ['secret-quoted', 'double quotes', hex(sent, `"${secretKey}"`), 'quotation marks'],
    ['secret-quoted', 'single quotes', hex(sent, `'${secretKey}'`), 'quotation marks'],
    ['secret-byte-order-mark', 'a byte order mark', hex(sent, `\uFEFF${secretKey}`), 'U+FEFF'],
    ['secret-empty', 'empty', hex(sent, ''), 'environment variable'],
    ['secret-encoded', 'in base64', hex(sent, Buffer.from(secretKey).toString('base64')), 'base64'],
    ['secret-encoded', 'in hex', hex(sent, Buffer.from(secretKey).toString('hex')), 'hex'],
    ['secret-decoded', 'from base64', hex(sent, Buffer.from(secretKey, 'base64')), 'base64'],
    [
      'secret-hashed',
      'SHA-256 hex',
      hex(sent, createHash('sha256').update(secretKey).digest('hex')),
      'SHA256',
    ],
    [
      'secret-hashed',
      'SHA-256 bytes',
      hex(sent, createHash('sha256').update(secretKey).digest()),
      'raw bytes',
    ],
    ['secret-hashed', 'MD5 hex', hex(sent, createHash('md5').update(secretKey).digest('hex')), 'MD5'],
    ['secret-case', 'upper case', hex(sent, secretKey.toUpperCase()), 'upper case'],
    ['secret-encoding', 'UTF-16LE', hex(sent, Buffer.from(secretKey, 'utf16le')), 'Encoding.UTF8'],
    ['secret-of-another-merchant', 'of another merchant', hex(sent, otherMerchant.secretKey), 'other-client'],
    ['secret-replaced', 'the client ID', hex(sent, merchant.clientId), 'Client-Id'],
    ['secret-replaced', 'the merchant ID', hex(sent, merchant.merchantId), 'merchantId'],
    ['secret-placeholder', 'undefined', hex(sent, 'undefined'), 'undefined'],
    [
      'secret-combined',
      'client and secret',
      hex(sent, `${merchant.clientId}:${secretKey}`),
      'the Client-Id and the secret key',
    ],
    [
      'secret-combined',
      'secret and &',
      hex(sent, `${secretKey}&${merchant.clientId}`),
      'the secret key and the Client-Id',
    ],
    ['secret-truncated', 'without the last character', hex(sent, secretKey.slice(0, -1)), 'last character'],
    [
      'body-pretty-printed + secret-trimmed',
      'spaced, and a line feed',
      hex(JSON.stringify(order, null, 2), `${secretKey}\n`),
      '2 spaces',
      'line feed',
    ],
    [
      'body-escaped + secret-encoded',
      'escaped, and in base64',
      hex(sent.replaceAll('/', '\\/'), Buffer.from(secretKey).toString('base64')),
      'JSON_UNESCAPED_SLASHES',
      'encoded as base64',
    ],
    [
      'body-wrapped + secret-encoded',
      'serialised twice, and in base64',
      hex(JSON.stringify(sent), Buffer.from(secretKey).toString('base64')),
      'twice',
      'encoded as base64',
    ],
    [
      'body-encoded + secret-placeholder',
      'base64, and None',
      hex(Buffer.from(sent).toString('base64'), 'None'),
      'None',
    ],
    ['secret-placeholder', 'a variable in single quotes', hex(sent, '$SECRET_KEY'), '$SECRET_KEY', 'Shell'],
    [
      'body-escaped + secret-quoted',
      'escaped, and in quotes',
      hex(sent.replaceAll('/', '\\/'), `'${secretKey}'`),
      'JSON_UNESCAPED_SLASHES',
      'quotation marks',
    ],
    ['body-pretty-printed + secret-trimmed', 'Jackson, and CR LF', hex(jackson, `${secretKey}\r\n`), 'CR LF'],
    ['field-order + secret-placeholder', 'sorted, and None', hex(sortedJson, 'None'), 'sorted', 'None'],
    [
      'field-order + body-pretty-printed + secret-trimmed',
      'sorted and spaced, and a line feed',
      hex(JSON.stringify(sortedOrder, null, 2), `${secretKey}\n`),
      'sorted',
      '2 spaces',
    ],
    [
      'body-encoding + secret-encoding',
      'Encoding.Unicode for both',
      hex(Buffer.from(sent, 'utf16le'), Buffer.from(secretKey, 'utf16le')),
      'Encoding.UTF8',
    ],
    [
      'unicode-normalised + body-escaped',
      'NFD, and escaped',
      hex(sent.normalize('NFD').replaceAll('/', '\\/')),
      'NFD',
      'JSON_UNESCAPED_SLASHES',
    ],
  ];
  test.each(cases)('is explained as %s: %s', check);
});

test.each(['   ', '$KEY', '# key', 'x'])(
  'an empty key is just that, also where other mistakes leave nothing of the secret key %j',
  (own) => {
    const diagnosis = ofPayment(hex(sent, ''), sent, { merchant: { ...merchant, secretKey: own } });
    expect(diagnosis.cause).toBe('secret-empty');
  },
);

describe('hashes', () => {
  const plain = (...parts: string[]) => createHash('sha256').update(parts.join('')).digest('hex');
  const other = (algorithm: string) => createHmac(algorithm, secretKey).update(sent).digest('hex');
  const cases: Case[] = [
    ['hash-unkeyed', 'SHA-256 of the body', plain(sent), 'plain SHA-256', 'hash_hmac'],
    ['hash-unkeyed', 'SHA-256 of secret and body', plain(secretKey, sent), 'the secret key and the text'],
    ['hash-unkeyed', 'SHA-256 of body and secret', plain(sent, secretKey), 'the text and the secret key'],
    [
      'hash-unkeyed',
      'MD5 of body and secret',
      createHash('md5')
        .update(sent + secretKey)
        .digest('hex'),
      'MD5',
    ],
    [
      'arguments-swapped',
      'text and key swapped',
      createHmac('sha256', sent).update(secretKey).digest('hex'),
      'Swap the arguments',
    ],
    ['hash-algorithm', 'SHA-1', other('sha1'), 'SHA-1'],
    ['hash-algorithm', 'MD5', other('md5'), 'MD5'],
    ['hash-algorithm', 'SHA-512', other('sha512'), 'SHA-512'],
    ['hash-algorithm', 'SHA-384', other('sha384'), 'SHA-384'],
    [
      'hash-algorithm + digest-base64',
      'SHA-1 in base64',
      createHmac('sha1', secretKey).update(sent).digest('base64'),
      'SHA-1',
      'base64',
    ],
    [
      'form-encoded + hash-algorithm',
      'SHA-512 of a form',
      createHmac('sha512', secretKey).update(outerForm(order)).digest('hex'),
      'sorted by name',
      'SHA-512',
    ],
    ['body-hashed', 'the hash of the body', hex(createHash('sha256').update(sent).digest('hex')), 'SHA256'],
    ['hash-twice', 'HMAC of the HMAC', hex(right), 'twice'],
    [
      `${escaped} + hash-unkeyed`,
      'escaped, and plain',
      plain(sent.replaceAll('/', '\\/')),
      'JSON_UNESCAPED_SLASHES',
      'plain SHA-256',
    ],
  ];
  test.each(cases)('is explained as %s: %s', check);
});

/** As the payment gateways of the region have a request signed: its outer texts and numbers, sorted. */
function outerForm(request: Readonly<Record<string, unknown>>): string {
  const scalars = Object.entries(request).filter(([, value]) => typeof value !== 'object');
  return new URLSearchParams(
    scalars.map(([name, value]): [string, string] => [name, String(value)]).sort(),
  ).toString();
}

const bytes = [...digest];
const signed = Array.from(new Int8Array(digest));

describe('a signature in another encoding', () => {
  const hyphens = right.toUpperCase().match(/../g)?.join('-') ?? '';
  const colons = right.match(/../g)?.join(':') ?? '';
  const cases: Case[] = [
    ['digest-upper-case', 'upper case', right.toUpperCase(), 'upper-case hex'],
    ['digest-base64', 'base64', digest.toString('base64'), 'base64'],
    ['digest-base64', 'URL-safe base64', digest.toString('base64url'), 'base64'],
    ['digest-base64', 'base64 without padding', digest.toString('base64').replace('=', ''), 'unpadded'],
    [
      'digest-base64-of-hex',
      'base64 of the hex digits',
      Buffer.from(right).toString('base64'),
      'base64_encode',
    ],
    [
      'body-empty + digest-prefixed',
      'mac.Sum(body) of Go',
      Buffer.concat([Buffer.from(sent), hmac('')]).toString('hex'),
      'mac.Sum(nil)',
    ],
    [
      'body-empty + digest-prefixed + digest-base64',
      'mac.Sum(body) of Go in base64',
      Buffer.concat([Buffer.from(sent), hmac('')]).toString('base64'),
      'mac.Sum(nil)',
    ],
    ['digest-hex-of-base64', 'hex of base64', Buffer.from(digest.toString('base64')).toString('hex')],
    ['digest-prefixed', 'sha256=', `sha256=${right}`, 'sha256='],
    ['digest-prefixed', 'HMAC', `HMAC ${right}`, 'HMAC'],
    ['digest-prefixed', 'openssl dgst', `SHA2-256(stdin)= ${right}`, 'openssl'],
    ['digest-prefixed', 'openssl dgst, older', `(stdin)= ${right}`, 'openssl'],
    ['digest-suffixed', 'openssl dgst -r', `${right} *stdin`, 'openssl dgst -r'],
    ['digest-prefixed', '0x', `0x${right}`, '0x'],
    [
      'digest-prefixed + digest-base64',
      'HMAC and base64',
      `HMAC-SHA256 ${digest.toString('base64')}`,
      'base64',
    ],
    [
      'digest-prefixed + digest-upper-case',
      'sha256= and upper case',
      `sha256=${right.toUpperCase()}`,
      'upper-case',
    ],
    ['digest-quoted', 'quoted', `"${right}"`, 'quotation marks'],
    ['digest-quoted', "Python's b''", `b'${right}'`, 'Python'],
    [
      'digest-quoted + digest-base64',
      "Python's b'' of base64",
      `b'${digest.toString('base64')}'`,
      'Python',
      'base64',
    ],
    ['digest-white-space', 'a space inside', `${right.slice(0, 32)} ${right.slice(32)}`, 'white space'],
    ['digest-truncated', 'the first half', right.slice(0, 32), 'first 32 digits'],
    ['digest-truncated', 'the first 20 digits', right.slice(0, 20), 'first 20 digits'],
    ['digest-truncated', 'the last half', right.slice(32), 'last 32 digits'],
    ['digest-separated + digest-upper-case', 'BitConverter', hyphens, 'BitConverter', 'upper-case'],
    ['digest-separated', 'openssl dgst -c', colons, 'separated'],
    ['digest-bytes', 'Arrays.toString', `[${signed.join(', ')}]`, 'Arrays.toString'],
    ['digest-bytes', 'a Go slice', `[${bytes.join(' ')}]`, 'fmt.Sprint'],
    ['digest-bytes', 'a JavaScript array', bytes.join(','), 'digest.toString'],
    ['digest-bytes', 'a printed buffer', `<Buffer ${right.match(/../g)?.join(' ') ?? ''}>`, 'Node.js'],
    [
      'digest-bytes',
      'negative bytes as integers',
      signed
        .map((byte) => (byte < 0 ? `ffffff${(byte + 256).toString(16)}` : byte.toString(16).padStart(2, '0')))
        .join(''),
      'ffffff',
    ],
    [
      'digest-percent-encoded + digest-base64',
      'base64 in a URL',
      encodeURIComponent(digest.toString('base64')),
      'percent-encoded',
    ],
    [
      'digest-zeros-dropped',
      'bytes without leading zeros',
      bytes.map((byte) => byte.toString(16)).join(''),
      '%02x',
    ],
  ];

  test.each(cases)('is explained as %s: %s', check);

  test('a digest with a last digit that is not hex is not explained', () => {
    expect(ofPayment(`${right.slice(0, -1)}g`).cause).toBe('secret-wrong');
  });

  test('a match of eleven digits explains nothing', () => {
    expect(ofPayment(right.slice(0, 11)).cause).toBe('secret-wrong');
  });
});

test.each([
  [
    new URLSearchParams(JSON.parse(sent) as Record<string, string>).toString(),
    /^The body that came is not JSON\./,
  ],
  [`\ufeff${sent}\n`, /^The secret key belongs/],
])(
  'a body that is not JSON is the first thing to check, where nothing explains its signature',
  (body, check) => {
    const { cause, checks } = ofPayment(hex(sent, 'nobody'), body);
    expect([cause, checks?.[0]]).toEqual(['secret-wrong', expect.stringMatching(check)]);
  },
);

describe('a signature for a service that expects base64', () => {
  const cases: Case[] = [
    ['digest-hex', 'hex', right, 'base64 is expected'],
    ['digest-hex', 'upper-case hex', right.toUpperCase(), 'base64 is expected'],
    ['digest-base64-of-hex', 'base64 of the hex digits', Buffer.from(right).toString('base64')],
    ['digest-prefixed', 'a prefix', `sha256=${digest.toString('base64')}`, 'sha256='],
    [
      escaped,
      'escaped slashes',
      hmac(sent.replaceAll('/', '\\/')).toString('base64'),
      'JSON_UNESCAPED_SLASHES',
    ],
    [`${escaped} + digest-hex`, 'escaped slashes, in hex', hex(sent.replaceAll('/', '\\/'))],
  ];
  test.each(cases)('is explained as %s: %s', (cause, _title, signature, ...words) => {
    const diagnosis = ofPayment(signature, sent, { signatureEncoding: 'base64' });
    expect(diagnosis.cause).toBe(cause);
    for (const each of words) expect(`${diagnosis.message} ${diagnosis.fix}`).toContain(each);
  });

  test('is shown in base64 where nothing explains it', () => {
    const diagnosis = ofPayment(hmac(sent, 'nobody').toString('base64'), sent, {
      signatureEncoding: 'base64',
    });
    expect(diagnosis).toMatchObject({ cause: 'secret-wrong', expected: digest.toString('base64') });
    expect(diagnosis.fix).toContain(digest.toString('base64'));
  });
});

describe('a secret key that was signed along', () => {
  test('is not shown, neither in bytes nor as JSON', () => {
    const key = 'se/cret"key';
    const withKey = { merchant: { ...merchant, secretKey: key } };
    const field = JSON.stringify({ ...order, secretKey: key });
    for (const signed of [sent + key, Buffer.from(sent + key, 'utf16le'), field]) {
      const diagnosis = ofPayment(hex(signed, key), sent, withKey);
      expect(diagnosis.cause).toMatch(/^(text|field)-added/);
      expect(diagnosis.received.replaceAll('\0', '')).not.toMatch(/se\\?\/cret/);
      expect(diagnosis.received).toContain('<secret key>');
    }
  });

  test('is shown where the body contains it, with the true first difference', () => {
    const withKey = { merchant: { ...merchant, secretKey: 'DEMO-MERCHANT' } };
    const diagnosis = ofPayment(hex(`${sent}\n`, 'DEMO-MERCHANT'), sent, withKey);
    expect(diagnosis).toMatchObject({ cause: 'line-breaks', received: `${sent}\n` });
    expect(diagnosis.firstDifference?.byte).toBe(Buffer.byteLength(sent));
  });

  test('is not in the words about a prefix', () => {
    const diagnosis = ofPayment(`${merchant.clientId}:${secretKey}:${right}`);
    expect(diagnosis.cause).toBe('digest-prefixed');
    expect(diagnosis.message).not.toContain(secretKey);
  });
});
