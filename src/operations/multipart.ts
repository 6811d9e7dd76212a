import FormData from 'form-data';
import type { InvoiceFile } from '../protocol/file-rules.js';

export interface Multipart {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Writes text fields in the order given, byte for byte, then the file. */
export function buildMultipart(
  fields: readonly (readonly [name: string, value: string])[],
  file: InvoiceFile | undefined,
  boundary: string,
): Multipart {
  const form = new FormData();
  form.setBoundary(boundary);
  for (const [name, value] of fields) form.append(name, value);
  const contentType = `multipart/form-data; boundary=${boundary}`;
  if (!file) return { contentType, body: form.getBuffer() };

  // form-data copies everything once for each part: it gets an empty file, and the bytes are inserted afterwards.
  const { bytes, filename, contentType: type } = file;
  form.append('file', Buffer.alloc(0), { filename, contentType: type });
  const frame = form.getBuffer();
  const end = Buffer.byteLength(`\r\n--${boundary}--\r\n`);
  return { contentType, body: Buffer.concat([frame.subarray(0, -end), bytes, frame.subarray(-end)]) };
}
