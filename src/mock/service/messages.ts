import { decodeUtf8 } from '../../values/encodings.js';
import { createHash } from 'node:crypto';
import { parseMultipart, type MultipartPart } from '@remix-run/multipart-parser';
import { add, decimalOf, toNumber } from '../../values/decimal.js';
import { knownHeaders } from '../../protocol/headers.js';
import { jsonIn, numberAt, readProperty } from '../../values/untrusted-values.js';
import { keptFields, keptText } from '../state/kept-text.js';
import type { JournalEntry, JournalFile, JournalResponse } from '../state/journal-types.js';
import { maxBodyBytes, type IncomingRequest, type ResponseData } from '../common/exchange.js';
import type { ReadMessage } from './operation-row.js';

/** A JSON body, as far as it could be read. */
export interface JsonMessage extends ReadMessage {
  /** Undefined for bytes that are not UTF-8. */
  readonly text?: string;
  readonly value?: unknown;
}

/** A file of a form. */
export interface FormFile extends JournalFile {
  readonly bytes: Uint8Array;
}

/** A multipart body, as far as it could be read. */
export interface FormMessage extends ReadMessage {
  /** Textual fields in the order of the body, byte for byte. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
}

export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The names in a JSON body by which a request is known, and the facts that the journal has of a notification. */
type RecordedText =
  'merchantId' | 'referenceId' | 'requestId' | 'lenderTransactionCode' | 'contractNumber' | 'receivedStatus';

/** Reads a JSON body, and the texts in it that the journal keeps. */
export function readJsonMessage(
  bytes: Buffer,
  request: Pick<IncomingRequest, 'header'>,
  recordedTexts: readonly RecordedText[],
): JsonMessage {
  const text = decodeUtf8(bytes);
  const value = text === undefined ? undefined : jsonIn(text);
  const problem = problemOfJson(text, value, request);
  const idempotencyKey = request.header(knownHeaders.idempotencyKey.name);
  const amount = amountOf(value);
  return {
    bytes,
    ...(text !== undefined && { text }),
    ...(value !== undefined && { value }),
    ...(problem !== undefined && { problem }),
    recorded: {
      ...textsAt(value, recordedTexts),
      ...(idempotencyKey && { idempotencyKey }),
      ...keptBody(bytes, text),
      ...(amount !== undefined && { amount }),
    },
  };
}

function problemOfJson(
  text: string | undefined,
  value: unknown,
  request: Pick<IncomingRequest, 'header'>,
): string | undefined {
  if (text === undefined) return 'The body is not UTF-8.';
  if (value === undefined) return 'The body is not JSON.';
  if (mediaTypeOf(request.header(knownHeaders.contentType.name)) === 'application/json') return undefined;
  return 'The Content-Type is not application/json.';
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function keptBody(bytes: Buffer, text: string | undefined): Partial<JournalEntry> {
  const kept = text && keptText(text);
  return {
    bodyBytes: bytes.length,
    ...(kept !== undefined && { body: kept }),
    ...(text !== kept && { bodySha256: sha256(bytes) }),
  };
}

/** The texts at some keys of an object, where they are short enough to repeat. */
function textsAt<Name extends string>(value: unknown, names: readonly Name[]): Partial<Record<Name, string>> {
  const texts = names.map((name) => [name, shortTextAt(value, name)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined)) as Partial<Record<Name, string>>;
}

/** The part of a response that the journal keeps. */
export function recordResponse({ headers, body }: ResponseData): JournalResponse {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  return { headers, body: keptText(text), bodyBytes: Buffer.byteLength(body) };
}

/** The amount of a payment or receipt, or the exact sum of an allocation; undefined where one is missing. */
function amountOf(value: unknown): number | undefined {
  const transactions = readProperty(value, 'repaymentTransactions');
  const totals = Array.isArray(transactions)
    ? transactions.map((transaction) => numberAt(transaction, 'allocatedTotal'))
    : [undefined];
  if (totals.every((total) => total !== undefined)) {
    return toNumber(totals.map(decimalOf).reduce(add, decimalOf(0)));
  }
  return numberAt(readProperty(value, 'amount'), 'value') ?? numberAt(value, 'receivedAmount');
}

const longestIdentifier = 256;

/** The string at a key of a JSON object; undefined for anything else and for one that is too long to repeat. */
export function shortTextAt(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const text: unknown = Reflect.get(value, key);
  return typeof text === 'string' && text.length <= longestIdentifier ? text : undefined;
}

const boundaryShape = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const mostParts = 32;
const brokenForm = 'The multipart body is broken.';

function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || mediaTypeOf(contentType) !== 'multipart/form-data') return undefined;
  const match = boundaryShape.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/** Reads the form of an upload. */
export function readForm(bytes: Buffer, contentType: string | undefined): FormMessage {
  // Without a prototype: a field may be named __proto__.
  const fields = Object.create(null) as Record<string, string>;
  const files: FormFile[] = [];
  const problem = readParts(bytes, boundaryOf(contentType), fields, files);
  return {
    bytes,
    fields,
    files,
    ...(problem !== undefined && { problem }),
    recorded: {
      ...textsAt(fields, ['merchantId', 'referenceId']),
      bodyBytes: bytes.length,
      fields: keptFields(fields),
      files: files.map(describeFile),
    },
  };
}

/** Adds the parts of a form, and returns what is wrong with it. */
function readParts(
  bytes: Buffer,
  boundary: string | undefined,
  fields: Record<string, string>,
  files: FormFile[],
): string | undefined {
  if (boundary === undefined) return 'The Content-Type is not multipart/form-data with a boundary.';
  // The parser reads an empty body as a form without fields.
  if (bytes.length === 0) return brokenForm;
  try {
    const maxTotalSize = maxBodyBytes['multipart/form-data'];
    const sizes = { maxFileSize: maxTotalSize, maxTotalSize, maxParts: mostParts };
    for (const part of parseMultipart(bytes, { boundary, ...sizes })) {
      const problem = takePart(part, fields, files);
      if (problem !== undefined) return problem;
    }
  } catch {
    return brokenForm;
  }
  return undefined;
}

/** Adds a part to a form, or returns what is wrong with it. */
function takePart(
  part: MultipartPart,
  fields: Record<string, string>,
  files: FormFile[],
): string | undefined {
  // RFC 7578, 4.2, forbids filename*.
  if (part.headers['content-disposition']?.includes('filename*')) return 'A part has a filename* parameter.';
  const { name } = part;
  if (name === undefined || name === '') return 'A part has no name.';
  if (name in fields || files.some((file) => file.field === name)) {
    return `The field ${name.slice(0, 60)} appears twice.`;
  }
  const bytes = part.content.length === 1 && part.content[0] ? part.content[0] : part.bytes;
  if (part.filename !== undefined) {
    files.push({
      field: name,
      name: part.filename,
      type: part.headers['content-type'] ?? '',
      size: bytes.length,
      sha256: sha256(bytes),
      bytes,
    });
    return undefined;
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) return `The field ${name.slice(0, 60)} is not UTF-8.`;
  fields[name] = text;
  return undefined;
}

export function describeFile({ bytes: _bytes, ...file }: FormFile): JournalFile {
  return file;
}
