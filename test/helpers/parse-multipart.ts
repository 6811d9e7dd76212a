import { Busboy } from '@fastify/busboy';

/** One part of a form. */
export interface FormPart {
  readonly name: string;
  readonly bytes: Buffer;
  readonly filename?: string;
  readonly contentType?: string;
}

/** Reads a multipart body with a parser that is independent of its writer. Parts keep their order. */
export function parseMultipart(contentType: string, body: Uint8Array): Promise<FormPart[]> {
  return new Promise((resolve, reject) => {
    const parts: FormPart[] = [];
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (name) => name === 'file',
    });
    parser.on('field', (name, value) => parts.push({ name, bytes: Buffer.from(value) }));
    parser.on('file', (name, stream, filename, _encoding, type) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => parts.push({ name, bytes: Buffer.concat(chunks), filename, contentType: type }));
    });
    parser.on('error', reject);
    parser.on('finish', () => {
      resolve(parts);
    });
    parser.end(body);
  });
}

/** The only file of a form. */
export function fileOf(parts: readonly FormPart[]): FormPart {
  const file = parts.find(({ name }) => name === 'file');
  if (!file) throw new Error('the form has no file');
  return file;
}
