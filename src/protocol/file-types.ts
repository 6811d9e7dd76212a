import { decodeText } from '../values/encodings.js';

/** A type of file that the service accepts (specification: Limits). */
export type InvoiceContentType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'application/xml';

interface FileType {
  /** The file extensions. The first extension is used for a file without a name. */
  readonly extensions: readonly [string, ...string[]];
  /** Other names of the same media type. */
  readonly aliases: readonly string[];
  /** Whether the service accepts a `fileUrl` of a file of this type. */
  readonly isAllowedByUrl: boolean;
}

export const fileTypes: Readonly<Record<InvoiceContentType, FileType>> = {
  'application/pdf': { extensions: ['pdf'], aliases: ['application/x-pdf'], isAllowedByUrl: true },
  'image/png': { extensions: ['png'], aliases: ['image/x-png'], isAllowedByUrl: true },
  'image/jpeg': { extensions: ['jpg', 'jpeg'], aliases: ['image/jpg', 'image/pjpeg'], isAllowedByUrl: true },
  'application/xml': { extensions: ['xml'], aliases: ['text/xml'], isAllowedByUrl: false },
};

export const urlExtensions: readonly string[] = Object.values(fileTypes).flatMap((type) =>
  type.isAllowedByUrl ? type.extensions : [],
);

/** The type of a file by its content; undefined for a type that the service does not accept. */
export function detectFileType(bytes: Uint8Array): InvoiceContentType | undefined {
  // Readers of PDF look for its header in 'the first 1024 bytes' (PDF 1.7, implementation notes).
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('%PDF-')) return 'application/pdf';
  if (looksLikeXml(bytes)) return 'application/xml';
  return start.includes('%PDF-') ? 'application/pdf' : undefined;
}

/** The number of bytes at the beginning of a file from which its type is detected. */
export const typeDetectionBytes = 65_536;

/**
 * Decodes the beginning of a file. The encoding is UTF-16 if the first two bytes are its byte order mark or contain a
 * zero byte, and UTF-8 in all other cases.
 */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isBigEndian = first === 0 || (first === 0xfe && second === 0xff);
  const isLittleEndian = second === 0 || (first === 0xff && second === 0xfe);
  const utf16 = isBigEndian ? 'utf-16be' : 'utf-16le';
  const encoding = isBigEndian || isLittleEndian ? utf16 : 'utf-8';
  return decodeText(bytes.subarray(0, typeDetectionBytes), encoding);
}

// Each part before the first tag is matched separately: a repeated group would backtrack through a hostile file.
const beforeFirstTag = /\s+|<\?[^]*?\?>|<!--[^]*?-->/y;
const htmlStart = /<(?:!doctype\s+)?html(?![^\s/>[])/iy;

/**
 * True for a file that begins with `<`, unless its first tag or its DOCTYPE shows that it is HTML. Nothing else is
 * checked here, because a valid invoice must never be refused. The service checks the rest.
 */
function looksLikeXml(bytes: Uint8Array): boolean {
  const text = decode(bytes);
  if (!text.trimStart().startsWith('<')) return false;
  let position = 0;
  beforeFirstTag.lastIndex = 0;
  while (beforeFirstTag.test(text)) position = beforeFirstTag.lastIndex;
  htmlStart.lastIndex = position;
  return !htmlStart.test(text);
}

function extensionOf(name: string): string {
  return /\.([a-z0-9]+)$/.exec(name.toLowerCase())?.[1] ?? '';
}

const acceptedExtensions: readonly string[] = Object.values(fileTypes).flatMap(
  ({ extensions }) => extensions,
);

/**
 * True unless the extension belongs to a different accepted type. Any other extension proves nothing: `HD.v2`,
 * `hoadon-shop.com`.
 */
export function nameFits(name: string, contentType: InvoiceContentType): boolean {
  const extension = extensionOf(name);
  return !acceptedExtensions.includes(extension) || fileTypes[contentType].extensions.includes(extension);
}

/**
 * The extensions that the path of a `fileUrl` must not have: they show a type that the service does not accept as a
 * `fileUrl`. Any other extension can belong to a program, such as `/download.php`.
 */
export const refusedUrlExtensions: readonly string[] = [
  ...acceptedExtensions.filter((extension) => !urlExtensions.includes(extension)),
  ...'html htm txt doc docx xls xlsx gif webp tif tiff bmp svg heic zip rar exe'.split(' '),
];

/** True if the path of a `fileUrl` is permitted. */
export function urlPathFits(path: string): boolean {
  return !refusedUrlExtensions.includes(extensionOf(path));
}

// Object stores and upload forms declare these types for any file.
const declaredForAny: readonly string[] = ['', 'application/octet-stream', 'binary/octet-stream'];

/** True if a declared type fits the content, or says nothing about the content. */
export function declaredTypeFits(declared: string, contentType: InvoiceContentType): boolean {
  const type = declared.replace(/;.*/s, '').trim().toLowerCase();
  return [...declaredForAny, contentType, ...fileTypes[contentType].aliases].includes(type);
}
