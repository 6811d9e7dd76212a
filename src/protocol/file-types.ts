import { looksLikeXml } from './xml.js';

/** A type of file that the service accepts (specification: Limits). */
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
  if (looksLikeXml(bytes)) return 'application/xml';
  return Buffer.from(bytes.subarray(0, pdfHeaderBytes)).includes(pdfMark) ? 'application/pdf' : undefined;
}

// Documents, pictures and archives of them. Any other ending of a name is not a type: `HD.v2`, `INV.2026.ts`,
// `hoadon-shop.com`.
const otherDocuments =
  'txt csv tsv json html htm xhtml rtf doc docx docm odt xls xlsx xlsm ods ppt pptx odp eml msg ' +
  'gif webp jp2 jxl bmp tif tiff svg ico heic heif avif psd eps zip rar 7z gz tgz';
const documentExtensions: ReadonlySet<string> = new Set([
  ...Object.values(fileTypes).flatMap((type) => type.extensions),
  ...otherDocuments.split(' '),
]);

// More types at the end of a URL's path, where no shop's name or year is expected.
const otherFiles =
  'md ai mp3 wav mp4 mov avi mkv webm tar bz2 xz exe msi dll bat cmd sh ps1 js mjs cjs vbs jar apk dmg iso bin';
const fileExtensions: ReadonlySet<string> = new Set([...documentExtensions, ...otherFiles.split(' ')]);

/** The extension at the end of a name or path, in lower case, if it is one of these. */
function extensionOf(name: string, known: ReadonlySet<string>): string | undefined {
  const extension = /\.([a-z0-9]+)$/.exec(name.toLowerCase())?.[1];
  return extension !== undefined && known.has(extension) ? extension : undefined;
}

/** True if a `fileUrl` may have this path: its extension is accepted there, or is not a known one. */
export function urlPathFits(path: string): boolean {
  const extension = extensionOf(path, fileExtensions);
  return extension === undefined || urlExtensions.includes(extension);
}

/** True if the extension fits the content, or is not a document's. */
export function nameFits(name: string, contentType: InvoiceContentType): boolean {
  const extension = extensionOf(name, documentExtensions);
  return extension === undefined || fileTypes[contentType].extensions.includes(extension);
}

// Object stores and upload forms declare these for a file of any type.
const declaredForAny: readonly string[] = ['', 'application/octet-stream', 'binary/octet-stream'];

/** True if a declared type fits the content, or says nothing about it. */
export function declaredTypeFits(declared: string, contentType: InvoiceContentType): boolean {
  const type = declared.replace(/;.*/s, '').trim().toLowerCase();
  return [...declaredForAny, contentType, ...fileTypes[contentType].aliases].includes(type);
}
