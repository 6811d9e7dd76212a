import { Busboy } from '@fastify/busboy';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { partsOf, refusal } from '../helpers/outcomes.js';
import { fileOf } from '../helpers/parse-multipart.js';
import { files, invoiceUpload } from '../helpers/samples.js';

const content = Buffer.concat([files.pdf, Buffer.alloc(100_000)]);

/** The stream of an uploaded file, by a parser that cuts it at its limit. */
function uploaded(fileSize: number): Promise<Readable> {
  const boundary = 'form-boundary';
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.pdf"\r\n\r\n`),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const parser = new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    limits: { fileSize },
  });
  return new Promise((resolve, reject) => {
    parser.on('file', (_field, stream) => {
      resolve(stream);
    });
    parser.on('error', reject);
    parser.end(body);
  });
}

describe('a file that a multipart parser cut at its limit', () => {
  test.each([
    ['by itself', (stream: Readable) => stream],
    ['with a name', (stream: Readable) => ({ data: stream, filename: 'a.pdf' })],
  ])('is refused %s, and the message names the limit', async (_name, wrap) => {
    const stream = await uploaded(50_000);
    const { issues } = await refusal('uploadInvoice', invoiceUpload({ file: wrap(stream) }));
    expect(issues).toEqual([
      {
        path: ['file'],
        message: expect.stringContaining('limits.fileSize') as string,
        resultStatus: 'INVALID_REQUEST',
      },
    ]);
    expect(stream.destroyed).toBe(true);
  });

  test('is sent complete below the limit', async () => {
    const file = fileOf(await partsOf(invoiceUpload({ file: await uploaded(200_000) })));
    expect(file.bytes.equals(content)).toBe(true);
  });
});
