import { createHash } from 'node:crypto';
import { rarer, type Ingredient, type Rarity, type Stage } from './draft.js';
import { percentDecoded } from './percent-encodings.js';
import { secretIngredient, type ChangeSecret, type Secret } from './secret.js';

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

function decoded(rarity: Rarity, from: string, change: ChangeSecret): Ingredient<Secret> {
  return secretIngredient(
    'secret-decoded',
    rarity,
    `The secret key was decoded from ${from} before use.`,
    decodeFix,
    change,
  );
}

function encoded(rarity: Rarity, as: string, change: ChangeSecret): Ingredient<Secret> {
  return secretIngredient(
    'secret-encoded',
    rarity,
    `The secret key was encoded as ${as} before use.`,
    encodeFix,
    change,
  );
}

function hashed(name: string, rarity: Rarity): Stage<Secret> {
  const digest = (secret: Secret) => createHash(name).update(secret).digest();
  const hash = (form: string, formRarity: Rarity, change: ChangeSecret) =>
    secretIngredient(
      'secret-hashed',
      formRarity,
      `The secret key was hashed with ${name.toUpperCase()} (${form}) before use.`,
      'Use the secret key itself, without hashing it.',
      change,
    );
  return [
    hash('hex', rarity, (secret) => digest(secret).toString('hex')),
    hash('raw bytes', rarer(rarity, 1), digest),
    hash('upper-case hex', rarer(rarity, 1), (secret) => digest(secret).toString('hex').toUpperCase()),
    hash('base64', rarer(rarity, 1), (secret) => digest(secret).toString('base64')),
  ];
}

function cased(what: string, change: (secret: string) => string): Ingredient<Secret> {
  return secretIngredient(
    'secret-case',
    3,
    `The secret key was used in ${what}.`,
    'Use the secret key exactly as it was issued: upper and lower case differ.',
    (secret) => change(secret.toString()),
  );
}

function inEncoding(name: string, rarity: Rarity, change: ChangeSecret): Ingredient<Secret> {
  return secretIngredient(
    'secret-encoding',
    rarity,
    `The secret key was turned into bytes as ${name}, not as UTF-8.`,
    'Take the UTF-8 bytes of the secret key. .NET: Encoding.UTF8, not Encoding.Unicode. Java: StandardCharsets.UTF_8.',
    change,
  );
}

const cutLengths = [32, 16, 24, 64, 20, 8, 10];

/** What became of the secret key itself. */
export const secretFormStage: Stage<Secret> = [
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
  decoded(4, 'a form, in which + is a space', (secret) => secret.toString().replaceAll('+', ' ')),
  secretIngredient(
    'secret-truncated',
    3,
    'The secret key was used without the = at its end.',
    'Use the whole secret key: = at its end is part of it.',
    (secret) => secret.toString().replace(/=+$/, ''),
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
  ...hashed('sha256', 2),
  ...hashed('md5', 2),
  ...hashed('sha1', 4),
  ...hashed('sha512', 4),
  cased('upper case', (secret) => secret.toUpperCase()),
  cased('lower case', (secret) => secret.toLowerCase()),
  inEncoding('UTF-16LE', 2, (secret) => Buffer.from(secret.toString(), 'utf16le')),
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
    secretIngredient(
      'secret-truncated',
      4,
      `The secret key was used without its ${which} character.`,
      'Copy the whole secret key.',
      (secret) => secret.toString().slice(start, end),
    ),
  ),
  ...cutLengths.map((length) =>
    secretIngredient(
      'secret-truncated',
      4,
      `Only the first ${length} bytes of the secret key were used.`,
      'Use the whole secret key; check the length of the column or variable that holds it.',
      (secret) => (secret.length > length ? secret.subarray(0, length) : undefined),
    ),
  ),
  secretIngredient(
    'secret-truncated',
    3,
    'The secret key was cut or changed by a shell that replaced $ and what follows.',
    'Shell and Docker Compose: put the secret key in single quotes, or write $$ for $.',
    (secret) => secret.toString().replaceAll(/\$(?:\w+|\{\w*\}|\W|$)/g, ''),
  ),
  secretIngredient(
    'secret-truncated',
    3,
    'The secret key was cut at # (a comment in a .env file).',
    'Put the secret key in quotation marks in the .env file.',
    (secret) => secret.toString().replace(/\s*#.*$/s, ''),
  ),
  secretIngredient(
    'secret-truncated',
    4,
    'The secret key was used without its backslashes.',
    'Escape the backslashes of the secret key, or read it from a file.',
    (secret) => secret.toString().replaceAll('\\', ''),
  ),
];
