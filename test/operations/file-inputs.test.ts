import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
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

const arrayBuffer = (): ArrayBuffer => new Uint8Array(content).buffer;

/** Bytes made by the classes of another realm, as under Jest. */
const foreign = (): Uint8Array =>
  vm.runInNewContext('new Uint8Array(numbers)', { numbers: [...content] }) as Uint8Array;

const inputs: readonly (readonly [name: string, make: () => InvoiceFileInput])[] = [
  ['a Blob', () => new Blob([content])],
  ['a File', () => new File([content], 'file.pdf', { type: 'application/pdf' })],
  ['a Uint8Array', () => new Uint8Array(content)],
  ['a Uint8Array of another realm', foreign],
  [
    'a Buffer that is a slice of a larger one',
    () =>
      Buffer.concat([Buffer.from('before'), content, Buffer.from('after')]).subarray(6, 6 + content.length),
  ],
  ['an ArrayBuffer', arrayBuffer],
  ['a DataView', () => new DataView(arrayBuffer())],
  ['a web stream', () => new Blob([content]).stream()],
  ['a Node stream', () => Readable.from(pieces())],
  ['an async generator', pieces],
  ['a path', () => ({ path })],
  ['a file: URL', () => ({ path: pathToFileURL(path) })],
];

describe('each input arrives byte for byte', () => {
  it.each(inputs)('%s', async (_name, make) => {
    const file = await received(make());
    expect(file.bytes.equals(content)).toBe(true);
    expect(file.contentType).toBe('application/pdf');
  });

  it.each(inputs)('%s within { data, filename, contentType }', async (_name, make) => {
    const data = make() as Exclude<InvoiceFileInput, { data: unknown }>;
    const file = await received({ data, filename: 'named.pdf', contentType: 'application/pdf' });
    expect(file.bytes.equals(content)).toBe(true);
    expect(file.filename).toBe('named.pdf');
  });

  it('a SharedArrayBuffer, as bytes too', async () => {
    const shared = new SharedArrayBuffer(content.length);
    new Uint8Array(shared).set(content);
    expect((await received(new Uint8Array(shared))).bytes.equals(content)).toBe(true);
    expect((await received(shared as unknown as ArrayBuffer)).bytes.equals(content)).toBe(true);
  });
});

describe('the name on the wire', () => {
  it.each<readonly [string, () => InvoiceFileInput, string]>([
    ['of a File', () => new File([files.png], 'scan.png'), 'scan.png'],
    ['of a File without one', () => new File([files.png], ''), 'invoice.png'],
    ['of a path', () => ({ path }), 'hóa đơn.pdf'],
    ['of bytes', () => files.jpg, 'invoice.jpg'],
    ['of xml', () => files.xml, 'invoice.xml'],
    [
      'given over the name of a File',
      () => ({ data: new File([files.png], 'scan.png'), filename: 'a.png' }),
      'a.png',
    ],
    ['given over the name of a path', () => ({ data: { path }, filename: 'b.pdf' }), 'b.pdf'],
    ['without an extension', () => ({ data: files.pdf, filename: 'invoice 7' }), 'invoice 7'],
    ['that is empty', () => ({ data: files.pdf, filename: '' }), 'invoice.pdf'],
    ['with folders', () => ({ data: files.pdf, filename: '../../etc/a.pdf' }), 'a.pdf'],
    ['with folders of Windows', () => ({ data: files.pdf, filename: 'C:\\tmp\\a.pdf' }), 'a.pdf'],
    ['that is a folder', () => ({ data: files.pdf, filename: '/tmp/' }), 'invoice.pdf'],
    ['of dots', () => ({ data: files.pdf, filename: '/tmp/..' }), 'invoice.pdf'],
  ])('%s', async (_name, make, filename) => {
    expect((await received(make())).filename).toBe(filename);
  });

  it('cannot break out of its header: a quote is escaped', async () => {
    const upload = invoiceUpload({ file: { data: files.pdf, filename: 'a"; name="merchantId.pdf' } });
    await demoClient({ baseUrl: server.url }).uploadInvoice(upload);
    const body = server.requests.at(-1)?.body.toString('latin1') ?? '';
    expect(body).toContain('name="file"; filename="a%22; name=%22merchantId.pdf"\r\n');
  });

  it('goes out as UTF-8', async () => {
    await received({ data: files.pdf, filename: 'hóa đơn 📄.pdf' });
    expect(server.requests.at(-1)?.body.includes('filename="hóa đơn 📄.pdf"')).toBe(true);
  });
});
