import { createHash } from 'node:crypto';
import { headerNames } from '../../protocol/headers.js';
import { onText, rarer, type Draft, type Ingredient, type Stage, type Rarity } from './draft.js';
import type { RefusedRequest } from './types.js';

/** Something besides the text that callers sign along. */
interface Part {
  readonly name: string;
  readonly rarity: Rarity;
  readonly value: string | undefined;
}

const utcOffsetHours = 7;

/** The same moment in the forms that callers sign instead. */
function otherTimes(requestTime: string | undefined): Part[] {
  if (requestTime === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(requestTime)) return [];
  const zone = `+${String(utcOffsetHours).padStart(2, '0')}:00`;
  const moment = Date.parse(`${requestTime.replace(' ', 'T')}${zone}`);
  if (Number.isNaN(moment)) return [];
  const iso = new Date(moment).toISOString();
  return [
    { name: 'the Request-Time in seconds since 1970', rarity: 4, value: String(moment / 1000) },
    { name: 'the Request-Time in milliseconds since 1970', rarity: 4, value: String(moment) },
    { name: 'the Request-Time as ISO 8601', rarity: 5, value: iso },
    { name: 'the Request-Time as ISO 8601', rarity: 5, value: iso.replace('.000', '') },
    { name: 'the Request-Time as ISO 8601', rarity: 5, value: requestTime.replace(' ', 'T') },
    { name: 'the Request-Time without separators', rarity: 5, value: requestTime.replaceAll(/\D/g, '') },
  ];
}

function partsOf({ merchant, request }: RefusedRequest, referenceId: string | undefined): Part[] {
  const requestTime = request?.header(headerNames.requestTime);
  const { method, path } = request ?? {};
  return [
    { name: 'the Request-Time', rarity: 2, value: requestTime },
    { name: 'the secret key', rarity: 2, value: merchant.secretKey },
    { name: 'the Client-Id', rarity: 3, value: merchant.clientId },
    { name: 'the merchantId', rarity: 3, value: merchant.merchantId },
    { name: 'the referenceId', rarity: 4, value: referenceId },
    { name: 'the Idempotency-Key', rarity: 4, value: request?.header(headerNames.idempotencyKey) },
    { name: 'the path', rarity: 4, value: path },
    { name: 'the method', rarity: 4, value: method },
    { name: 'the Content-Type', rarity: 5, value: request?.header(headerNames.contentType) },
    ...otherTimes(requestTime),
  ];
}

const common = new Set(['\n', '|', '.', ':', '&']);
const separators = ['', '\n', '|', '.', ':', '&', ',', '-', ' ', ';', '_', '+', '#', '\r\n', '='];

function separatedBy(separator: string): string {
  return separator === '' ? 'nothing between them' : `${JSON.stringify(separator)} between them`;
}

function added(
  rarity: Rarity,
  message: string,
  name: string,
  change: (text: string) => string,
): Ingredient<Draft> {
  return {
    id: 'text-added',
    rarity: rarity,
    message,
    fix: `Sign the text alone: ${name} is not part of the signature.`,
    apply: onText(change),
  };
}

function single({ name, rarity, value }: Part): Stage<Draft> {
  if (value === undefined || value === '') return [];
  return separators.flatMap((separator) => {
    const joinedRarity = rarer(rarity, separator === '' ? 0 : common.has(separator) ? 1 : 2);
    const between = separatedBy(separator);
    return [
      added(
        joinedRarity,
        `The signed text is followed by ${name}, with ${between}.`,
        name,
        (text) => text + separator + value,
      ),
      added(
        joinedRarity,
        `The signed text is preceded by ${name}, with ${between}.`,
        name,
        (text) => value + separator + text,
      ),
    ];
  });
}

/** Orders in which several parts are signed, with the text as `body`. */
const sequences = [
  ['method', 'path', 'time', 'body'],
  ['method', 'path', 'body'],
  ['method', 'path', 'body', 'time'],
  ['method', 'time', 'path', 'body'],
  ['time', 'method', 'path', 'body'],
  ['path', 'time', 'body'],
  ['path', 'body', 'time'],
  ['client', 'time', 'body'],
  ['time', 'client', 'body'],
  ['client', 'body', 'time'],
  ['time', 'body', 'client'],
  ['body', 'time', 'client'],
  ['body', 'client', 'time'],
  ['method', 'path', 'client', 'time', 'body'],
  ['client', 'method', 'path', 'time', 'body'],
  ['secret', 'time', 'body'],
  ['secret', 'body', 'time'],
  ['client', 'secret', 'body'],
  ['secret', 'body', 'secret'],
] as const;

const sequenceNames = {
  method: 'the method',
  path: 'the path',
  time: 'the Request-Time',
  client: 'the Client-Id',
  secret: 'the secret key',
  body: 'the text',
} as const;

function inSequence({ merchant, request }: RefusedRequest): Stage<Draft> {
  const requestTime = request?.header(headerNames.requestTime);
  const values = {
    method: request?.method,
    path: request?.path,
    time: requestTime,
    client: merchant.clientId,
    secret: merchant.secretKey,
  };
  return sequences.flatMap((sequence) => {
    if (sequence.some((name) => name !== 'body' && values[name] === undefined)) return [];
    const names = sequence.map((name) => sequenceNames[name]).join(', ');
    const others = sequence
      .filter((name) => name !== 'body')
      .map((name) => sequenceNames[name])
      .join(', ');
    return separators
      .slice(0, 6)
      .map((separator) =>
        added(
          separator.length + sequence.length < 6 && separator.trim() === '' ? 4 : 5,
          `The signed text is made of ${names}, with ${separatedBy(separator)}.`,
          others,
          (text) => sequence.map((name) => (name === 'body' ? text : values[name])).join(separator),
        ),
      );
  });
}

/** The ways in which gateways of the region have a key appended. */
function named({ merchant: { secretKey, clientId }, request }: RefusedRequest): Stage<Draft> {
  const time = request?.header(headerNames.requestTime);
  const keys = ['key', 'secret', 'secretKey', 'secret_key', 'accessKey', 'apiKey'].flatMap((name) => [
    added(
      4,
      `The signed text is followed by &${name}= and the secret key.`,
      'the secret key',
      (text) => `${text}&${name}=${secretKey}`,
    ),
    added(
      5,
      `The signed text is preceded by ${name}=, the secret key and &.`,
      'the secret key',
      (text) => `${name}=${secretKey}&${text}`,
    ),
  ]);
  const times =
    time === undefined
      ? []
      : ['requestTime', 'Request-Time', 'timestamp'].map((name) =>
          added(
            5,
            `The signed text is followed by &${name}= and the Request-Time.`,
            'the Request-Time',
            (text) => `${text}&${name}=${time}`,
          ),
        );
  const clients = ['clientId', 'client_id', 'Client-Id'].map((name) =>
    added(
      5,
      `The signed text is preceded by ${name}=, the Client-Id and &.`,
      'the Client-Id',
      (text) => `${name}=${clientId}&${text}`,
    ),
  );
  return [...keys, ...times, ...clients];
}

/** The text with something else that was signed along. */
export function additionStage(refused: RefusedRequest, referenceId: string | undefined): Stage<Draft> {
  return [...partsOf(refused, referenceId).flatMap(single), ...inSequence(refused), ...named(refused)];
}

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
      message: `The ${name.toUpperCase()} hash of the text (${form}) was signed instead of the text.`,
      fix: 'Sign the text itself, without hashing it first.',
      apply: onText(change),
    }));
  });
}

const wrapFix = 'Sign exactly the bytes that are sent, without anything around them.';

function wrapped(rarity: Rarity, message: string, change: (text: string) => string): Ingredient<Draft> {
  return { id: 'body-wrapped', rarity, message, fix: wrapFix, apply: onText(change) };
}

function encoded(rarity: Rarity, name: string, change: (text: string) => string): Ingredient<Draft> {
  return {
    id: 'body-encoded',
    rarity,
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
];

const placeholders = [
  ['', 2],
  ['{}', 2],
  ['[]', 3],
  ['null', 2],
  ['undefined', 2],
  ['None', 3],
  ['nil', 4],
  ['""', 3],
  ['false', 4],
  ['true', 4],
  ['0', 4],
  ['1', 4],
  ['Array', 3],
  ['Object', 4],
  ['[object Object]', 2],
  ['[object Promise]', 4],
  ['[object FormData]', 3],
  ['[object Blob]', 4],
  ['[object ReadableStream]', 4],
  ['[object ArrayBuffer]', 4],
  ['[object URLSearchParams]', 4],
  ['System.Object', 4],
  ['System.String', 4],
  ['System.Byte[]', 4],
  ['System.Net.Http.StringContent', 3],
  ['System.Net.Http.ByteArrayContent', 4],
  ['System.Net.Http.Json.JsonContent', 3],
  ['System.Net.Http.MultipartFormDataContent', 3],
  ['System.IO.MemoryStream', 4],
  ['System.Collections.Generic.Dictionary`2[System.String,System.Object]', 4],
  ['System.Collections.Generic.Dictionary`2[System.String,System.String]', 4],
  ["b''", 4],
] as const;

/** A text without anything of the request in it. */
export const placeholderIngredients: Stage<Draft> = placeholders.map(([text, rarity]): Ingredient<Draft> => ({
  id: text === '' ? 'body-empty' : 'body-placeholder',
  rarity,
  message:
    text === '' ? 'An empty text was signed.' : `The text ${text} was signed instead of what was sent.`,
  fix:
    text === ''
      ? 'Sign after the body is there. Node.js: a body that a stream or parser has consumed is empty. PHP: php://input is empty for multipart requests; curl -d @file must be signed from the same file.'
      : 'Sign the serialised text, not the object that it is made of: serialise first, then sign and send the result.',
  apply: () => ({ text }),
}));
