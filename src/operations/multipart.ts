import FormData from 'form-data';
import type { InvoiceFile } from '../protocol/file-rules.js';

/**
 * Writes text fields in the given order, byte for byte, and then the file. `form-data` streams its pieces at once if
 * none of them is a stream; `getBuffer` would copy the file three times.
 */
export function buildMultipart(
  fields: readonly (readonly [name: string, value: string])[],
  file: InvoiceFile | undefined,
  boundary: string,
): Uint8Array {
  const form = new FormData();
  form.setBoundary(boundary);
  for (const [name, value] of fields) form.append(name, value);
  // Marks the place of the file, whose pieces are joined with all others.
  const placeOfFile = Buffer.alloc(0);
  if (file) {
    const { filename, contentType } = file;
    form.append('file', placeOfFile, { filename, contentType });
  }
  const pieces: Uint8Array[] = [];
  form.on('data', (piece: string | Buffer) => {
    if (file && piece === placeOfFile) pieces.push(...file.pieces);
    else pieces.push(Buffer.from(piece));
  });
  form.resume();
  return Buffer.concat(pieces);
}
