import { describe, expect, test } from 'vitest';
import {
  BodyBuffer,
  isRedirectStatus,
  maxResponseBytes,
  responseOf,
  type BodyState,
} from '../../src/http/transport.js';

describe('the pieces of a body', () => {
  test('are joined in their order', () => {
    const buffer = new BodyBuffer();
    expect(buffer.bytes()).toHaveLength(0);
    for (let piece = 0; piece < 3_000; piece++) expect(buffer.add(Buffer.of(piece % 251))).toBe(true);
    expect(buffer.size).toBe(3_000);
    expect(Buffer.from(buffer.bytes())).toEqual(
      Buffer.from(Array.from({ length: 3_000 }, (_, i) => i % 251)),
    );
  });

  test('are joined from time to time, so that many small pieces need little memory', () => {
    const buffer = new BodyBuffer();
    for (let piece = 0; piece < 1_023; piece++) buffer.add(Buffer.of(1));
    expect(buffer.bytes()).not.toBe(buffer.bytes());
    buffer.add(Buffer.of(1));
    expect(buffer.bytes()).toBe(buffer.bytes());
    expect(buffer.bytes()).toHaveLength(1_024);
  });

  test('are not copied if there is only one', () => {
    const buffer = new BodyBuffer();
    const piece = Buffer.from('{}');
    buffer.add(piece);
    expect(buffer.bytes()).toBe(piece);
  });

  test('can be 1 MiB in total, and no byte more', () => {
    const buffer = new BodyBuffer();
    expect(buffer.add(Buffer.alloc(maxResponseBytes))).toBe(true);
    expect(buffer.isTooLarge).toBe(false);
    expect(buffer.add(Buffer.of())).toBe(true);
    expect(buffer.add(Buffer.of(1))).toBe(false);
    expect(buffer.isTooLarge).toBe(true);
    expect(buffer.size).toBe(1_048_577);
  });
});

describe('the head of a response', () => {
  test.each<readonly [BodyState, status: number, headers: readonly string[]]>([
    ['whole', 200, ['Transfer-Encoding', 'chunked']],
    ['whole', 200, ['transfer-encoding', ' Chunked ']],
    ['ended', 200, ['transfer-encoding', 'gzip, chunked']],
    ['ended', 200, []],
    ['whole', 200, ['content-length', '7']],
    ['ended', 200, ['content-length', '8']],
    ['ended', 200, ['x-name', 'content-length', '7', '']],
    ['ended', 200, ['content-length', '7', 'content-encoding', 'gzip']],
    ['ended', 203, []],
    ['whole', 204, []],
    ['whole', 304, []],
  ])('shows that a body of 7 bytes is %s: HTTP %i, %j', (state, httpStatus, headers) => {
    const body = new BodyBuffer();
    body.add(Buffer.alloc(7));
    expect(responseOf({ httpStatus, headers, isRedirect: false }, body, 'framing').bodyState).toBe(state);
  });

  test.each<readonly [BodyState, headers: readonly string[]]>([
    ['whole', ['transfer-encoding', 'chunked', 'connection', 'keep-alive']],
    ['ended', ['transfer-encoding', 'chunked', 'connection', 'close']],
    ['ended', ['transfer-encoding', 'chunked', 'Connection', 'x-via, Close']],
    ['whole', ['content-length', '0', 'connection', 'close']],
  ])('shows that an empty 404 whose end a fetch reports is %s: %j', (state, headers) => {
    const head = { httpStatus: 404, headers, isRedirect: false };
    expect(responseOf(head, new BodyBuffer(), 'fetch').bodyState).toBe(state);
  });

  test('is a redirect for five statuses', () => {
    const redirects = Array.from({ length: 500 }, (_, index) => index + 100).filter(isRedirectStatus);
    expect(redirects).toEqual([301, 302, 303, 307, 308]);
  });
});
