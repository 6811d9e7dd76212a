import { requestShape, vietnamOffsetMinutes } from '../../../protocol/timestamps.js';
import { about, mistakes, onText, rarer, type Rarity, type Row, type Stage } from '../ingredient.js';
import type { RefusedRequest } from '../types.js';
import { before, behind, hashed, type Rewrite } from './rewrites.js';

/** Something besides the text that callers sign along. */
type Part = readonly [rarity: Rarity, name: string, value: string | undefined];

/** The same moment in the forms that callers sign instead. */
function otherTimes(requestTime: string, offset: number): Part[] {
  const moment = Date.parse(`${requestTime.replace(' ', 'T')}Z`) - offset * 60_000;
  if (!requestShape.test(requestTime) || Number.isNaN(moment)) return [];
  const iso = new Date(moment).toISOString();
  return [
    [4, 'the Request-Time in seconds since 1970', String(moment / 1000)],
    [4, 'the Request-Time in milliseconds since 1970', String(moment)],
    [5, 'the Request-Time as ISO 8601', iso],
    [5, 'the Request-Time as ISO 8601', iso.replace('.000', '')],
    [5, 'the Request-Time as ISO 8601', requestTime.replace(' ', 'T')],
    [5, 'the Request-Time without separators', requestTime.replaceAll(/\D/g, '')],
  ];
}

function partsOf({ merchant, request, requestTimeOffset }: RefusedRequest, referenceId?: string): Part[] {
  const { method, path, requestTime = '', idempotencyKey, contentType } = request ?? {};
  return [
    [2, 'the Request-Time', requestTime],
    [2, 'the secret key', merchant.secretKey],
    [3, 'the Client-Id', merchant.clientId],
    [3, 'the merchantId', merchant.merchantId],
    [4, 'the referenceId', referenceId],
    [4, 'the Idempotency-Key', idempotencyKey],
    [4, 'the path', path],
    [4, 'the method', method],
    [5, 'the Content-Type', contentType],
    ...otherTimes(requestTime, requestTimeOffset ?? vietnamOffsetMinutes),
  ];
}

const common = ['', '\n', '|', '.', ':', '&'];
const separators = [...common, ',', '-', ' ', ';', '_', '+', '#', '\r\n', '='];

function separatedBy(separator: string): string {
  return `with ${separator === '' ? 'nothing' : JSON.stringify(separator)} between them`;
}

function added(name: string, rows: readonly Row<Rewrite>[]): Stage {
  return about(name, mistakes('text-added', 'The signed text is %.', onText, rows));
}

/** One part before or after the text; a rare one with few separators, so that there is work left for the others. */
function besideText([rarity, name, value = '']: Part): Stage {
  const rows = (rarity < 4 ? separators : common).flatMap((separator, index): Row<Rewrite>[] => {
    const joined = rarer(rarity, index === 0 ? 0 : index < common.length ? 1 : 2);
    // `time.body` is what Stripe signs.
    const preceded = name === 'the Request-Time' && separator === '.' ? 2 : joined;
    const between = separatedBy(separator);
    return [
      [joined, `followed by ${name}, ${between}`, behind(separator + value)],
      [preceded, `preceded by ${name}, ${between}`, before(value + separator)],
    ];
  });
  return value === '' ? [] : added(name, rows);
}

const sequences = [
  'method path time body | method path body | method path body time | method time path body | time method path body',
  'path time body | path body time | client time body | time client body | client body time | time body client',
  'body time client | body client time | method path client time body | client method path time body',
  'secret time body | secret body time | client secret body | secret body secret | method path time hash',
  'method path hash time | method path hash | path time hash | client time hash | time hash | hash time',
].flatMap((some) => some.split(' | ').map((names) => names.split(' ')));

function inSequence({ merchant, request }: RefusedRequest): Stage {
  const parts: Readonly<Record<string, readonly [name: string, value: Rewrite | string | undefined]>> = {
    method: ['the method', request?.method],
    path: ['the path', request?.path],
    time: ['the Request-Time', request?.requestTime],
    client: ['the Client-Id', merchant.clientId],
    secret: ['the secret key', merchant.secretKey],
    body: ['the text', (text) => text],
    hash: ['the SHA-256 hash of the text (hex)', hashed('sha256').hex],
  };
  return sequences.flatMap((names): Stage => {
    const sequence = names.map((name) => parts[name] ?? [name, undefined]);
    if (sequence.some(([, value]) => value === undefined)) return [];
    const inWords = (some: typeof sequence) => some.map(([words]) => words).join(', ');
    const rows = common.map((separator): Row<Rewrite> => [
      separator.length + names.length < 6 && separator.trim() === '' ? 4 : 5,
      `made of ${inWords(sequence)}, ${separatedBy(separator)}`,
      (text) => sequence.map(([, part]) => (typeof part === 'function' ? part(text) : part)).join(separator),
      names.includes('hash') ? 'text-added.hash' : 'text-added',
    ]);
    return added(inWords(sequence.filter(([, value]) => typeof value === 'string')), rows);
  });
}

/** Named as gateways of the region name a key, a time or a client that is appended; `key` is the usual one. */
function asField(rarity: Rarity, what: string, value: string | undefined, names: string): Stage {
  if (value === undefined) return [];
  const rows = names.split(' ').flatMap((name): Row<Rewrite>[] => [
    [name === 'key' ? 2 : rarity, `followed by &${name}= and ${what}`, behind(`&${name}=${value}`)],
    [5, `preceded by ${name}=, ${what} and &`, before(`${name}=${value}&`)],
  ]);
  return added(what, rows);
}

export function additionStage(refused: RefusedRequest, referenceId: string | undefined): Stage {
  const { merchant, request } = refused;
  return [
    ...partsOf(refused, referenceId).flatMap(besideText),
    ...inSequence(refused),
    ...asField(4, 'the secret key', merchant.secretKey, 'key secret secretKey secret_key accessKey apiKey'),
    ...asField(5, 'the Request-Time', request?.requestTime, 'requestTime Request-Time timestamp'),
    ...asField(5, 'the Client-Id', merchant.clientId, 'clientId client_id Client-Id'),
  ];
}
