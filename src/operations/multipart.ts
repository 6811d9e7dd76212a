import FormData from 'form-data';
import type { InvoiceFile } from '../protocol/file-rules.js';

/**
 * Writes text fields in the given order, byte for byte, and then the file. If none of its pieces is a stream,
 * `form-data` emits all of them synchronously, during `resume`. Its `getBuffer` would copy the file three times.
 */
export function buildMultipart(
  fields: readonly (readonly [name: string, value: string])[],
  file: InvoiceFile | undefined,
  boundary: string,
): Uint8Array {
  const form = new FormData();
  form.setBoundary(boundary);
  for (const [name, value] of fields) form.append(name, value);
  // An empty piece that marks the place of the file. The pieces of the file replace it below.
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
