import { invalid, valid, type Checked } from '../values/checked.js';
import type { FileSource } from './file-source.js';
import {
  declaredTypeFits,
  detectFileType,
  fileTypes,
  nameFits,
  typeDetectionBytes,
  type InvoiceContentType,
} from './file-types.js';
import { maxFileBytes, maxFileMegabytes } from './limits.js';
import type { ResultStatus } from './result-statuses.js';

/** A file as it is sent. */
export interface InvoiceFile {
  /**
   * The bytes, in the pieces in which they were read. The pieces are joined only in the multipart body, because every
   * join copies them.
   */
  readonly pieces: readonly Uint8Array[];
  readonly filename: string;
  readonly contentType: InvoiceContentType;
}

/** The reason why a file cannot be sent: an issue of the field `file`. */
export interface FileProblem {
  readonly message: string;
  readonly resultStatus: ResultStatus;
}

export type CheckedFile<T> = Checked<T, FileProblem>;

export function wrongFile(message: string, resultStatus: ResultStatus = 'INVALID_REQUEST') {
  return invalid<FileProblem>({ message, resultStatus });
}

export const tooLarge = wrongFile(
  `must not be larger than ${maxFileMegabytes} MB (${maxFileBytes} bytes)`,
  'FILE_TOO_LARGE',
);

function wireName(source: FileSource, contentType: InvoiceContentType): CheckedFile<string> {
  const name = source.filename ?? (source.kind === 'path' ? source.path : '');
  if (/[\r\n\0]/.test(name)) return wrongFile('has a name that contains CR, LF or NUL');
  if (!name.isWellFormed()) return wrongFile('has a name that is not well-formed Unicode');
  // The name can contain the path separators of any operating system.
  const base = name.replace(/^.*[/\\]/s, '');
  const isMissing = ['', '.', '..'].includes(base);
  return valid(isMissing ? `invoice.${fileTypes[contentType].extensions[0]}` : base);
}

/** The beginning of a file, which shows its type. */
function beginningOf(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first && (pieces.length === 1 || first.length >= typeDetectionBytes)) return first;
  const needed: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (size >= typeDetectionBytes) break;
    needed.push(piece);
    size += piece.length;
  }
  return Buffer.concat(needed);
}

/** Checks a file: returns the file as it is sent, or its problem. */
export function checkFile(source: FileSource, pieces: readonly Uint8Array[]): CheckedFile<InvoiceFile> {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  if (size === 0) return wrongFile('must not be empty');
  if (size > maxFileBytes) return tooLarge;
  const contentType = detectFileType(beginningOf(pieces));
  if (contentType === undefined) {
    return wrongFile(
      'must begin like a pdf, png, jpg or xml file, for example with %PDF- or an XML tag; HTML is not accepted',
      'INVALID_FILE_TYPE',
    );
  }
  const name = wireName(source, contentType);
  if (!name.ok) return name;
  const { value: filename } = name;
  const typeMismatch = (problem: string) => wrongFile(`${problem} (${contentType})`, 'INVALID_FILE_TYPE');
  if (!nameFits(filename, contentType))
    return typeMismatch('has a name whose extension does not fit its content');
  if (!declaredTypeFits(source.contentType ?? '', contentType)) {
    return typeMismatch('has a contentType that does not fit its content');
  }
  return valid({ pieces, filename, contentType });
}
