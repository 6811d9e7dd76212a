import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Step } from './fault-server.js';

/** An answer of which everything is said here: nothing is added that was not asked for. */
export interface RawAnswer {
  readonly status?: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /** The state of the connection after it. */
  readonly then?: 'keep' | 'end' | 'reset';
}

function headOf(status: number, headers: readonly (readonly [string, string])[]): string {
  return [
    `HTTP/1.1 ${String(status)} Scripted`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
}

/** Writes exactly these bytes once the request is there. */
export function raw(
  bytes: string | Uint8Array,
  then: RawAnswer['then'] = 'keep',
  at: Step['at'] = 'end',
): Step {
  return {
    at,
    act: (socket) => {
      if (then === 'end') socket.end(bytes);
      else socket.write(bytes, () => then === 'reset' && socket.resetAndDestroy());
    },
  };
}

/** A whole, well-formed answer; the length is added. */
export function answer({ status = 200, headers = [], body = '', then = 'keep' }: RawAnswer): Step {
  const bytes = Buffer.from(body);
  const length = ['Content-Length', String(bytes.length)] as const;
  return raw(Buffer.concat([Buffer.from(headOf(status, [...headers, length]), 'latin1'), bytes]), then);
}

export function json(value: unknown, options: Omit<RawAnswer, 'body'> = {}): Step {
  const headers = [['Content-Type', 'application/json'], ...(options.headers ?? [])] as const;
  return answer({ ...options, headers, body: JSON.stringify(value) });
}

export function html(status: number, headers: RawAnswer['headers'] = []): Step {
  return answer({
    status,
    headers: [['Content-Type', 'text/html'], ...headers],
    body: `<html><body><h1>${String(status)}</h1></body></html>`,
  });
}

/** A reset when the request is whole. */
export const reset: Step = { at: 'end', act: (socket) => socket.resetAndDestroy() };

/** An orderly close when the request is whole. */
export const close: Step = { at: 'end', act: (socket) => socket.end() };

/** Writes something, or nothing, and then no more; `stalled` is told. */
export function stall(stalled: () => void, written = ''): Step {
  return {
    at: 'end',
    act: (socket) => {
      if (written === '') stalled();
      else socket.write(written, stalled);
    },
  };
}

/** The head of an answer that announces `length` bytes, and fewer bytes than that. */
export function cutByLength(body: string, then: RawAnswer['then'] = 'end', status = 200): Step {
  return raw(`${headOf(status, [['Content-Length', String(Buffer.byteLength(body) + 100)]])}${body}`, then);
}

/** A body that ends with the connection, as in HTTP/1.0. */
export function cutByClose(body: string, status = 200): Step {
  return raw(`${headOf(status, [['Connection', 'close']])}${body}`, 'end');
}

/** A chunked body that lacks its last chunk. */
export function cutInChunks(body: string, then: RawAnswer['then'] = 'end'): Step {
  const size = Buffer.byteLength(body).toString(16);
  return raw(`${headOf(200, [['Transfer-Encoding', 'chunked']])}${size}\r\n${body}\r\n`, then);
}

const encoders = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync } as const;

/** A content encoding that the client did not ask for. */
export type Encoding = keyof typeof encoders;

export function encode(body: string | Uint8Array, encoding: Encoding): Buffer {
  return encoders[encoding](body);
}

function encoded(bytes: Uint8Array, encoding: Encoding, status = 200): Step {
  const headers = [
    ['Content-Type', 'application/json'],
    ['Content-Encoding', encoding],
  ] as const;
  return answer({ status, headers, body: bytes });
}

/** A whole answer in an encoding. */
export function inEncoding(body: string, encoding: Encoding, status = 200): Step {
  return encoded(encode(body, encoding), encoding, status);
}

/** The first part of an encoded answer, under the length of that part. */
export function cutInEncoding(body: string, encoding: Encoding, status = 200, share = 0.5): Step {
  const whole = encode(body, encoding);
  return encoded(whole.subarray(0, Math.floor(whole.length * share)), encoding, status);
}

/** An empty answer, framed in one of the ways of HTTP/1.1. */
export function emptyAnswer(status: number, framing: 'length' | 'chunks' | 'close' | Encoding): Step {
  switch (framing) {
    case 'length':
      return answer({ status });
    case 'chunks':
      return raw(`${headOf(status, [['Transfer-Encoding', 'chunked']])}0\r\n\r\n`);
    case 'close':
      return cutByClose('', status);
    default:
      return raw(
        headOf(status, [
          ['Content-Encoding', framing],
          ['Transfer-Encoding', 'chunked'],
        ]) + '0\r\n\r\n',
      );
  }
}

/** About 48 kB that unpack to 50 MB of spaces. */
export const gzipBomb: Step = encoded(gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '), { level: 9 }), 'gzip');

/** A body without end; `written` is told of each piece, `closed` when the client has had enough. */
export function endlessBody(written: (bytes: number) => void, closed: () => void): Step {
  return {
    at: 'end',
    act: (socket) => {
      const piece = Buffer.alloc(64 * 1024, ' ');
      const more = () => {
        while (!socket.destroyed) {
          written(piece.length);
          if (!socket.write(piece)) return;
        }
      };
      socket.on('drain', more).on('close', closed);
      socket.write(headOf(200, [['Content-Type', 'application/json']]));
      more();
    },
  };
}

/**
 * An answer at the head of the request, while its body is still on its way, as a proxy gives that will not have it.
 * `'read'` takes the rest of the body in, `'linger'` leaves it and ends its own half, `'destroy'` closes at once, so
 * that what the client still sends is met with a reset.
 */
export function early(status: number, manner: 'read' | 'linger' | 'destroy'): Step {
  return {
    at: 'head',
    act: (socket) => {
      if (manner !== 'read') socket.pause();
      const page = '<html>Too large</html>';
      const head = headOf(status, [
        ['Content-Type', 'text/html'],
        ['Content-Length', String(page.length)],
        ['Connection', 'close'],
      ]);
      if (manner === 'read') socket.write(head + page);
      else if (manner === 'linger') socket.end(head + page);
      else socket.write(head + page, () => socket.destroy());
    },
  };
}
