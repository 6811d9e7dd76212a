import { createHmac } from 'node:crypto';
import { encodeDigest, signatureEncodings, type SignatureEncoding } from '../../protocol/signature.js';
import {
  secretKeyEncodings,
  secretKeyObject,
  secretKeyProblem,
  type SecretKeyEncoding,
} from '../../validation/secret-key.js';
import { concatenatedFields, sortedFields } from '../../values/sorted-fields.js';
import { jsonIn } from '../../values/encodings.js';
import { isRecord } from '../../values/untrusted-values.js';

/** A webhook that a merchant has captured. */
export interface Captured {
  readonly body: Uint8Array;
  /** The headers, with lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
}

/** A part of the signed text other than the body, and its source. */
export interface Part {
  /** The placeholder of the mock's template, such as `{timestamp}`. */
  readonly placeholder: string;
  readonly value: string;
  /** The header that contains the part; absent if it is in the header of the signature. */
  readonly header?: string;
}

/** The signature scheme of a webhook: HMAC-SHA256 over `signed`. */
export interface Scheme {
  /** The place of the signature: its header, with the text before the signature, or the member of the body. */
  readonly place: { readonly header: string; readonly before: string } | { readonly member: string };
  readonly encoding: SignatureEncoding;
  readonly secretKeyEncoding: SecretKeyEncoding;
  /** A text before the key that is not part of the key, as in Standard Webhooks. */
  readonly keyPrefix: string;
  /**
   * The signed text, with the placeholders of `webhook.template`:
   *
   * - `{body}`: the exact body
   * - `{body.NAME}`: the text of the member NAME of the body
   * - `{sorted}` or `{sorted.NAME}`: the sorted fields of the body or of a member, as name=value joined with &, without
   *   the signature
   * - `{concatenated}` or `{concatenated.NAME}`: the same names and values without separators
   */
  readonly signed: string;
  readonly parts: readonly Part[];
}

/** The parts in the header of the signature. */
export const ownParts = ({ parts }: Pick<Scheme, 'parts'>) =>
  parts.filter(({ header }) => header === undefined);

/** The part of a body that is signed: the whole body without the signature, or one member. */
export interface SignedPart {
  readonly kind: 'body' | keyof typeof fieldTexts;
  /** The name of the member; absent for the whole body. */
  readonly member?: string;
}

const fieldTexts = { sorted: sortedFields, concatenated: concatenatedFields };
const fieldKinds = Object.keys(fieldTexts) as (keyof typeof fieldTexts)[];

/** The part of the body that a signed text names; undefined if the exact body is signed, alone or with other parts. */
export function signedPartOf(signed: string): SignedPart | undefined {
  const [, kind, member] = /^\{(body|sorted|concatenated)(?:\.(\w+))?\}$/.exec(signed) ?? [];
  if (kind === undefined || signed === '{body}') return undefined;
  return { kind: kind as SignedPart['kind'], ...(member !== undefined && { member }) };
}

/** A text that can be a digest in one of the encodings. */
interface Slot {
  readonly place: Scheme['place'];
  readonly text: string;
}

/** Matches texts that can be a digest in one of the encodings. */
export const digestShape = /(?<![\w+/-])(?:[0-9a-f]{64}|[0-9A-F]{64}|[\w+/-]{43}=?)(?![\w+/=-])/g;

function slotsIn({ headers }: Captured, body: unknown): Slot[] {
  const inHeaders = [...headers].flatMap(([header, value]) =>
    Array.from(value.matchAll(digestShape), ({ 0: text, index }) => ({
      place: { header, before: value.slice(0, index) },
      text,
    })),
  );
  const members = isRecord(body) ? Object.entries(body) : [];
  const inBody = members.flatMap(([member, value]) =>
    typeof value === 'string' && value.match(digestShape)?.[0] === value
      ? [{ place: { member }, text: value }]
      : [],
  );
  return [...inHeaders, ...inBody];
}

const timeShapes = [
  [/^\d{10}$/, '{timestamp}'],
  [/^\d{13}$/, '{timestamp}000'],
  [/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/, '{settledAt}'],
] as const;

/** The parts that a signed text might contain: times, and the headers whose name ends in `id`. */
function partsOf({ place }: Slot, { headers }: Captured): Part[] {
  const all = [...headers].flatMap(([header, value]): Part[] => {
    const isOwn = 'header' in place && place.header === header;
    const words = isOwn ? place.before.split(/[\s,;]+/).map((word) => word.replace(/^\w+=/, '')) : [value];
    return words.flatMap((word) => {
      const placeholder =
        timeShapes.find(([shape]) => shape.test(word))?.[1] ??
        (/(?:^|-)id$/.test(header) ? '{id}' : undefined);
      return placeholder === undefined ? [] : [{ placeholder, value: word, ...(!isOwn && { header }) }];
    });
  });
  return all.slice(0, 8);
}

/** The texts that might be signed: the body with at most two parts, the fields of the body, or one of its members. */
function signedTexts(
  slot: Slot,
  captured: Captured,
  body: unknown,
): { signed: string; parts: readonly Part[] }[] {
  const parts = partsOf(slot, captured);
  const version = 'header' in slot.place ? /(\w+)=$/.exec(slot.place.before)?.[1] : undefined;
  const around = ({ placeholder }: Part) => [
    ...['.', ':', ''].map((between) => `${placeholder}${between}{body}`),
    ...(version === undefined ? [] : [`${version}:${placeholder}:{body}`]),
  ];
  const aroundTwo = (left: Part, right: Part) =>
    ['.', ':', ''].map((between) => [left.placeholder, right.placeholder, '{body}'].join(between));
  const records = isRecord(body) ? Object.entries(body) : [];
  return [
    { signed: '{body}', parts: [] },
    ...parts.flatMap((part) => around(part).map((signed) => ({ signed, parts: [part] }))),
    ...parts.flatMap((left) =>
      parts
        .filter((right) => right.placeholder !== left.placeholder)
        .flatMap((right) => aroundTwo(left, right).map((signed) => ({ signed, parts: [left, right] }))),
    ),
    ...(isRecord(body) ? fieldKinds.map((kind) => ({ signed: `{${kind}}`, parts: [] })) : []),
    ...records.flatMap(([name, value]) => {
      if (!/^\w+$/.test(name)) return [];
      if (typeof value === 'string') return [{ signed: `{body.${name}}`, parts: [] }];
      return isRecord(value) ? fieldKinds.map((kind) => ({ signed: `{${kind}.${name}}`, parts: [] })) : [];
    }),
  ];
}

/** Returns the bytes of a signed text, with the values of its placeholders. */
function signedBytes(
  { signed, parts }: Pick<Scheme, 'signed' | 'parts'>,
  { place }: Slot,
  raw: Uint8Array,
  body: unknown,
) {
  const part = signedPartOf(signed);
  const record = isRecord(body) ? body : {};
  if (part) {
    const { kind, member } = part;
    const value = member === undefined ? record : record[member];
    const signatureMember = member === undefined && 'member' in place ? place.member : undefined;
    if (kind === 'body' || !isRecord(value)) return Buffer.from(String(value));
    return Buffer.from(fieldTexts[kind](value, signatureMember));
  }
  const before = parts.reduce(
    (text, { placeholder, value }) => text.replace(placeholder, () => value),
    signed.replace('{body}', ''),
  );
  return Buffer.concat([Buffer.from(before), raw]);
}

/**
 * Finds how a captured webhook was signed with this key. Returns undefined if no known scheme yields its signature.
 */
export function findScheme(captured: Captured, secretKey: string): Scheme | undefined {
  const body = jsonIn(captured.body);
  const keyPrefix = secretKey.startsWith('whsec_') ? 'whsec_' : '';
  const keys = [
    { keyPrefix: '', text: secretKey },
    { keyPrefix, text: secretKey.slice(keyPrefix.length) },
  ].flatMap(({ keyPrefix: prefix, text }) =>
    secretKeyEncodings
      .filter((each) => secretKeyProblem(text, each) === undefined)
      .map((each) => ({ prefix, secretKeyEncoding: each, key: secretKeyObject(text, each) })),
  );
  for (const slot of slotsIn(captured, body)) {
    for (const text of signedTexts(slot, captured, body)) {
      const bytes = signedBytes(text, slot, captured.body, body);
      for (const { prefix, secretKeyEncoding, key } of keys) {
        const digest = createHmac('sha256', key).update(bytes).digest();
        const encoding = signatureEncodings.find((each) => encodeDigest(digest, each) === slot.text);
        if (encoding) return { place: slot.place, encoding, secretKeyEncoding, keyPrefix: prefix, ...text };
      }
    }
  }
  return undefined;
}
