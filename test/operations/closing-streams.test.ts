import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { closingStreams } from '../../src/operations/closing-streams.js';
import { files } from '../helpers/samples.js';

class Holder {
  readonly data: unknown;
  readonly body: unknown;
  readonly socket: unknown;
  constructor(fields: Partial<Holder>) {
    Object.assign(this, fields);
  }
}

class Order {
  constructor(readonly file: unknown) {}
}

const throwing = new Proxy(
  {},
  {
    has: () => {
      throw new Error('no');
    },
  },
);

/** As some libraries for settings and models make it: a name that is not there is an error. */
const strict = (value: object): object =>
  new Proxy(value, {
    get: (target, name) => {
      if (!(name in target)) throw new Error('no');
      return Reflect.get(target, name) as unknown;
    },
  });

const withThrowingField = (value: object) => withThrowing('fileUrl', value);

const withThrowing = (name: string, value: object) =>
  Object.defineProperty(value, name, {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });

/** Whether a Node stream is closed after the work on a request that has it. */
async function isClosed(request: (stream: Readable) => unknown): Promise<boolean> {
  const stream = Readable.from([files.pdf]);
  await closingStreams(request(stream), () => Promise.resolve());
  return stream.destroyed;
}

describe('a stream is closed where it is', () => {
  it.each<[string, (stream: Readable) => unknown]>([
    ['the request', (stream) => stream],
    ['a field', (stream) => ({ file: stream })],
    ['a field of a request with a class', (stream) => new Order(stream)],
    ['a field beside a getter that throws', (stream) => withThrowingField({ file: stream })],
    ['a field after a proxy that throws', (stream) => ({ seller: throwing, file: stream })],
    [
      'a field beside a getter that throws, of a name that streams have',
      (stream) => withThrowing('next', { file: stream }),
    ],
    ['a field of a proxy that throws for names it does not know', (stream) => strict({ file: stream })],
    ['a wrapper that is such a proxy', (stream) => ({ file: strict({ data: stream }) })],
    [
      'a wrapper in a field called extraData of the file',
      (stream) => ({ file: { extraData: { data: stream } } }),
    ],
    ['a field after null', (stream) => ({ seller: null, file: stream })],
    ['extraData', (stream) => ({ extraData: stream })],
    ['a wrapper', (stream) => ({ file: { anything: stream } })],
    ['a wrapper without a prototype', (stream) => ({ file: { __proto__: null, anything: stream } })],
    ['an array', (stream) => ({ file: [stream] })],
    ['a wrapper in a wrapper', (stream) => ({ file: { data: { data: stream } } })],
    ['the data of an object with a class', (stream) => ({ file: new Holder({ data: stream }) })],
    ['the body of an object with a class', (stream) => ({ file: new Holder({ body: stream }) })],
  ])('%s', async (_name, request) => {
    expect(await isClosed(request)).toBe(true);
  });
});

describe("a stream stays open inside the caller's own objects", () => {
  it.each<[string, (stream: Readable) => unknown]>([
    ['inside extraData', (stream) => ({ extraData: { data: stream } })],
    ['another field of an object with a class', (stream) => ({ file: new Holder({ socket: stream }) })],
    ['a field of a function', (stream) => ({ file: Object.assign(() => 1, { data: stream }) })],
    ['three wrappers deep', (stream) => ({ file: { data: { data: { data: stream } } } })],
  ])('%s', async (_name, request) => {
    expect(await isClosed(request)).toBe(false);
  });
});

describe('a stream of another kind', () => {
  it('from the web API is cancelled', async () => {
    const cancel = vi.fn();
    await closingStreams({ file: new ReadableStream({ cancel }) }, () => Promise.resolve());
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('with the methods of an iterator is returned', async () => {
    const end = vi.fn();
    const iterator = { next: () => ({ done: true }), return: end };
    await closingStreams({ file: { data: iterator } }, () => Promise.resolve());
    expect(end).toHaveBeenCalledOnce();
    expect(end.mock.contexts).toEqual([iterator]);
  });
});

describe('an object that has one method of a stream', () => {
  // The model of a database has destroy, which deletes a row.
  it.each(['destroy', 'on', 'next', 'return'])('is a wrapper, and %s is not called', async (name) => {
    const method = vi.fn();
    expect(await isClosed((stream) => ({ file: { [name]: method, data: stream } }))).toBe(true);
    expect(method).not.toHaveBeenCalled();
  });
});

describe('the work', () => {
  it('is done with the stream open, and its value is kept', async () => {
    const file = Readable.from([files.pdf]);
    expect(await closingStreams({ file }, () => Promise.resolve(file.destroyed))).toBe(false);
    expect(file.destroyed).toBe(true);
  });

  it('may fail: the stream is closed, and the error is kept', async () => {
    const file = Readable.from([files.pdf]);
    const error = new Error('no');
    await expect(closingStreams({ file }, () => Promise.reject(error))).rejects.toBe(error);
    expect(file.destroyed).toBe(true);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('ends well though closing a stream %s, and the other streams are closed', async (_name, end) => {
    const file = Readable.from([files.pdf]);
    const request = { a: { next: () => 1, return: end }, file };
    expect(await closingStreams(request, () => Promise.resolve(7))).toBe(7);
    expect(file.destroyed).toBe(true);
  });

  it('is done for a request that is not an object, or whose getters throw', async () => {
    for (const request of [null, undefined, 'text', throwing])
      expect(await closingStreams(request, () => Promise.resolve(7))).toBe(7);
  });
});
