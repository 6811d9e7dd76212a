import FormData from 'form-data';
import type { InvoiceFile } from '../protocol/file-rules.js';

/**
 * Writes text fields in the given order, byte for byte, and then the file. No piece here is a stream, so `form-data`
 * emits every piece before `resume` returns. The method `getBuffer` of `form-data` would copy the file three times.
 */
export function buildMultipart(
  fields: readonly (readonly [name: string, value: string])[],
  file: InvoiceFile | undefined,
  boundary: string,
): Uint8Array {
  const form = new FormData();
  form.setBoundary(boundary);
  for (const [name, value] of fields) form.append(name, value);
  // The placeholder is an empty piece. The pieces of the file replace it below.
  const filePlaceholder = Buffer.alloc(0);
  if (file) {
    const { filename, contentType } = file;
    form.append('file', filePlaceholder, { filename, contentType });
  }
  const pieces: Uint8Array[] = [];
  form.on('data', (piece: string | Buffer) => {
    if (file && piece === filePlaceholder) pieces.push(...file.pieces);
    else pieces.push(Buffer.from(piece));
  });
  form.resume();
  return Buffer.concat(pieces);
}
