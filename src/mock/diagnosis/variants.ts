import { createSecretKey, type KeyObject } from 'node:crypto';
import { invoiceCanonicalString, signedInvoiceFields } from '../../protocol/canonical-string.js';
import { secretKeyObject } from '../../protocol/signature.js';
import type { DiagnosisCause } from './types.js';
import type { RegisteredMerchant } from '../service/merchants.js';
import type { FormMessage } from '../service/messages.js';

/** A text that a client may have signed instead of the right one. */
export interface Variant {
  readonly cause: DiagnosisCause;
  readonly message: string;
  readonly text: string;
}

function variant(cause: DiagnosisCause, message: string, text: string): Variant {
  return { cause, message, text };
}

/** The same digest, of which the right way is `hex`, written in another way. */
export function digestForms(hex: string): { cause: DiagnosisCause; message: string; value: string }[] {
  const digest = Buffer.from(hex, 'hex');
  const base64 = 'The signature is written in base64: write it in lower-case hex.';
  const prefixed = 'The signature has a prefix: send the hex digits alone.';
  return [
    { cause: 'digest-base64', message: base64, value: digest.toString('base64') },
    { cause: 'digest-base64', message: base64, value: digest.toString('base64url') },
    {
      cause: 'digest-upper-case',
      message: 'The signature is written in upper case: write it in lower-case hex.',
      value: hex.toUpperCase(),
    },
    { cause: 'digest-prefixed', message: prefixed, value: `sha256=${hex}` },
    { cause: 'digest-prefixed', message: prefixed, value: `0x${hex}` },
  ];
}

/** Secrets that a client may have signed with instead of the right one. */
export function* secretVariants(
  merchant: RegisteredMerchant,
  others: Iterable<RegisteredMerchant>,
): Generator<{ cause: DiagnosisCause; message: string; key: KeyObject }> {
  const { secretKey } = merchant;
  const trimmed = 'The secret key has white space at an end on one of the two sides.';
  for (const text of [
    secretKey.trim(),
    `${secretKey}\n`,
    `${secretKey}\r\n`,
    `${secretKey} `,
    ` ${secretKey}`,
  ]) {
    yield { cause: 'secret-trimmed', message: trimmed, key: secretKeyObject(text) };
  }
  const decoded = 'The secret key was decoded first: its text as it stands is the key.';
  for (const encoding of ['hex', 'base64'] as const) {
    yield { cause: 'secret-decoded', message: decoded, key: createSecretKey(secretKey, encoding) };
  }
  for (const other of others) {
    yield {
      cause: 'secret-of-another-merchant',
      message: `The secret key is that of the client ${other.clientId}.`,
      key: other.key,
    };
  }
}

const lineBreaks =
  'Line breaks differ between what was signed and what was sent: a line feed must stay a line feed.';
const normalised = 'The text was renormalised (NFC or NFD) before it was signed, but not before it was sent.';
const urlEncoded = 'The values were URL-encoded before they were signed: sign them as they are sent.';
const trimmedValues = 'White space at the ends was trimmed before signing, but not before sending.';

/** What became of a text on its way to the HMAC, whatever the text is. */
function* textVariants(texts: readonly string[]): Generator<Variant> {
  for (const text of texts) {
    yield variant('unicode-normalised', normalised, text.normalize('NFC'));
    yield variant('unicode-normalised', normalised, text.normalize('NFD'));
    yield variant('line-breaks', lineBreaks, text.replaceAll('\r\n', '\n'));
    yield variant('line-breaks', lineBreaks, text.replaceAll(/\r?\n/g, '\r\n'));
  }
}

/** A copy whose objects have their keys in alphabetical order. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortedKeys(inner)]),
  );
}

/** JSON with a space after each comma and colon, as Python writes it. */
function spacedJson(value: unknown): string {
  // One level of indentation per line; strings hold no raw line break, so every one is JSON's own.
  return JSON.stringify(value, null, 1)
    .replaceAll(/([[{])\n\s*/g, '$1')
    .replaceAll(/\n\s*([\]}])/g, '$1')
    .replaceAll(/,\n\s*/g, ', ');
}

function escapedNonAscii(json: string): string {
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const reserialised =
  'The body was parsed and written out again after it was signed, or before: sign the bytes that are sent.';
const prettyPrinted = 'What was signed is indented or spaced differently from what was sent.';
const keyOrder = 'What was signed has its fields in another order than what was sent.';
const escaped = 'What was signed escapes characters that were sent as they are, or the other way round.';

/** Bodies that a client may have signed instead of the one it sent. */
export function* jsonVariants(text: string, value: unknown): Generator<Variant> {
  yield variant('body-empty', 'An empty body was signed: sign after the body is there.', '');
  yield variant('values-trimmed', trimmedValues, text.trim());
  yield variant('line-breaks', lineBreaks, `${text}\n`);
  yield* textVariants([text]);
  yield variant('url-encoded', urlEncoded, encodeURIComponent(text.toWellFormed()));
  if (value === undefined) return;
  try {
    yield* serialisations(value);
  } catch {
    // Nested too deeply to be written out: no client wrote it either.
  }
}

// Far above what any order needs. White space grows with depth: half a megabyte of brackets would become gigabytes.
const deepest = 32;
const mostWhiteSpace = 4 * 1024 * 1024;

/** Characters of white space that indenting by 4 adds; infinite for what is nested too deeply. */
function whiteSpaceOf(value: unknown, depth = 1): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > deepest) return Infinity;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((sum, each) => sum + 4 * depth + whiteSpaceOf(each, depth + 1), 0);
}

function* serialisations(value: unknown): Generator<Variant> {
  const compact = JSON.stringify(value);
  yield variant('body-reserialised', reserialised, compact);
  const isIndentable = whiteSpaceOf(value) <= mostWhiteSpace;
  for (const indent of isIndentable ? [2, 4, '\t', 1, 3] : []) {
    yield variant('body-pretty-printed', prettyPrinted, JSON.stringify(value, null, indent));
  }
  // JSON with spaces is made of indented JSON.
  const spaced = isIndentable ? spacedJson(value) : undefined;
  if (spaced !== undefined) yield variant('body-pretty-printed', prettyPrinted, spaced);
  const sorted = sortedKeys(value);
  yield variant('field-order', keyOrder, JSON.stringify(sorted));
  if (isIndentable) yield variant('field-order', keyOrder, spacedJson(sorted));
  for (const json of spaced === undefined ? [compact] : [compact, spaced]) {
    yield variant('body-escaped', escaped, escapedNonAscii(json));
    yield variant('body-escaped', escaped, json.replaceAll('/', '\\/'));
    yield variant('body-escaped', escaped, escapedNonAscii(json.replaceAll('/', '\\/')));
  }
}

type Fields = Readonly<Record<string, string>>;

function mapValues(fields: Fields, change: (value: string) => string): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));
}

function pairs(fields: Fields, names: readonly string[]): string {
  return names.map((name) => `${name}=${fields[name] ?? ''}`).join('&');
}

const otherOrder =
  'The fields were signed in another order: the order is fixed, whatever the order in which they are sent.';
const withFileUrl = 'fileUrl was signed: file and fileUrl are not part of the signature.';
const omitted =
  'Fields that were not sent were left out of the signed text: they stand in it with an empty value.';

/** Texts that a client may have signed instead of the canonical string. */
export function* formVariants({ fields, bytes }: FormMessage): Generator<Variant> {
  yield variant('absent-fields-omitted', omitted, invoiceCanonicalString(fields, { absentFields: 'omit' }));
  const canonical = invoiceCanonicalString(fields);
  yield* textVariants([canonical]);
  for (const change of [(value: string) => value.trim(), (value: string) => value.trimEnd()]) {
    yield variant('values-trimmed', trimmedValues, invoiceCanonicalString(mapValues(fields, change)));
  }
  const wellFormed = mapValues(fields, (value) => value.toWellFormed());
  yield variant('url-encoded', urlEncoded, invoiceCanonicalString(mapValues(wellFormed, encodeURIComponent)));
  yield variant('url-encoded', urlEncoded, encodeURI(canonical));
  yield variant('url-encoded', urlEncoded, formEncoded(fields));
  yield* orderings(fields);
  yield variant(
    'body-signed',
    'The whole multipart body was signed: sign the canonical string.',
    bytes.toString(),
  );
  yield variant(
    'body-signed',
    'JSON of the fields was signed: sign the canonical string.',
    JSON.stringify(fields),
  );
  yield variant('body-empty', 'An empty text was signed: sign the canonical string.', '');
}

function formEncoded(fields: Fields): string {
  const pairsOf = signedInvoiceFields.map((name): [string, string] => [name, fields[name] ?? '']);
  return new URLSearchParams(pairsOf).toString();
}

/** Canonical strings with the names in another order, or with fileUrl among them. */
function* orderings(fields: Fields): Generator<Variant> {
  const signed: readonly string[] = signedInvoiceFields;
  const sent = Object.keys(fields).filter((name) => signed.includes(name));
  const withUrl = [...signed, 'fileUrl'];
  // fileUrl stands before description in the specification's table of fields.
  const asInTable = [...signed.slice(0, 6), 'fileUrl', ...signed.slice(6)];
  yield variant('file-url-included', withFileUrl, pairs(fields, withUrl));
  yield variant('file-url-included', withFileUrl, pairs(fields, asInTable));
  yield variant(
    'file-url-included',
    withFileUrl,
    pairs(
      fields,
      asInTable.filter((name) => name in fields),
    ),
  );
  yield variant(
    'file-url-included',
    withFileUrl,
    pairs(
      fields,
      withUrl.filter((name) => name in fields),
    ),
  );
  for (const names of [sent, [...sent].sort(), [...signed].sort(), [...signed].reverse()]) {
    yield variant('field-order', otherOrder, pairs(fields, names));
  }
  yield variant('file-url-included', withFileUrl, pairs(fields, [...withUrl].sort()));
}
