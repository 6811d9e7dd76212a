import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Step } from '../../faults/fault-server.js';

/** One thing that happens to one request. */
export interface Strike {
  readonly kind: Kind;
  /** Whether the service acts on the request. If it does, it never says that it refused. */
  readonly acts: boolean;
  /** From 0 to 1: where an answer is cut, which of several statuses it has. */
  readonly share: number;
}

/** The connection and request that a strike acts on. */
export interface Scene extends Strike {
  readonly socket: Socket;
  /** JSON: an approval if the service acted, else a refusal. */
  readonly answer: string;
  /** Statuses under which that JSON may come. */
  readonly statuses: readonly number[];
  /** Lets the limit of the attempt pass. */
  readonly elapse: () => void;
  /** Aborts the call. */
  readonly abort: () => void;
  /** Writes right before the next call begins, so that the client has not read it yet. */
  readonly writeBeforeNext: (bytes: Buffer) => void;
  /** Stops listening until the next call. */
  readonly goDown: () => void;
}

interface Rule {
  readonly acts: 'always' | 'never' | 'either';
  /** @default 'end': once all of the request is there */
  readonly at?: Step['at'];
  readonly strike: (scene: Scene) => void;
}

function response(status: number, headers: readonly string[], body: string | Uint8Array = ''): Buffer {
  const head = [`HTTP/1.1 ${String(status)} Scripted`, ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

const lengthOf = (body: string | Uint8Array) => `Content-Length: ${String(Buffer.byteLength(body))}`;

function whole(status: number, body: string, ...headers: readonly string[]): Buffer {
  return response(status, [lengthOf(body), ...headers], body);
}

const page = (status: number, ...headers: readonly string[]) =>
  whole(status, `<html>${String(status)}</html>`, 'Content-Type: text/html', ...headers);

function pick<T>(list: readonly T[], { share }: Scene): T {
  const picked = list[Math.min(list.length - 1, Math.floor(share * list.length))];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

const statusOf = (scene: Scene) => pick(scene.statuses, scene);

/** Where redirects lead. No client follows them. */
export const elsewhere = '/elsewhere';

/** Runs once the other side has read what was written before. */
function soon(work: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(work)));
}

/** The answer without at least one byte of its JSON, and what ends it. */
function cut(scene: Scene, framing: 'length' | 'chunks' | 'close' | 'gzip', then: 'end' | 'reset'): void {
  const { socket, answer, share } = scene;
  const body = framing === 'gzip' ? gzipSync(answer) : Buffer.from(answer);
  // The last 20 bytes of gzip may be nothing of the text.
  const part = body.subarray(0, Math.floor(share * (body.length - (framing === 'gzip' ? 20 : 1))));
  const head = {
    length: [lengthOf(body)],
    chunks: ['Transfer-Encoding: chunked'],
    close: ['Connection: close'],
    gzip: ['Content-Encoding: gzip', lengthOf(part)],
  }[framing];
  const chunk =
    framing === 'chunks' && part.length > 0
      ? Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
      : part;
  const bytes = response(statusOf(scene), head, chunk);
  if (then === 'end') socket.end(bytes);
  else socket.write(bytes, () => socket.resetAndDestroy());
}

/** Bytes that nobody asked for, behind an answer. */
const unasked: readonly Buffer[] = [
  whole(400, ''),
  whole(429, '', 'Retry-After: 0'),
  page(408),
  page(403),
  whole(200, JSON.stringify({ referenceId: 'ANOTHER', resultStatus: 'APPROVED', invoiceId: 'ANOTHER' })),
  whole(200, JSON.stringify({ acknowledged: false, resultStatus: 'INVALID_REQUEST' })),
];

const rules = {
  answered: { acts: 'either', strike: (scene) => scene.socket.write(whole(statusOf(scene), scene.answer)) },
  throttled: { acts: 'never', strike: ({ socket }) => socket.write(page(429, 'Retry-After: 1')) },
  forbidden: { acts: 'never', strike: ({ socket }) => socket.write(page(403)) },
  'refused early': {
    acts: 'never',
    at: 'head',
    strike: ({ socket }) => socket.write(page(413, 'Connection: close')),
  },
  reset: { acts: 'either', strike: ({ socket }) => socket.resetAndDestroy() },
  closed: { acts: 'either', strike: ({ socket }) => socket.end() },
  'cut by length': { acts: 'either', strike: (scene) => cut(scene, 'length', 'end') },
  'cut by a reset': { acts: 'either', strike: (scene) => cut(scene, 'length', 'reset') },
  'cut in chunks': { acts: 'either', strike: (scene) => cut(scene, 'chunks', 'end') },
  'cut by close': { acts: 'either', strike: (scene) => cut(scene, 'close', 'end') },
  'cut in gzip': { acts: 'either', strike: (scene) => cut(scene, 'gzip', 'end') },
  stalled: { acts: 'either', strike: ({ elapse }) => soon(elapse) },
  'stalled in its body': {
    acts: 'either',
    strike: (scene) => {
      const { socket, answer, share, elapse } = scene;
      socket.write(response(statusOf(scene), [lengthOf(answer)], answer.slice(0, share * answer.length)));
      soon(elapse);
    },
  },
  late: {
    acts: 'either',
    strike: (scene) => {
      scene.elapse();
      soon(() => scene.socket.write(whole(statusOf(scene), scene.answer)));
    },
  },
  aborted: { acts: 'either', strike: ({ abort }) => soon(abort) },
  'a second answer at once': {
    acts: 'always',
    strike: (scene) => scene.socket.write(Buffer.concat([whole(200, scene.answer), pick(unasked, scene)])),
  },
  'a second answer later': {
    acts: 'always',
    strike: (scene) => {
      scene.socket.write(whole(200, scene.answer));
      soon(() => scene.socket.write(pick(unasked, scene)));
    },
  },
  'a second answer before the next call': {
    acts: 'always',
    strike: (scene) => {
      scene.socket.write(whole(200, scene.answer));
      scene.writeBeforeNext(pick(unasked, scene));
    },
  },
  'closed when idle': {
    acts: 'always',
    strike: (scene) => {
      scene.socket.write(whole(200, scene.answer));
      soon(() => (scene.share < 0.5 ? scene.socket.end() : scene.socket.resetAndDestroy()));
    },
  },
  gateway: {
    acts: 'either',
    strike: (scene) => scene.socket.write(page(pick([407, 408, 409, 421, 425, 500, 502, 503, 504], scene))),
  },
  redirect: {
    acts: 'either',
    strike: (scene) =>
      scene.socket.write(page(pick([301, 302, 303, 307, 308], scene), `Location: ${elsewhere}`)),
  },
  'an empty answer': {
    acts: 'either',
    strike: (scene) =>
      scene.socket.end(response(pick([200, 204, 400, 404, 429, 500], scene), ['Connection: close'])),
  },
  'an interim answer': {
    acts: 'either',
    strike: (scene) =>
      scene.socket.write(
        Buffer.concat([
          response(pick([100, 101, 102, 103], scene), []),
          whole(statusOf(scene), scene.answer),
        ]),
      ),
  },
  'two lengths': {
    acts: 'either',
    strike: (scene) =>
      scene.socket.write(response(400, ['Content-Length: 0', lengthOf(scene.answer)], scene.answer)),
  },
  'not HTTP': { acts: 'either', strike: ({ socket }) => socket.write('SMTP 220 ready\r\n\r\n') },
  'not UTF-8': {
    acts: 'either',
    strike: ({ socket }) =>
      socket.write(response(400, ['Content-Length: 4'], Buffer.from('{"\xff}', 'latin1'))),
  },
  'gone down': {
    acts: 'either',
    strike: ({ socket, goDown }) => {
      goDown();
      socket.resetAndDestroy();
    },
  },
  'reset as it connects': {
    acts: 'never',
    at: 'connection',
    strike: ({ socket }) => socket.resetAndDestroy(),
  },
  'blocked as it connects': { acts: 'never', at: 'connection', strike: ({ elapse }) => elapse() },
} as const satisfies Readonly<Record<string, Rule>>;

export type Kind = keyof typeof rules;

export const kinds = Object.keys(rules) as readonly Kind[];

export function ruleOf(kind: Kind): Rule {
  return rules[kind];
}
