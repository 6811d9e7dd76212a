import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { PieceStream } from '../../src/protocol/file-source.js';
import { readAndCheckFile } from '../../src/operations/read-file.js';
import { settle } from '../helpers/runtime.js';
import { approvedInvoice, demoClient, invoiceUpload, rejection } from '../helpers/samples.js';
import { scriptedFetch } from '../helpers/scripted-fetch.js';

const read = (stream: PieceStream, signal = new AbortController().signal) =>
  readAndCheckFile(stream, signal, (file) => file);

/** An iterable with one iterator, whose pieces are given; the iterable is not an iterator itself. */
function iterable<Piece>(next: () => Promise<IteratorResult<Piece>>) {
  const end = vi.fn(() => Promise.resolve({ done: true as const, value: undefined }));
  return { end, [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

const waiting = () => new Promise<never>(() => undefined);

describe('a stream without an async iterator', () => {
  test('is read to the end with its reader', async () => {
    const pieces = [Buffer.from('%PDF'), Buffer.from('-1.4')];
    const cancel = vi.fn();
    const reader = {
      read: () => Promise.resolve({ done: pieces.length === 0, value: pieces.shift() }),
      cancel,
    };
    const stream = { getReader: () => reader, cancel } as unknown as ReadableStream;
    expect(await read(stream)).toMatchObject({
      value: { pieces: [new Uint8Array(Buffer.from('%PDF-1.4'))] },
    });
    expect(cancel).toHaveBeenCalledOnce();
  });
});

describe('a stream of many pieces', () => {
  const bytes = new Uint8Array(Buffer.alloc(300_001, '%PDF-1.7 '));
  async function* piecesOf(length: number) {
    const reused = Buffer.alloc(length);
    for (let at = 0; at < bytes.length; at += length) {
      const piece = bytes.subarray(at, at + length);
      reused.set(piece);
      yield await Promise.resolve(reused.subarray(0, piece.length));
    }
  }

  test.each([1, 7, 4096, 65_535, 65_536, 65_537, 300_001])(
    'of %i bytes is sent complete, from a buffer that is reused for each piece',
    async (length) => {
      const { fetch, requests } = scriptedFetch(() => Response.json(approvedInvoice()));
      await demoClient({ fetch }).uploadInvoice({ ...invoiceUpload(), file: piecesOf(length) });
      expect(requests).toHaveLength(1);
      const file = await read(piecesOf(length));
      expect(file.ok && Buffer.concat(file.value.pieces).equals(bytes)).toBe(true);
      expect(file.ok && file.value.pieces.length).toBeLessThanOrEqual(5);
    },
  );
});

describe('a stream is stopped', () => {
  test.each<[string, IteratorResult<unknown>]>([
    ['after its end', { done: true, value: undefined }],
    ['after a piece that is not bytes', { done: false, value: 'text' }],
    ['after a piece that is too large', { done: false, value: Buffer.alloc(5 * 1024 * 1024 + 1) }],
  ])('%s', async (_name, piece) => {
    const stream = iterable(() => Promise.resolve(piece));
    await read(stream);
    expect(stream.end).toHaveBeenCalledOnce();
  });

  test('as soon as the signal fires, before its next piece', async () => {
    const stream = iterable(waiting);
    const stop = new AbortController();
    void read(stream, stop.signal);
    await settle(1);
    expect(stream.end).not.toHaveBeenCalled();
    stop.abort();
    expect(stream.end).toHaveBeenCalledOnce();
  });

  test('as soon as the signal fires, if it is a waiting web stream', async () => {
    const cancel = vi.fn();
    const stop = new AbortController();
    const result = read(new ReadableStream({ pull: waiting, cancel }), stop.signal);
    await settle(1);
    stop.abort();
    expect(cancel).toHaveBeenCalledOnce();
    expect(await result).toMatchObject({ problem: { message: 'must not be empty' } });
  });

  test('after the piece during which the signal fired, and fails with the reason of the signal', async () => {
    const stop = new AbortController();
    const stream = iterable(() => {
      stop.abort(new Error('stopped'));
      return Promise.resolve({ done: false, value: Buffer.from('%PDF') });
    });
    await expect(read(stream, stop.signal)).rejects.toThrow('stopped');
  });
});

describe('a source that never waits', () => {
  test.each([
    [1023, 0],
    [1024, 1],
  ])('yields to the event loop every 1024 pieces: %i pieces, %i times', async (count, expected) => {
    let left = count;
    const value = Buffer.from('x');
    let turns = 0;
    setImmediate(() => turns++);
    await read(iterable(() => Promise.resolve({ done: left-- === 0, value })));
    expect(turns).toBe(expected);
  });
});

test('a file that is being read from its path is closed if the call is aborted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'installment-payments-'));
  const path = join(folder, 'large.pdf');
  await writeFile(path, Buffer.alloc(4 * 1024 * 1024));
  const open = () => readdirSync('/dev/fd').length;
  const before = open();
  for (let call = 0; call < 50; call++) {
    const stop = new AbortController();
    const reading = readAndCheckFile({ path }, stop.signal, (file) => file).catch(() => undefined);
    await settle(call % 5);
    stop.abort();
    await Promise.race([reading, settle(50)]);
  }
  await expect.poll(open).toBeLessThan(before + 5);
  await rm(folder, { recursive: true });
});

test('a file that is still being read when the time is over is named in the error, and nothing is sent', async () => {
  const { fetch, requests } = scriptedFetch(() => Response.json(approvedInvoice()));
  const endless = iterable<Uint8Array>(waiting);
  const call = demoClient({ fetch }).uploadInvoice(
    { ...invoiceUpload(), file: endless },
    { totalTimeoutMs: 20 },
  );

  const error = await rejection(call);

  expect(error).toMatchObject({ code: 'TIMEOUT', outcome: 'not_sent', nextStep: 'call_again' });
  expect((error as Error).message).toContain('limit of 20 ms, because reading the file had not finished');
  expect(requests).toHaveLength(0);
});
