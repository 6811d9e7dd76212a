/**
 * The invoice file types of the service and how to know them by their content (specification: Limits).
 */

/** 5 MB, taken as 5 x 1024 x 1024 bytes. */
export const maxFileBytes = 5 * 1024 * 1024;

/** A type of file that the service accepts, as it stands on the wire. */
export type InvoiceContentType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'application/xml';

interface FileType {
  /** The first one names a file that has no name. */
  readonly extensions: readonly [string, ...string[]];
  /** Other names under which the same type is declared. */
  readonly aliases: readonly string[];
  /** Whether the service takes it behind `fileUrl`. */
  readonly byUrl: boolean;
}

export const fileTypes: Readonly<Record<InvoiceContentType, FileType>> = {
  'application/pdf': { extensions: ['pdf'], aliases: ['application/x-pdf'], byUrl: true },
  'image/png': { extensions: ['png'], aliases: ['image/x-png'], byUrl: true },
  'image/jpeg': { extensions: ['jpg', 'jpeg'], aliases: ['image/jpg', 'image/pjpeg'], byUrl: true },
  'application/xml': { extensions: ['xml'], aliases: ['text/xml'], byUrl: false },
};

const urlExtensions: ReadonlySet<string> = new Set(
  Object.values(fileTypes).flatMap((type) => (type.byUrl ? type.extensions : [])),
);

const pdfMark = Buffer.from('%PDF-');
const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegMark = Buffer.from([0xff, 0xd8, 0xff]);

function startsWith(bytes: Uint8Array, mark: Buffer): boolean {
  return bytes.length >= mark.length && mark.equals(bytes.subarray(0, mark.length));
}

/** The type of a file by its content, or undefined where the service would not take it. */
export function detectFileType(bytes: Uint8Array): InvoiceContentType | undefined {
  if (startsWith(bytes, pdfMark)) return 'application/pdf';
  if (startsWith(bytes, pngMark)) return 'image/png';
  if (startsWith(bytes, jpegMark)) return 'image/jpeg';
  return isXml(bytes) ? 'application/xml' : undefined;
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

// What may stand before the root element: declarations, comments, a document type with its own declarations.
const prolog = /^(?:\s|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)*/;
const rootElement = /^<([A-Za-z_\u{80}-\u{10ffff}][\w:.\u{80}-\u{10ffff}-]*)(?=[\s/>])/u;

// A prolog longer than this is no invoice's.
const xmlHeadBytes = 64 * 1024;

/** True for text whose first element is the root of an XML document; HTML is not, whatever it calls itself. */
function isXml(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, xmlHeadBytes));
  const text = new TextDecoder(encodingOf(head)).decode(head);
  const root = rootElement.exec(text.replace(prolog, ''))?.[1];
  return root !== undefined && root.toLowerCase() !== 'html';
}

// Extensions that promise content of another kind. Any other ending (`HD.v2`, `download.php`) promises nothing.
const otherExtensions =
  'txt csv tsv json html htm xhtml md rtf doc docx odt xls xlsx ods ppt pptx odp eml msg ' +
  'gif webp jp2 jxl bmp tif tiff svg ico heic heif avif psd ai eps mp3 wav mp4 mov avi mkv webm ' +
  'zip rar 7z gz tgz tar bz2 xz exe msi dll com bat cmd sh ps1 js mjs cjs ts vbs jar apk app dmg iso bin';
const knownExtensions: ReadonlySet<string> = new Set([
  ...Object.values(fileTypes).flatMap((type) => type.extensions),
  ...otherExtensions.split(' '),
]);

/** The known extension at the end of a name or path, in lower case. */
export function extensionOf(name: string): string | undefined {
  const extension = /\.([a-z0-9]+)$/.exec(name.toLowerCase())?.[1];
  return extension !== undefined && knownExtensions.has(extension) ? extension : undefined;
}

/** True when an extension may stand at the end of a `fileUrl`. */
export function isUrlExtension(extension: string): boolean {
  return urlExtensions.has(extension);
}

/** True when a name's extension goes with the content; a name without one says nothing against it. */
export function nameFits(name: string, contentType: InvoiceContentType): boolean {
  const extension = extensionOf(name);
  return extension === undefined || fileTypes[contentType].extensions.includes(extension);
}

/** True when a declared type goes with the content; a type that says nothing of its own does too. */
export function declaredTypeFits(declared: string, contentType: InvoiceContentType): boolean {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (
    type === '' ||
    type === 'application/octet-stream' ||
    type === contentType ||
    fileTypes[contentType].aliases.includes(type)
  );
}
