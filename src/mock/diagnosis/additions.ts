import { createHash } from 'node:crypto';
import { requestShape, vietnamOffsetMinutes } from '../../protocol/timestamps.js';
import { onText, rarer, type Draft, type Ingredient, type Stage, type Rarity } from './draft.js';
import type { RefusedRequest } from './types.js';

/** Something besides the text that callers sign along. */
interface Part {
  readonly name: string;
  readonly rarity: Rarity;
  readonly value: string | undefined;
}

/** The same moment in the forms that callers sign instead. */
function otherTimes(requestTime: string | undefined, offset = vietnamOffsetMinutes): Part[] {
  if (requestTime === undefined || !requestShape.test(requestTime)) return [];
  const moment = Date.parse(`${requestTime.replace(' ', 'T')}Z`) - offset * 60_000;
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

function partsOf(
  { merchant, request, requestTimeOffset }: RefusedRequest,
  referenceId: string | undefined,
): Part[] {
  const requestTime = request?.requestTime;
  const { method, path } = request ?? {};
  return [
    { name: 'the Request-Time', rarity: 2, value: requestTime },
    { name: 'the secret key', rarity: 2, value: merchant.secretKey },
    { name: 'the Client-Id', rarity: 3, value: merchant.clientId },
    { name: 'the merchantId', rarity: 3, value: merchant.merchantId },
    { name: 'the referenceId', rarity: 4, value: referenceId },
    { name: 'the Idempotency-Key', rarity: 4, value: request?.idempotencyKey },
    { name: 'the path', rarity: 4, value: path },
    { name: 'the method', rarity: 4, value: method },
    { name: 'the Content-Type', rarity: 5, value: request?.contentType },
    ...otherTimes(requestTime, requestTimeOffset),
  ];
}

const common = new Set(['\n', '|', '.', ':', '&']);
const separators = ['', '\n', '|', '.', ':', '&', ',', '-', ' ', ';', '_', '+', '#', '\r\n', '='];
/** Those that are tried where more would use up the work that a search may do. */
const fewSeparators = 6;

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
  const likely = rarity < 4 ? separators : separators.slice(0, fewSeparators);
  return likely.flatMap((separator) => {
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
        // `time.body` is what Stripe signs.
        name === 'the Request-Time' && separator === '.' ? 2 : joinedRarity,
        `The signed text is preceded by ${name}, with ${between}.`,
        name,
        (text) => value + separator + text,
      ),
    ];
  });
}

/** Orders in which several parts are signed, with the text as `body` or `hash`. */
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
  ['method', 'path', 'time', 'hash'],
  ['method', 'path', 'hash', 'time'],
  ['method', 'path', 'hash'],
  ['path', 'time', 'hash'],
  ['client', 'time', 'hash'],
  ['time', 'hash'],
  ['hash', 'time'],
] as const;

const sequenceNames = {
  method: 'the method',
  path: 'the path',
  time: 'the Request-Time',
  client: 'the Client-Id',
  secret: 'the secret key',
  body: 'the text',
  hash: 'the SHA-256 hash of the text (hex)',
} as const;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function inSequence({ merchant, request }: RefusedRequest): Stage<Draft> {
  const requestTime = request?.requestTime;
  const values = {
    method: request?.method,
    path: request?.path,
    time: requestTime,
    client: merchant.clientId,
    secret: merchant.secretKey,
  };
  return sequences.flatMap((sequence): Stage<Draft> => {
    const others = sequence.filter((name) => name !== 'body' && name !== 'hash');
    if (others.some((name) => values[name] === undefined)) return [];
    const inWords = (names: readonly (typeof sequence)[number][]) =>
      names.map((name) => sequenceNames[name]).join(', ');
    const isHashed = sequence.some((name) => name === 'hash');
    const hashFix = 'Sign the text itself, without hashing it first, and nothing else.';
    return separators.slice(0, fewSeparators).map((separator) => {
      const ingredient = added(
        separator.length + sequence.length < 6 && separator.trim() === '' ? 4 : 5,
        `The signed text is made of ${inWords(sequence)}, with ${separatedBy(separator)}.`,
        inWords(others),
        (text) => {
          const all = { ...values, body: text, hash: isHashed ? sha256(text) : '' };
          return sequence.map((name) => all[name]).join(separator);
        },
      );
      return isHashed ? { ...ingredient, fix: hashFix } : ingredient;
    });
  });
}

/** The ways in which gateways of the region have a key appended. */
function named({ merchant: { secretKey, clientId }, request }: RefusedRequest): Stage<Draft> {
  const time = request?.requestTime;
  const keys = ['key', 'secret', 'secretKey', 'secret_key', 'accessKey', 'apiKey'].flatMap((name) => [
    added(
      name === 'key' ? 2 : 4,
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
      : ['requestTime', 'Request-Time', 'timestamp'].flatMap((name) => [
          added(
            5,
            `The signed text is preceded by ${name}=, the Request-Time and &.`,
            'the Request-Time',
            (text) => `${name}=${time}&${text}`,
          ),
          added(
            5,
            `The signed text is followed by &${name}= and the Request-Time.`,
            'the Request-Time',
            (text) => `${text}&${name}=${time}`,
          ),
        ]);
  const clients = (clientId === undefined ? [] : ['clientId', 'client_id', 'Client-Id']).map((name) =>
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
