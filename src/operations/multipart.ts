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
  if (!file) return form.getBuffer();

  // form-data copies everything once for each part: it gets an empty file, and the bytes are inserted afterwards.
  const { bytes, filename, contentType: type } = file;
  form.append('file', Buffer.alloc(0), { filename, contentType: type });
  const frame = form.getBuffer();
  const end = Buffer.byteLength(`\r\n--${boundary}--\r\n`);
  return Buffer.concat([frame.subarray(0, -end), bytes, frame.subarray(-end)]);
}
