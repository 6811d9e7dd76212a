import { decodeUtf8 } from '../../values/encodings.js';
import { createHash } from 'node:crypto';
import { parseMultipart } from '@remix-run/multipart-parser';
import { add, decimalOf, toNumber } from '../../values/decimal.js';
import { knownHeaders, mediaTypeOf } from '../../protocol/headers.js';
import { tryParseJson, finiteNumberAt, readProperty } from '../../values/untrusted-values.js';
import { keptFields, keptText } from '../state/kept-text.js';
import type { JournalEntry, JournalFile, JournalResponse } from '../state/journal-types.js';
import { maxBodyBytes, type IncomingRequest, type ResponseData } from '../common/exchange.js';
import type { ReadMessage } from './mock-context.js';
import { Refusal, refuseUnless } from './refusals.js';

/** A JSON body, as far as it can be read. */
export interface JsonMessage extends ReadMessage {
  readonly value?: unknown;
}

/** A file of a form. */
export interface FormFile extends JournalFile {
  readonly bytes: Uint8Array;
}

/** A multipart body, as far as it can be read. */
export interface FormMessage extends ReadMessage {
  /** The text fields in the order of the body, byte for byte. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
}

/** The texts of a body that the journal keeps: the IDs of a request, and the facts of a lender's notification. */
const recordedTexts = [
  'merchantId',
  'referenceId',
  'requestId',
  'lenderTransactionCode',
  'contractNumber',
  'receivedStatus',
] as const;

/** Reads a JSON body, and the fields in it that the journal keeps. */
export function readJsonMessage(bytes: Buffer, request: Pick<IncomingRequest, 'header'>): JsonMessage {
  const text = decodeUtf8(bytes);
  const value = text === undefined ? undefined : tryParseJson(text);
  const idempotencyKey = request.header(knownHeaders.idempotencyKey.name);
  const amount = amountOf(value);
  return {
    bytes,
    value,
    problem: problemOfJson(text, value, request),
    recorded: {
      ...textsAt(value),
      ...(idempotencyKey && { idempotencyKey }),
      ...keptBody(bytes, text),
      ...(amount !== undefined && { amount }),
    },
  };
}

/** Says why a body is not JSON. */
function notJson(text: string): string {
  if (/^[\w.%[\]-]+=[^{}]*$/.test(text))
    return 'The body is a form, not JSON. Send the JSON text that you signed (in Python, requests.post(url, data=body), not data=order).';
  if (/[:[,]\s*-?(?:NaN|Infinity)\b/.test(text))
    return 'The body contains NaN or Infinity, which JSON does not allow.';
  return 'The body is not JSON.';
}

function problemOfJson(
  text: string | undefined,
  value: unknown,
  request: Pick<IncomingRequest, 'header'>,
): string | undefined {
  if (text === undefined) return 'The body is not UTF-8.';
  if (value === undefined) return notJson(text);
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

function textsAt(value: unknown): Partial<JournalEntry> {
  const texts = recordedTexts.map((name) => [name, shortTextAt(value, name)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

/** The part of a response that the journal keeps. */
export function recordResponse({ headers, body }: ResponseData): JournalResponse {
  return { headers, body: keptText(body), bodyBytes: Buffer.byteLength(body) };
}

/** The amount of a payment or receipt, or the exact sum of an allocation. Undefined if an amount is missing. */
function amountOf(value: unknown): number | undefined {
  const transactions = readProperty(value, 'repaymentTransactions');
  const totals = Array.isArray(transactions)
    ? transactions.map((transaction) => finiteNumberAt(transaction, 'allocatedTotal'))
    : [undefined];
  if (totals.every((total) => total !== undefined)) {
    return toNumber(totals.map(decimalOf).reduce(add, decimalOf(0)));
  }
  return finiteNumberAt(readProperty(value, 'amount'), 'value') ?? finiteNumberAt(value, 'receivedAmount');
}

const longestIdentifier = 256;

/**
 * The string at a key of a JSON object. Undefined for any other value, and for a string that is too long to be an ID.
 */
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
  // The object has no prototype, because a field can be named __proto__.
  const fields = Object.create(null) as Record<string, string>;
  const files: FormFile[] = [];
  const warnings: string[] = [];
  let problem: string | undefined;
  try {
    readParts(bytes, boundaryOf(contentType), fields, files, warnings);
  } catch (error) {
    problem = error instanceof Refusal ? error.resultMsg : brokenForm;
  }
  const recorded = {
    ...textsAt(fields),
    bodyBytes: bytes.length,
    fields: keptFields(fields),
    files: files.map(describeFile),
    ...(warnings.length > 0 && { warnings }),
  };
  return { bytes, fields, files, problem, recorded };
}

const extendedNameAdvice =
  'RFC 7578 forbids filename* in a form, and the mock ignores filename*. In .NET, set ContentDisposition.FileNameStar to null.';

/** The parameters of a Content-Disposition, such as `name` and `filename`. */
function parametersOf(disposition = ''): ReadonlyMap<string, string> {
  const parameters = disposition.matchAll(/;\s*([^=;\s]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g);
  return new Map(
    Array.from(parameters, ([, name = '', quoted, bare = '']) => {
      const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare.trim();
      return [name.toLowerCase(), value];
    }),
  );
}

/** Adds the parts of a form to `fields`, `files` and `warnings`. @throws Refusal for the first wrong part */
function readParts(
  bytes: Buffer,
  boundary: string | undefined,
  fields: Record<string, string>,
  files: FormFile[],
  warnings: string[],
): void {
  refuseForm(boundary, 'The Content-Type is not multipart/form-data with a boundary.');
  // The parser reads an empty body as a form without fields.
  refuseForm(bytes.length > 0, brokenForm);
  const maxTotalSize = maxBodyBytes['multipart/form-data'];
  const sizes = { maxFileSize: maxTotalSize, maxTotalSize, maxParts: mostParts };
  for (const part of parseMultipart(bytes, { boundary, ...sizes })) {
    const { headers, content } = part;
    const parameters = parametersOf(headers['content-disposition']);
    const hasExtendedName = parameters.has('filename*');
    const { name } = part;
    // The parser's own file name is not used: the parser prefers filename*, and logs a warning if it cannot decode
    // filename*.
    const filename = parameters.get('filename');
    refuseForm(
      !hasExtendedName || filename !== undefined,
      'A part has a filename* parameter, but no filename parameter.',
    );
    refuseForm(name, 'A part has no name.');
    const field = `The field ${name.slice(0, 60)}`;
    const isNew = !(name in fields) && files.every((file) => file.field !== name);
    refuseForm(isNew, `${field} appears twice.`);
    if (hasExtendedName) warnings.push(`${field} has a filename* parameter. ${extendedNameAdvice}`);
    const whole = content.length === 1 && content[0] ? content[0] : part.bytes;
    if (filename === undefined) {
      const text = decodeUtf8(whole);
      refuseForm(text !== undefined, `${field} is not UTF-8.`);
      fields[name] = text;
    } else {
      const type = headers['content-type'] ?? '';
      files.push({
        field: name,
        name: filename,
        type,
        size: whole.length,
        sha256: sha256(whole),
        bytes: whole,
      });
    }
  }
}

function refuseForm(isRight: unknown, problem: string): asserts isRight {
  refuseUnless(isRight, 'INVALID_REQUEST', problem);
}

export function describeFile({ bytes: _bytes, ...file }: FormFile): JournalFile {
  return file;
}
