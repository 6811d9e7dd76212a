import { decodeUtf8 } from '../../values/encodings.js';
import { createHash } from 'node:crypto';
import { parseMultipart, type MultipartPart } from '@remix-run/multipart-parser';
import { add, decimalOf, toNumber } from '../../values/decimal.js';
import { knownHeaders } from '../../protocol/headers.js';
import { jsonIn, numberAt, readProperty } from '../../values/untrusted-values.js';
import { keptText } from '../state/kept-text.js';
import type { JournalFile, JournalResponse } from '../state/journal-types.js';
import { maxBodyBytes, type IncomingRequest, type ResponseData } from '../common/delivery.js';
import type { ReadRequest } from './request-context.js';

/** A JSON body, as far as it could be read. */
export interface JsonMessage {
  readonly bytes: Buffer;
  /** Undefined for bytes that are not UTF-8. */
  readonly text?: string;
  readonly value?: unknown;
  /** Why there is no value. */
  readonly problem?: string;
}

/** A file of a form. */
export interface FormFile extends JournalFile {
  readonly bytes: Uint8Array;
}

/** A multipart body, as far as it could be read. */
export interface FormMessage {
  readonly bytes: Buffer;
  /** Textual fields in the order of the body, byte for byte. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
  /** Why the body is not a valid form. */
  readonly problem?: string;
}

export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function readJson(bytes: Buffer, contentType: string | undefined): JsonMessage {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { bytes, problem: 'The body is not UTF-8.' };
  const value = jsonIn(text);
  if (value === undefined) return { bytes, text, problem: 'The body is not JSON.' };
  if (mediaTypeOf(contentType) === 'application/json') return { bytes, text, value };
  return { bytes, text, value, problem: 'The Content-Type is not application/json.' };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The part of a JSON body that the journal keeps. */
export function recordJson({ bytes, text, value }: JsonMessage): ReadRequest['recorded'] {
  const kept = text && keptText(text);
  const contractNumber = shortTextAt(value, 'contractNumber');
  const receivedStatus = shortTextAt(value, 'receivedStatus');
  const amount = amountOf(value);
  return {
    bodyBytes: bytes.length,
    ...(kept !== undefined && { body: kept }),
    ...(text !== kept && { bodySha256: sha256(bytes) }),
    ...(contractNumber !== undefined && { contractNumber }),
    ...(receivedStatus !== undefined && { receivedStatus }),
    ...(amount !== undefined && { amount }),
  };
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

export function keyHeader(request: IncomingRequest): string | undefined {
  const key = request.header(knownHeaders.idempotencyKey.name);
  return key === '' ? undefined : key;
}

const boundaryShape = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const mostParts = 32;
const brokenForm = 'The multipart body is broken.';

function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || mediaTypeOf(contentType) !== 'multipart/form-data') return undefined;
  const match = boundaryShape.exec(contentType);
  return match?.[1] ?? match?.[2];
}

export function readForm(bytes: Buffer, contentType: string | undefined): FormMessage {
  // Without a prototype: a field may be named __proto__.
  const fields = Object.create(null) as Record<string, string>;
  const files: FormFile[] = [];
  const form = { bytes, fields, files };
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) {
    return { ...form, problem: 'The Content-Type is not multipart/form-data with a boundary.' };
  }
  // The parser reads an empty body as a form without fields.
  if (bytes.length === 0) return { ...form, problem: brokenForm };
  try {
    const maxTotalSize = maxBodyBytes['multipart/form-data'];
    const sizes = { maxFileSize: maxTotalSize, maxTotalSize, maxParts: mostParts };
    for (const part of parseMultipart(bytes, { boundary, ...sizes })) {
      const problem = takePart(part, fields, files);
      if (problem !== undefined) return { ...form, problem };
    }
  } catch {
    return { ...form, problem: brokenForm };
  }
  return form;
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
