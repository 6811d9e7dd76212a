import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signInvoice, type InvoiceUpload, type UploadProgress } from '../../src/entries/index.js';
import { refusal } from '../helpers/outcomes.js';
import { recordingServer } from '../helpers/recording-server.js';
import { approvedInvoice, demo, demoClient, files, invoiceUpload } from '../helpers/samples.js';
import { answering, sentBytes } from '../helpers/scripted-fetch.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'uploads-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The error of an upload whose stream fails. */
const failedBy = (error: unknown) => {
  // An iterator, because a stream of Node or the web may change what it fails with.
  const file = { [Symbol.asyncIterator]: () => ({ next: vi.fn().mockRejectedValue(error) }) };
  return refusal('uploadInvoice', { ...invoiceUpload({ description: 'Tủ lạnh hai cánh' }), file });
};

describe('a file that cannot be read', () => {
  test('is refused with the reason and the path, if it is a file on disk', async () => {
    const path = join(folder, 'missing.pdf');
    const { issues, cause, referenceId } = await refusal('uploadInvoice', invoiceUpload({ file: { path } }));
    expect(issues).toEqual([
      {
        path: ['file'],
        message: `cannot be read: ENOENT: no such file or directory, stat '${path}'`,
        resultStatus: 'INVALID_REQUEST',
      },
    ]);
    expect(cause).toMatchObject({ code: 'ENOENT' });
    expect(referenceId).toBe('ORDER:2026-0001');
  });

  test.each([
    [Object.assign(new Error('no power'), { code: 'ESCANNER', syscall: 'scan' }), 'ESCANNER (scan)'],
    [new TypeError('no power'), 'TypeError'],
    ['no power', 'Error'],
    [undefined, 'Error'],
  ])(
    'is refused without the message of its stream, and the cause is what the stream threw: %s',
    async (error, shown) => {
      const { issues, cause } = await failedBy(error);
      expect(issues).toEqual([
        {
          path: ['file'],
          message: `cannot be read: ${shown} (see error.cause)`,
          resultStatus: 'INVALID_REQUEST',
        },
      ]);
      expect(cause).toBe(error);
    },
  );

  test('has no cause if the file itself breaks a rule', async () => {
    const file = new Blob([new Uint8Array(0)]);
    const { issues, cause } = await refusal('uploadInvoice', invoiceUpload({ file }));
    expect(issues).toEqual([
      { path: ['file'], message: 'must not be empty', resultStatus: 'INVALID_REQUEST' },
    ]);
    expect(cause).toBeUndefined();
  });
});

describe('the options of an upload', () => {
  test('can report progress: each part of the body, in bytes and percent', async () => {
    const seen: UploadProgress[] = [];
    const server = await recordingServer({ body: approvedInvoice() });
    const file = Buffer.concat([files.pdf, Buffer.alloc(80_000)]);
    await demoClient({ baseUrl: server.url }).uploadInvoice(invoiceUpload({ file }), {
      onUploadProgress: (progress) => void seen.push(progress),
    });
    await server.close();
    const totalBytes = server.requests[0]?.body.length ?? 0;
    expect(seen).toEqual([
      { transferredBytes: 65_536, totalBytes, percent: expect.closeTo(6_553_600 / totalBytes, 8) as number },
      { transferredBytes: totalBytes, totalBytes, percent: 100 },
    ]);
  });
});

describe('an upload', () => {
  /** The request of an upload; `change` runs once the client has been called. */
  async function sentFor(upload: InvoiceUpload, change = () => undefined as unknown) {
    const { fetch, requests } = answering(approvedInvoice());
    const call = demoClient({ fetch }).uploadInvoice(upload);
    change();
    await call;
    const [request] = requests;
    if (!request) throw new Error('a request was expected');
    return { body: (await sentBytes(request)).toString(), signature: request.headers.get('signature') };
  }

  test('sends and signs decomposed Vietnamese unchanged', async () => {
    const description = 'Hoá đơn tủ lạnh'.normalize('NFD');
    const { body, signature } = await sentFor(invoiceUpload({ description }));
    expect(body).toContain(`\r\n\r\n${description}\r\n`);
    const { merchantId, storeId, secretKey } = demo;
    const fields = { merchantId, referenceId: 'ORDER:2026-0001', storeId, description };
    expect(signature).toBe(signInvoice(fields, secretKey));
  });

  test('sends the bytes that its buffer contained when the client was called', async () => {
    const file = Buffer.from(files.pdf);
    const { body } = await sentFor(invoiceUpload({ file }), () => file.fill('x'));
    expect(body).toContain(files.pdf.toString());
  });

  test('escapes quotes in the name of its file', async () => {
    const { body } = await sentFor(invoiceUpload({ file: { data: files.pdf, filename: 'in;"voice".pdf' } }));
    expect(body).toContain('name="file"; filename="in;%22voice%22.pdf"\r\n');
  });
});
