import {
  about,
  listed,
  mistakes,
  onKey,
  rarer,
  type Key,
  type KeyChange,
  type Rarity,
  type Row,
  type Stage,
} from './ingredient.js';
import {
  before,
  behind,
  component,
  digestOf,
  hashed,
  htmlEscaped,
  inJson,
  inLowerCase,
  inside,
  inUpperCase,
  normalised,
  percentDecoded,
  replaced,
  without,
  withoutEnds,
  written,
} from './text/rewrites.js';
import type { RefusedRequest } from './types.js';

const variables = ['SECRET_KEY', 'SECRET', 'CLIENT_SECRET', 'API_SECRET', 'MERCHANT_SECRET', 'HMAC_SECRET'];
const another = (value: string | undefined) => onKey(() => value);

function combined(
  name: string,
  value: string | undefined,
  key: string,
  rarity: Rarity,
  mark = '',
): Row<string>[] {
  const joined = mark === '' ? '' : `, joined by ${JSON.stringify(mark)}`;
  if (value === undefined) return [];
  return [
    [rarity, `${name} and the secret key${joined}`, value + mark + key],
    [4, `the secret key and ${name}${joined}`, key + mark + value],
  ];
}

/** A key that is not the secret key, or is made of it. */
function sourceStage({ merchant, others, request }: RefusedRequest, referenceId?: string): Stage<Key> {
  const { clientId, merchantId, secretKey } = merchant;
  const otherKeys = Array.from(others, (other): Row<string> => {
    return [2, other.clientId ?? 'of another merchant', other.secretKey];
  });
  const insteadOfKey = 'The text % was used as the key instead of the secret key.';
  return [
    ...mistakes('secret-empty', 'The key was empty.', another, [[2, '', '']]),
    ...about(
      clientId === undefined ? '' : ` (${clientId})`,
      mistakes('secret-of-another-merchant', 'The secret key is that of the client %.', another, otherKeys),
    ),
    ...mistakes('secret-replaced', '% was used as the key instead of the secret key.', another, [
      [2, 'The Client-Id', clientId],
      [2, 'The merchantId', merchantId],
      [4, 'The referenceId', referenceId],
      [3, 'The Request-Time', request?.requestTime],
      [4, 'The Idempotency-Key', request?.idempotencyKey],
    ]),
    ...mistakes('secret-placeholder', insteadOfKey, another, [
      ...listed(2, 'undefined | null | None'),
      ...listed(3, 'nil | false | NaN | [object Object] | secret | secretKey | secret_key | your-secret-key'),
      ...listed(3, 'YOUR_SECRET_KEY | INSTALLMENT_SECRET_KEY | $INSTALLMENT_SECRET_KEY'),
      ...listed(3, '${INSTALLMENT_SECRET_KEY} | SECRET_KEY | <SECRET_KEY> | demo-secret | {{secret}}'),
      ...listed(3, '{{secretKey}} | {{secret_key}} | {{SECRET_KEY}} | %INSTALLMENT_SECRET_KEY%'),
      ...listed(3, 'process.env.INSTALLMENT_SECRET_KEY | secret-key | changeme | test | key | sha256'),
    ]),
    ...variables.flatMap((name) =>
      mistakes('secret-placeholder.variable', insteadOfKey, another, [
        ...listed(4, `$${name} | \${${name}} | %${name}% | {{${name}}} | process.env.${name}`),
      ]),
    ),
    ...mistakes('secret-combined', 'The key was made of %.', another, [
      ...[':', '', '&', '.', '-', '|', '_'].flatMap((mark) => [
        ...combined('the Client-Id', clientId, secretKey, 3, mark),
        ...combined('the merchantId', merchantId, secretKey, 4, mark),
      ]),
      ...combined('the Request-Time', request?.requestTime, secretKey, 4),
      [4, 'the secret key twice', secretKey + secretKey],
    ]),
  ];
}

function decoded(encoding: BufferEncoding, shape: RegExp): KeyChange {
  return (text) => (shape.test(text) ? Buffer.from(text, encoding) : undefined);
}

const base64Letters: KeyChange = (text) => Buffer.from(text.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64');

function hashes(rarity: Rarity, name: string): Row<KeyChange>[] {
  const { hex, ...others } = hashed(name);
  const forms = { 'raw bytes': (text: string) => digestOf(name, text), ...others };
  return [
    [rarity, `${name} (hex)`, hex],
    ...Object.entries(forms).map(([form, hash]) => [rarer(rarity, 1), `${name} (${form})`, hash] as const),
  ];
}

function first(length: number): Row<KeyChange> {
  return [4, String(length), (_text, key) => (key.length > length ? key.subarray(0, length) : undefined)];
}

const formStage: Stage<Key> = [
  ...mistakes('secret-decoded', 'The secret key was decoded from % before use.', onKey, [
    [2, 'base64', decoded('base64', /^[\w+/-]+={0,2}$/)],
    [2, 'hex', decoded('hex', /^(?:[0-9a-f]{2})+$/i)],
    [4, 'base64, without other characters', base64Letters],
    [4, 'hex, up to the first character that is not a digit', (text) => Buffer.from(text, 'hex')],
    [4, 'percent-encoding', percentDecoded],
    [4, 'a form, in which + is a space', replaced('+', ' ')],
  ]),
  ...mistakes('secret-encoded', 'The secret key was encoded as % before use.', onKey, [
    [2, 'base64', written('base64')],
    [2, 'hex', written('hex')],
    [3, 'URL-safe base64', written('base64url')],
    [3, 'upper-case hex', (text) => inUpperCase(written('hex')(text))],
    [4, 'base64 with a line feed at its end', (text) => `${written('base64')(text)}\n`],
    [4, 'base64 of the key with a line feed', (text) => written('base64')(`${text}\n`)],
    [3, 'a URL component', component],
    [4, 'JSON, in quotation marks', inJson],
    [4, 'HTML', htmlEscaped('&amp; &lt; &gt; &quot;')],
  ]),
  ...mistakes('secret-hashed', 'The secret key was hashed with % before use.', onKey, [
    ...hashes(2, 'SHA256'),
    ...hashes(2, 'MD5'),
    ...hashes(4, 'SHA1'),
    ...hashes(4, 'SHA512'),
  ]),
  ...mistakes('secret-case', 'The secret key was used in %.', onKey, [
    [3, 'upper case', inUpperCase],
    [3, 'lower case', inLowerCase],
  ]),
  ...mistakes('secret-encoding', 'The secret key was turned into bytes as %, not as UTF-8.', onKey, [
    [2, 'UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
    [4, 'UTF-16BE', (text) => Buffer.from(text, 'utf16le').swap16()],
    [3, 'Latin-1', (text) => Buffer.from(text, 'latin1')],
    [4, 'Unicode NFC', normalised('NFC')],
    [4, 'Unicode NFD', normalised('NFD')],
  ]),
  ...mistakes('secret-truncated', 'The secret key was used without %.', onKey, [
    [4, 'its first character', (text) => text.slice(1)],
    [4, 'its last character', (text) => text.slice(0, -1)],
    [3, 'the = at its end', without(/=+$/g), 'secret-truncated.equals'],
    [3, '$ and its name (a shell)', without(/\$(?:\w+|\{\w*\}|\W|$)/g), 'secret-truncated.dollar'],
    [3, '# and the rest (a comment in a .env file)', without(/\s*#.*$/gs), 'secret-truncated.comment'],
    [4, 'its backslashes', without('\\'), 'secret-truncated.backslashes'],
  ]),
  ...mistakes('secret-truncated.length', 'Only the first % bytes of the secret key were used.', onKey, [
    ...[32, 16, 24, 64, 20, 8, 10].map(first),
  ]),
];

const paddingStage: Stage<Key> = mistakes('secret-trimmed', 'The secret key was used %.', onKey, [
  [2, 'with a line feed at its end', behind('\n')],
  [2, 'with CR LF at its end', behind('\r\n')],
  [2, 'without the white space at its ends', withoutEnds],
  [2, 'with a space at its end', behind(' ')],
  [2, 'with a space before it', before(' ')],
  [3, 'with a tab at its end', behind('\t')],
  [3, 'with a tab before it', before('\t')],
  [3, 'with a carriage return at its end', behind('\r')],
  [4, 'with two line feeds at its end', behind('\n\n')],
  [4, 'with a line feed before it', before('\n')],
  [4, 'with a space at each end', inside(' ')],
  [4, 'with a no-break space at its end', behind('\u00a0')],
  [4, 'with a zero-width space at its end', behind('\u200b')],
  [2, 'with " around it', inside('"'), 'secret-quoted'],
  [2, "with ' around it", inside("'"), 'secret-quoted'],
  [3, 'with ` around it', inside('`'), 'secret-quoted'],
  [3, 'without the quotation marks around it', replaced(/^(["'])(.*)\1$/gs, '$2'), 'secret-quoted.removed'],
  [4, 'with < and > around it', inside('<', '>'), 'secret-quoted.angle'],
  [4, "with Python's b'' around it", inside("b'", "'"), 'secret-quoted.python'],
  [3, 'with a byte order mark (U+FEFF) before it', before('\uFEFF'), 'secret-byte-order-mark'],
  ...[':', ';', ',', '='].map(
    (mark) => [4, `with ${mark} at its end`, behind(mark), 'secret-extended'] as const,
  ),
  [3, 'with & at its end', behind('&'), 'secret-extended'],
  [4, 'with . at its end', behind('.'), 'secret-extended'],
]);

/** Which key was taken, in which form, and with which text around it. */
export function keyStagesOf(refused: RefusedRequest, referenceId: string | undefined): Stage<Key>[] {
  return [sourceStage(refused, referenceId), formStage, paddingStage];
}
