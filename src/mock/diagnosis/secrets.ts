import { createHash } from 'node:crypto';
import { rarer, type Ingredient, type Rarity, type Stage } from './draft.js';
import type { Mistake, RefusedRequest } from './types.js';

/** The key of the HMAC as bytes. */
export type Secret = Buffer;

type Change = (secret: Secret) => Secret | string | undefined;

function ingredient(
  id: Mistake,
  rarity: Rarity,
  message: string,
  fix: string,
  change: Change,
): Ingredient<Secret> {
  return {
    id,
    rarity,
    message,
    fix,
    apply: (secret) => {
      const changed = change(secret);
      // An empty key is a mistake of its own.
      if (changed === undefined || (changed.length === 0 && id !== 'secret-empty')) return undefined;
      return Buffer.from(changed);
    },
  };
}

const trimFix =
  'Store and use the secret key without white space at its ends. Shell: printf %s "$SECRET" > file. PHP, Java, .NET: trim what is read from a file. Python: .strip(). Kubernetes: echo -n before base64.';

function padded(rarity: Rarity, what: string, change: (secret: string) => string): Ingredient<Secret> {
  return ingredient('secret-trimmed', rarity, `The secret key was used with ${what}.`, trimFix, (secret) =>
    change(secret.toString()),
  );
}

function quoted(quote: string): Ingredient<Secret> {
  return ingredient(
    'secret-quoted',
    3,
    `The secret key was used with ${quote} around it.`,
    'Remove the quotation marks. Docker and many .env readers take them as part of the value.',
    (secret) => `${quote}${secret.toString()}${quote}`,
  );
}

/** What stands around the secret key. */
const paddingStage: Stage<Secret> = [
  padded(2, 'a line feed at its end', (secret) => `${secret}\n`),
  padded(2, 'CR LF at its end', (secret) => `${secret}\r\n`),
  ingredient(
    'secret-trimmed',
    2,
    'The secret key was used without the white space at its ends.',
    trimFix,
    (secret) => secret.toString().replaceAll(/^[ \t\r\n\f\v\0]+|[ \t\r\n\f\v\0]+$/g, ''),
  ),
  padded(2, 'a space at its end', (secret) => `${secret} `),
  padded(2, 'a space before it', (secret) => ` ${secret}`),
  padded(3, 'a tab at its end', (secret) => `${secret}\t`),
  padded(3, 'a tab before it', (secret) => `\t${secret}`),
  padded(3, 'a carriage return at its end', (secret) => `${secret}\r`),
  padded(4, 'two line feeds at its end', (secret) => `${secret}\n\n`),
  padded(4, 'a line feed before it', (secret) => `\n${secret}`),
  padded(4, 'a space at each end', (secret) => ` ${secret} `),
  padded(4, 'a no-break space at its end', (secret) => `${secret}\u00a0`),
  padded(4, 'a zero-width space at its end', (secret) => `${secret}\u200b`),
  quoted('"'),
  quoted("'"),
  quoted('`'),
  ingredient(
    'secret-quoted',
    3,
    'The secret key was used without the quotation marks around it.',
    'Use the secret key exactly as it was issued.',
    (secret) => secret.toString().replace(/^(["'])(.*)\1$/s, '$2'),
  ),
  ingredient(
    'secret-quoted',
    4,
    'The secret key was used with < and > around it.',
    'Remove the angle brackets of the documentation.',
    (secret) => `<${secret.toString()}>`,
  ),
  ingredient(
    'secret-quoted',
    4,
    "The secret key was used with Python's b'' around it.",
    'Python: secret.encode(), not str(secret_bytes).',
    (secret) => `b'${secret.toString()}'`,
  ),
  ingredient(
    'secret-byte-order-mark',
    3,
    'The secret key was used with a byte order mark (U+FEFF) before it.',
    'Save the file with the secret key as UTF-8 without BOM; Python: utf-8-sig.',
    (secret) => `\uFEFF${secret.toString()}`,
  ),
  ...[':', ';', ',', '=', '&', '.'].map((mark) =>
    padded(mark === '&' ? 3 : 4, `${mark} at its end`, (secret) => `${secret}${mark}`),
  ),
];

const decodeFix = 'Use the text of the secret key as it was issued, as UTF-8 bytes, without decoding it.';
const encodeFix = 'Use the text of the secret key as it was issued, as UTF-8 bytes, without encoding it.';

function fromHex(secret: Secret): Secret | undefined {
  const text = secret.toString();
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

function fromBase64(secret: Secret): Secret | undefined {
  const text = secret.toString();
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function decoded(rarity: Rarity, from: string, change: Change): Ingredient<Secret> {
  return ingredient(
    'secret-decoded',
    rarity,
    `The secret key was decoded from ${from} before use.`,
    decodeFix,
    change,
  );
}

function encoded(rarity: Rarity, as: string, change: Change): Ingredient<Secret> {
  return ingredient(
    'secret-encoded',
    rarity,
    `The secret key was encoded as ${as} before use.`,
    encodeFix,
    change,
  );
}

function hashed(name: string, rarity: Rarity): Stage<Secret> {
  const digest = (secret: Secret) => createHash(name).update(secret).digest();
  const hash = (form: string, formRarity: Rarity, change: Change) =>
    ingredient(
      'secret-hashed',
      formRarity,
      `The secret key was hashed with ${name.toUpperCase()} (${form}) before use.`,
      'Use the secret key itself, without hashing it.',
      change,
    );
  return [
    hash('hex', rarity, (secret) => digest(secret).toString('hex')),
    hash('raw bytes', rarity, digest),
    hash('upper-case hex', rarer(rarity, 1), (secret) => digest(secret).toString('hex').toUpperCase()),
    hash('base64', rarer(rarity, 1), (secret) => digest(secret).toString('base64')),
  ];
}

function cased(what: string, change: (secret: string) => string): Ingredient<Secret> {
  return ingredient(
    'secret-case',
    3,
    `The secret key was used in ${what}.`,
    'Use the secret key exactly as it was issued: upper and lower case differ.',
    (secret) => change(secret.toString()),
  );
}

function inEncoding(name: string, rarity: Rarity, change: Change): Ingredient<Secret> {
  return ingredient(
    'secret-encoding',
    rarity,
    `The secret key was turned into bytes as ${name}, not as UTF-8.`,
    'Take the UTF-8 bytes of the secret key. .NET: Encoding.UTF8, not Encoding.Unicode. Java: StandardCharsets.UTF_8.',
    change,
  );
}

const cutLengths = [32, 16, 24, 64, 20, 8, 10];

/** What became of the secret key itself. */
const formStage: Stage<Secret> = [
  decoded(2, 'base64', fromBase64),
  decoded(2, 'hex', fromHex),
  decoded(4, 'base64, without the characters that base64 does not have', (secret) =>
    Buffer.from(secret.toString().replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64'),
  ),
  decoded(4, 'hex, up to the first character that is no digit', (secret) =>
    Buffer.from(secret.toString(), 'hex'),
  ),
  decoded(4, 'percent-encoding', (secret) => percentDecoded(secret.toString())),
  encoded(2, 'base64', (secret) => secret.toString('base64')),
  encoded(2, 'hex', (secret) => secret.toString('hex')),
  encoded(3, 'URL-safe base64', (secret) => secret.toString('base64url')),
  encoded(3, 'upper-case hex', (secret) => secret.toString('hex').toUpperCase()),
  encoded(4, 'base64 with a line feed at its end', (secret) => `${secret.toString('base64')}\n`),
  encoded(4, 'base64 of the key with a line feed', (secret) =>
    Buffer.from(`${secret.toString()}\n`).toString('base64'),
  ),
  encoded(3, 'a URL component', (secret) => encodeURIComponent(secret.toString())),
  encoded(4, 'JSON, in quotation marks', (secret) => JSON.stringify(secret.toString())),
  encoded(4, 'HTML', (secret) =>
    secret
      .toString()
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
  ),
  ...hashed('sha256', 3),
  ...hashed('md5', 3),
  ...hashed('sha1', 4),
  ...hashed('sha512', 4),
  cased('upper case', (secret) => secret.toUpperCase()),
  cased('lower case', (secret) => secret.toLowerCase()),
  inEncoding('UTF-16LE', 3, (secret) => Buffer.from(secret.toString(), 'utf16le')),
  inEncoding('UTF-16BE', 4, (secret) => Buffer.from(secret.toString(), 'utf16le').swap16()),
  inEncoding('Latin-1', 3, (secret) => Buffer.from(secret.toString(), 'latin1')),
  inEncoding('Unicode NFC', 4, (secret) => secret.toString().normalize('NFC')),
  inEncoding('Unicode NFD', 4, (secret) => secret.toString().normalize('NFD')),
  ...(
    [
      ['first', 1, undefined],
      ['last', 0, -1],
    ] as const
  ).map(([which, start, end]) =>
    ingredient(
      'secret-truncated',
      4,
      `The secret key was used without its ${which} character.`,
      'Copy the whole secret key.',
      (secret) => secret.toString().slice(start, end),
    ),
  ),
  ...cutLengths.map((length) =>
    ingredient(
      'secret-truncated',
      4,
      `Only the first ${length} bytes of the secret key were used.`,
      'Use the whole secret key; check the length of the column or variable that holds it.',
      (secret) => (secret.length > length ? secret.subarray(0, length) : undefined),
    ),
  ),
  ingredient(
    'secret-truncated',
    3,
    'The secret key was cut or changed by a shell that replaced $ and what follows.',
    'Shell and Docker Compose: put the secret key in single quotes, or write $$ for $.',
    (secret) => secret.toString().replaceAll(/\$(?:\w+|\{\w*\}|\W|$)/g, ''),
  ),
  ingredient(
    'secret-truncated',
    3,
    'The secret key was cut at # (a comment in a .env file).',
    'Put the secret key in quotation marks in the .env file.',
    (secret) => secret.toString().replace(/\s*#.*$/s, ''),
  ),
  ingredient(
    'secret-truncated',
    4,
    'The secret key was used without its backslashes.',
    'Escape the backslashes of the secret key, or read it from a file.',
    (secret) => secret.toString().replaceAll('\\', ''),
  ),
];

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const placeholders = [
  'undefined',
  'null',
  'None',
  'nil',
  'false',
  'NaN',
  '[object Object]',
  'secret',
  'secretKey',
  'secret_key',
  'your-secret-key',
  'YOUR_SECRET_KEY',
  'INSTALLMENT_SECRET_KEY',
  '$INSTALLMENT_SECRET_KEY',
  '${INSTALLMENT_SECRET_KEY}',
  'SECRET_KEY',
  '<SECRET_KEY>',
  'demo-secret',
  'changeme',
  'test',
  'key',
  'sha256',
];

function sourceStage(
  { merchant, others, request }: RefusedRequest,
  referenceId: string | undefined,
): Stage<Secret> {
  const instead = (rarity: Rarity, name: string, value: string | undefined) =>
    ingredient(
      'secret-replaced',
      rarity,
      `${name} was used as the key instead of the secret key.`,
      'Use the secret key as the key. The order of arguments: PHP hash_hmac(algo, text, key), Python hmac.new(key, text), Node.js createHmac(algo, key), Go hmac.New(hash, key).',
      () => value,
    );
  const combined = (rarity: Rarity, what: string, value: string) =>
    ingredient(
      'secret-combined',
      rarity,
      `The key was made of ${what}.`,
      'Use the secret key alone as the key.',
      () => value,
    );
  const { clientId, merchantId, secretKey } = merchant;
  const time = request?.header('Request-Time');
  return [
    ingredient(
      'secret-empty',
      2,
      'The key was empty.',
      'Check that the secret key is read: a missing environment variable or configuration value gives an empty key.',
      () => '',
    ),
    ...Array.from(others, (other) =>
      ingredient(
        'secret-of-another-merchant',
        2,
        `The secret key is that of the client ${other.clientId}.`,
        `Use the secret key of the client ${clientId}, or send the Client-Id ${other.clientId}.`,
        () => other.secretKey,
      ),
    ),
    instead(2, 'The Client-Id', clientId),
    instead(2, 'The merchantId', merchantId),
    instead(4, 'The referenceId', referenceId),
    instead(3, 'The Request-Time', time),
    instead(4, 'The Idempotency-Key', request?.header('Idempotency-Key')),
    ...placeholders.map((text) =>
      ingredient(
        'secret-placeholder',
        text === 'undefined' || text === 'null' ? 2 : 3,
        `The text ${text} was used as the key instead of the secret key.`,
        'Check that the secret key is read from the configuration, under the right name.',
        () => text,
      ),
    ),
    ...[':', '', '&', '.', '-', '|', '_'].flatMap((separator) => [
      combined(
        3,
        `the Client-Id and the secret key, joined by ${JSON.stringify(separator)}`,
        `${clientId}${separator}${secretKey}`,
      ),
      combined(
        4,
        `the secret key and the Client-Id, joined by ${JSON.stringify(separator)}`,
        `${secretKey}${separator}${clientId}`,
      ),
      combined(
        4,
        `the merchantId and the secret key, joined by ${JSON.stringify(separator)}`,
        `${merchantId}${separator}${secretKey}`,
      ),
      combined(
        4,
        `the secret key and the merchantId, joined by ${JSON.stringify(separator)}`,
        `${secretKey}${separator}${merchantId}`,
      ),
    ]),
    ...(time === undefined
      ? []
      : [
          combined(4, 'the secret key and the Request-Time', secretKey + time),
          combined(4, 'the Request-Time and the secret key', time + secretKey),
        ]),
    combined(4, 'the secret key twice', secretKey + secretKey),
  ];
}

/** What may have been taken as the key: which secret, in what form, and what stands around it. */
export function secretStages(refused: RefusedRequest, referenceId: string | undefined): Stage<Secret>[] {
  return [sourceStage(refused, referenceId), formStage, paddingStage];
}
