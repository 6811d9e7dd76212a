import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InvoiceFileInput } from '../../src/index.js';
import { fileOf, parseMultipart } from '../helpers/parse-multipart.js';
import { recordingServer, type RecordingServer } from '../helpers/recording-server.js';
import { approvedInvoice, demoClient, files, invoiceUpload } from '../helpers/samples.js';

// Bytes that a careless encoder would change: every octet, CRLFs, and what looks like a boundary.
const content = Buffer.concat([
  files.pdf,
  Buffer.from(Array.from({ length: 256 }, (_, octet) => octet)),
  Buffer.from('\r\n------other--\r\n\r\n--'),
]);

let server: RecordingServer;
let folder: string;
let path: string;
beforeAll(async () => {
  server = await recordingServer({ body: approvedInvoice() });
  folder = mkdtempSync(join(tmpdir(), 'invoices-'));
  path = join(folder, 'hóa đơn.pdf');
  writeFileSync(path, content);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The file as the server's parser reads it. */
async function received(file: InvoiceFileInput) {
  await demoClient({ baseUrl: server.url }).uploadInvoice(invoiceUpload({ file }));
  const request = server.requests.at(-1);
  if (!request) throw new Error('a request was expected');
  return fileOf(await parseMultipart(request.headers['content-type'] ?? '', request.body));
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 100) {
    await Promise.resolve();
    yield content.subarray(at, at + 100);
  }
}

// The ways of reading; which inputs are read in which way is tested beside that rule.
const inputs: readonly (readonly [name: string, make: () => InvoiceFileInput])[] = [
  ['a Blob', () => new Blob([content])],
  [
    'a Buffer that is a slice of a larger one',
    () =>
      Buffer.concat([Buffer.from('before'), content, Buffer.from('after')]).subarray(6, 6 + content.length),
  ],
  ['a web stream', () => new Blob([content]).stream()],
  ['a Node stream', () => Readable.from(pieces())],
  ['an async generator', pieces],
  ['a path', () => ({ path })],
];

describe('each input arrives byte for byte', () => {
  it.each(inputs)('%s', async (_name, make) => {
    const file = await received(make());
    expect(file.bytes.equals(content)).toBe(true);
    expect(file.contentType).toBe('application/pdf');
  });
});
