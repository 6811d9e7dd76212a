import FormData from 'form-data';
import type { InvoiceFile } from '../protocol/file-rules.js';

/** Writes text fields in the order given, byte for byte, then the file. */
export function buildMultipart(
  fields: readonly (readonly [name: string, value: string])[],
  file: InvoiceFile | undefined,
  boundary: string,
): Uint8Array {
  const form = new FormData();
  form.setBoundary(boundary);
  for (const [name, value] of fields) form.append(name, value);
  if (file) {
    const { bytes, filename, contentType } = file;
    form.append('file', Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), { filename, contentType });
  }
  return form.getBuffer();
}
