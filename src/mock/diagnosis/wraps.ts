import { createHash } from 'node:crypto';
import { onBytes, onText, rarer, type Draft, type Ingredient, type Rarity, type Stage } from './draft.js';

const hashNames = ['sha256', 'md5', 'sha1', 'sha512'] as const;

function hashed(): Stage<Draft> {
  return hashNames.flatMap((name, index) => {
    const digest = (text: string) => createHash(name).update(text).digest();
    const forms = [
      ['hex', (text: string) => digest(text).toString('hex')],
      ['upper-case hex', (text: string) => digest(text).toString('hex').toUpperCase()],
      ['base64', (text: string) => digest(text).toString('base64')],
    ] as const;
    return forms.map(([form, change], place): Ingredient<Draft> => ({
      id: 'body-hashed',
      rarity: rarer(3, index + place),
      isHabit: index + place === 0,
      message: `The ${name.toUpperCase()} hash of the text (${form}) was signed instead of the text.`,
      fix: 'Sign the text itself, without hashing it first.',
      apply: onText(change),
    }));
  });
}

const wrapFix = 'Sign exactly the bytes that are sent, without anything around them.';

function wrapped(rarity: Rarity, message: string, change: (text: string) => string): Ingredient<Draft> {
  return { id: 'body-wrapped', rarity, isHabit: rarity === 3, message, fix: wrapFix, apply: onText(change) };
}

function encoded(rarity: Rarity, name: string, change: (text: string) => string): Ingredient<Draft> {
  return {
    id: 'body-encoded',
    rarity,
    isHabit: rarity === 3,
    message: `The ${name} of the text was signed instead of the text.`,
    fix: 'Sign the text as it is sent, without encoding it first.',
    apply: onText(change),
  };
}

/** As str() of Python writes bytes. */
function pythonBytes(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const written = Array.from(Buffer.from(text).toString('latin1'), (byte) => {
    if (byte === '\\' || byte === quote) return `\\${byte}`;
    if (byte === '\n') return '\\n';
    if (byte === '\r') return '\\r';
    if (byte === '\t') return '\\t';
    return byte >= ' ' && byte <= '~' ? byte : `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `b${quote}${written.join('')}${quote}`;
}

/** The text inside something else, or turned into something else. */
export const wrapStage: Stage<Draft> = [
  wrapped(3, 'The signed text is a JSON string that holds the body: it was serialised twice.', (text) =>
    JSON.stringify(text),
  ),
  wrapped(4, 'The signed text is a JSON string that holds the body: it was serialised twice (PHP).', (text) =>
    JSON.stringify(text).replaceAll('/', '\\/'),
  ),
  wrapped(3, 'The signed text stands in single quotes.', (text) => `'${text}'`),
  wrapped(4, 'The signed text stands in double quotes.', (text) => `"${text}"`),
  wrapped(4, 'The signed text is an array with the body as its only element.', (text) => `[${text}]`),
  wrapped(3, "The signed text is Python's b'…' around the body (str() of bytes).", pythonBytes),
  ...['data', 'body', 'payload', 'request', 'json', 'params', 'order'].flatMap((name) => [
    wrapped(
      4,
      `The signed text is an object that holds the body as ${name}.`,
      (text) => `{"${name}":${text}}`,
    ),
    wrapped(
      5,
      `The signed text is an object that holds the body as ${name}.`,
      (text) => `{"${name}": ${text}}`,
    ),
    wrapped(4, `The signed text is preceded by ${name}=.`, (text) => `${name}=${text}`),
  ]),
  encoded(3, 'base64', (text) => Buffer.from(text).toString('base64')),
  encoded(4, 'URL-safe base64', (text) => Buffer.from(text).toString('base64url')),
  encoded(4, 'hex', (text) => Buffer.from(text).toString('hex')),
  encoded(5, 'base64 with a line feed after every 76 characters', (text) =>
    Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n'),
  ),
  encoded(4, 'base64 with a line feed after every 76 characters and at its end', (text) =>
    Buffer.from(text)
      .toString('base64')
      .replaceAll(/.{1,76}/g, '$&\n'),
  ),
  ...hashed(),
  {
    id: 'body-hashed',
    rarity: 4,
    message: 'The SHA256 hash of the text (raw bytes) was signed instead of the text.',
    fix: 'Sign the text itself, without hashing it first.',
    apply: onBytes((text) => createHash('sha256').update(text).digest()),
  },
];
