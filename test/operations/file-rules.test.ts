import {
  appendFileSync,
  createReadStream,
  mkdtempSync,
  openAsBlob,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InvoiceFileInput } from '../../src/entries/index.js';
import { brokenRules, partsOf, refusal } from '../helpers/outcomes.js';
import { fileOf } from '../helpers/parse-multipart.js';
import { approvedInvoice, demoClient, files, invoiceUpload } from '../helpers/samples.js';
import { manualRuntime } from '../helpers/runtime.js';
import { scriptedFetch } from '../helpers/scripted-fetch.js';

const limit = 5 * 1024 * 1024;
/** Bytes that a careless encoder would change: every octet, line breaks, and text that looks like a boundary. */
const awkward = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, octet) => octet)),
  Buffer.from('\r\n------other--\r\n\r\n--'),
]);
const fileOfSize = (size: number): Buffer =>
  Buffer.concat([files.pdf, awkward, Buffer.alloc(size)]).subarray(0, size);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'invoices-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function onDisk(name: string, bytes: Uint8Array): { path: string } {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { path };
}

const broken = (file: unknown) => brokenRules('uploadInvoice', { ...invoiceUpload(), file });
const problem = async (file: unknown) => {
  const { issues, cause } = await refusal('uploadInvoice', { ...invoiceUpload(), file });
  expect(issues).toHaveLength(1);
  expect(issues[0]?.path).toEqual(['file']);
  return { message: issues[0]?.message ?? '', resultStatus: issues[0]?.resultStatus, cause };
};

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) {
    await Promise.resolve();
    yield bytes.subarray(at, at + 100_000);
  }
}

/** The same bytes as every kind of input. */
const asInputs = (bytes: Buffer): readonly InvoiceFileInput[] => [
  bytes,
  new Blob([bytes]),
  new Blob([bytes]).stream(),
  Readable.from([bytes]),
  pieces(bytes),
  onDisk(`size-${String(bytes.length)}.pdf`, bytes),
];

describe('the size of a file', () => {
  test('can be 5 MiB, and every byte arrives', async () => {
    const bytes = fileOfSize(limit);
    for (const file of asInputs(bytes)) {
      expect(fileOf(await partsOf(invoiceUpload({ file }))).bytes.equals(bytes)).toBe(true);
    }
  });

  test('is FILE_TOO_LARGE with one byte more', async () => {
    for (const file of asInputs(fileOfSize(limit + 1)))
      expect(await broken(file)).toEqual(['file FILE_TOO_LARGE']);
  });

  test('is INVALID_REQUEST if it is 0', async () => {
    for (const file of asInputs(Buffer.alloc(0)))
      expect(await broken(file)).toEqual(['file INVALID_REQUEST']);
  });
});

describe('a file that changes its size while it is read', () => {
  const message = /^changed its size while it was read \(\d+ bytes before, \d+ read, \d+ after\): /;
  const large = fileOfSize(3 * 1024 * 1024);

  // The size changes in each turn of the event loop, so that no two reads see the same size.
  test.each<[string, (path: string, turn: number) => void]>([
    ['shorter', (path, turn) => truncateSync(path, large.length - turn)],
    ['longer', (path) => appendFileSync(path, 'x')],
  ])('is refused if it becomes %s', async (name, change) => {
    const { path } = onDisk(`${name}.pdf`, large);
    let isOver = false;
    const changing = (turn: number) => {
      change(path, turn);
      if (!isOver) setImmediate(changing, turn + 1);
    };
    changing(1);
    const refused = await problem({ path });
    isOver = true;
    expect(refused.message).toMatch(message);
    expect(refused.resultStatus).toBe('INVALID_REQUEST');
  });

  test('is sent as it was opened, if a new file replaces it', async () => {
    const { path } = onDisk('replaced.pdf', large);
    const other = onDisk('other.pdf', files.pdf).path;
    const changing = setInterval(() => {
      clearInterval(changing);
      renameSync(other, path);
    }, 0);
    const sent = fileOf(await partsOf(invoiceUpload({ file: { path } })));
    expect([large.length, files.pdf.length]).toContain(sent.bytes.length);
  });

  test('is refused as a Blob whose number of bytes differs from its size', async () => {
    const short = {
      size: 100,
      type: '',
      stream: () => undefined,
      arrayBuffer: () => Promise.resolve(files.pdf),
    };
    expect((await problem(short)).message).toMatch(message);
    let size = files.pdf.length;
    const grows = {
      get size() {
        return size++;
      },
      type: '',
      stream: () => undefined,
      arrayBuffer: () => Promise.resolve(files.pdf),
    };
    expect((await problem(grows)).message).toMatch(message);
  });

  test('is refused as a Blob of a file on disk', async () => {
    const { path } = onDisk('blob.pdf', large);
    const blob = await openAsBlob(path);
    truncateSync(path, 1000);
    expect(await broken(blob)).toEqual(['file INVALID_REQUEST']);
  });
});

describe('a Blob', () => {
  test('is refused by its size if it is huge, without reading it', async () => {
    let reads = 0;
    const read = () => {
      reads++;
      return Promise.reject(new Error('read'));
    };
    const blob = { size: limit + 1, type: '', arrayBuffer: read, stream: read };
    expect(await broken(blob)).toEqual(['file FILE_TOO_LARGE']);
    expect(reads).toBe(0);
  });
});

describe('a stream that never ends', () => {
  test('is read to the limit and no further, and is cancelled (web)', async () => {
    let pulled = 0;
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 65536;
        controller.enqueue(fileOfSize(65536));
      },
      cancel() {
        cancelled = true;
      },
    });
    expect(await broken(stream)).toEqual(['file FILE_TOO_LARGE']);
    expect(pulled).toBeLessThan(limit + 4 * 65536);
    expect(cancelled).toBe(true);
  });

  test('is read to the limit and no further, and is destroyed (Node)', async () => {
    const stream = new Readable({
      read() {
        this.push(fileOfSize(65536));
      },
    });
    expect(await broken(stream)).toEqual(['file FILE_TOO_LARGE']);
    expect(stream.destroyed).toBe(true);
  });

  test('does not block the caller if it ignores its cancellation', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(fileOfSize(limit));
      },
      cancel: () => new Promise(() => undefined),
    });
    expect(await broken(stream)).toEqual(['file FILE_TOO_LARGE']);
  });
});

describe('a file that cannot be read', () => {
  test('is refused with its cause, as a failing web stream or Blob', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.error(new TypeError('gone'));
      },
    });
    expect((await problem(stream)).cause).toMatchObject({ name: 'TypeError', message: 'gone' });
    const blob = { size: 3, stream: () => stream, arrayBuffer: () => Promise.reject(new Error('revoked')) };
    expect((await problem(blob)).cause).toMatchObject({ message: 'revoked' });
  });

  test('is refused as the path of a folder, or of something other than a regular file', async () => {
    expect((await problem({ path: folder })).message).toBe('is a folder');
    expect((await problem({ path: '/dev/null' })).message).toBe('is not a regular file');
  });

  test.each([['text'], ['numbers'], ['nothing']])(
    'is refused as a stream of %s instead of bytes',
    async (kind) => {
      const chunk = { text: '%PDF-1.4', numbers: 7, nothing: null }[kind];
      async function* chunks(): AsyncGenerator {
        await Promise.resolve();
        yield chunk;
      }
      expect((await problem(chunks())).message).toBe(
        'must be a stream of bytes: a piece is not a Uint8Array',
      );
    },
  );
});

describe('the file of an upload', () => {
  test('arrives complete if its source uses one buffer for all pieces', async () => {
    const shared = Buffer.alloc(8);
    async function* reusing(): AsyncGenerator<Uint8Array> {
      for (const text of ['%PDF-1.4', 'second..', 'third...']) {
        await Promise.resolve();
        shared.write(text);
        yield shared;
      }
    }
    const file = fileOf(await partsOf(invoiceUpload({ file: reusing() })));
    expect(file.bytes.toString()).toBe('%PDF-1.4second..third...');
  });

  test('is closed unread as a stream, if another field or an option is wrong', async () => {
    let cancelled = false;
    const stream = new ReadableStream({ cancel: () => void (cancelled = true) }, { highWaterMark: 0 });
    await refusal('uploadInvoice', { ...invoiceUpload(), file: stream, referenceId: '' });
    expect(cancelled).toBe(true);
    const readable = Readable.from([files.pdf]);
    await refusal('uploadInvoice', invoiceUpload({ file: readable }), {}, { maxRetries: -1 });
    expect(readable.readableDidRead).toBe(false);
    expect(readable.destroyed).toBe(true);
  });

  test('does not end the process as a failing stream, if another field is wrong', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', note);
    try {
      const missing = createReadStream('no such folder/invoice.pdf');
      await refusal('uploadInvoice', { ...invoiceUpload(), file: missing, referenceId: '' });
      await new Promise<void>((resolve) => {
        missing.on('close', resolve);
      });
      expect(uncaught).toEqual([]);
    } finally {
      process.off('uncaughtException', note);
    }
  });

  test('is read within the time limit of the call', async () => {
    const runtime = manualRuntime();
    const { fetch, requests } = scriptedFetch(() => Response.json(approvedInvoice()));
    async function* reading(): AsyncGenerator<Uint8Array> {
      await new Promise((resolve) => setImmediate(resolve));
      runtime.advance(50);
      await new Promise(() => undefined);
      yield files.pdf;
    }
    const call = demoClient({ fetch }, runtime).uploadInvoice(invoiceUpload({ file: reading() }), {
      totalTimeoutMs: 50,
    });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError', outcome: 'not_sent' });
    expect(requests).toHaveLength(0);
  });
});
