import { xmlRootOf } from './xml.js';

/**
 * The invoice file types of the service, and how they are recognised by their content (specification: Limits).
 */

/** A type of file that the service accepts. */
export type InvoiceContentType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'application/xml';

interface FileType {
  /** The first one is for a file without a name. */
  readonly extensions: readonly [string, ...string[]];
  /** Other names under which the same type is declared. */
  readonly aliases: readonly string[];
  /** Whether a `fileUrl` may lead to it. */
  readonly byUrl: boolean;
}

export const fileTypes: Readonly<Record<InvoiceContentType, FileType>> = {
  'application/pdf': { extensions: ['pdf'], aliases: ['application/x-pdf'], byUrl: true },
  'image/png': { extensions: ['png'], aliases: ['image/x-png'], byUrl: true },
  'image/jpeg': { extensions: ['jpg', 'jpeg'], aliases: ['image/jpg', 'image/pjpeg'], byUrl: true },
  'application/xml': { extensions: ['xml'], aliases: ['text/xml'], byUrl: false },
};

export const urlExtensions: readonly string[] = Object.values(fileTypes).flatMap((type) =>
  type.byUrl ? type.extensions : [],
);

const pdfMark = Buffer.from('%PDF-');
const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegMark = Buffer.from([0xff, 0xd8, 0xff]);
const utf16leMark = Buffer.from([0xff, 0xfe]);
const utf16beMark = Buffer.from([0xfe, 0xff]);

// Where readers of PDF look for the header: 'the first 1024 bytes' (PDF 1.7, implementation notes).
const pdfHeaderBytes = 1024;

function startsWith(bytes: Uint8Array, mark: Buffer): boolean {
  return mark.equals(bytes.subarray(0, mark.length));
}

/** The type of a file by its content; undefined for a type that the service does not accept. */
export function detectFileType(bytes: Uint8Array): InvoiceContentType | undefined {
  if (startsWith(bytes, pngMark)) return 'image/png';
  if (startsWith(bytes, jpegMark)) return 'image/jpeg';
  if (startsWith(bytes, pdfMark)) return 'application/pdf';
  if (isXml(bytes)) return 'application/xml';
  return Buffer.from(bytes.subarray(0, pdfHeaderBytes)).includes(pdfMark) ? 'application/pdf' : undefined;
}

function encodingOf(bytes: Uint8Array): string {
  if (startsWith(bytes, utf16leMark)) return 'utf-16le';
  if (startsWith(bytes, utf16beMark)) return 'utf-16be';
  return 'utf-8';
}

// First elements by which browsers recognise HTML (WHATWG, MIME Sniffing, 7.1), and others that no data format has as
// its root.
const htmlRoots: ReadonlySet<string> = new Set(
  (
    'html head script iframe h1 div font table a style title b body br p ' +
    'h2 h3 h4 h5 h6 span ul ol li tr td form img input button center i u em strong main nav section article ' +
    'header footer aside meta link hr pre blockquote'
  ).split(' '),
);
const htmlDoctype = /<!DOCTYPE\s+html\b/i;

function isXml(bytes: Uint8Array): boolean {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  const root = xmlRootOf(text);
  if (root === undefined || htmlRoots.has(root.toLowerCase()) || /:html$/i.test(root)) return false;
  return !htmlDoctype.test(text.slice(0, text.indexOf(`<${root}`)));
}

// Any other ending (`HD.v2`, `download.php`) says nothing about the type.
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

/** True for an extension that a `fileUrl` may end in. */
export function isUrlExtension(extension: string): boolean {
  return urlExtensions.includes(extension);
}

/** True if the extension fits the content, or there is none. */
export function nameFits(name: string, contentType: InvoiceContentType): boolean {
  const extension = extensionOf(name);
  return extension === undefined || fileTypes[contentType].extensions.includes(extension);
}

/** True if a declared type fits the content, or says nothing about it. */
export function declaredTypeFits(declared: string, contentType: InvoiceContentType): boolean {
  const type = declared.replace(/;.*/s, '').trim().toLowerCase();
  return (
    type === '' ||
    type === 'application/octet-stream' ||
    type === contentType ||
    fileTypes[contentType].aliases.includes(type)
  );
}
