import { createServer, type AddressInfo, type Socket } from 'node:net';
import { watchRequest } from './request-watch.js';

/** One request exactly as it arrived. */
export interface RecordedRequest {
  /** Request line and headers with their CRLFs, without the empty line, as Latin-1. */
  readonly head: string;
  readonly body: Buffer;
  readonly method: string;
  readonly path: string;
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The server's response to one request. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. An object is sent as JSON. */
  readonly body?: object | string | Uint8Array;
}

/** A response, or another action on the connection. */
export type Script = ScriptedAnswer | ((socket: Socket, request: RecordedRequest) => void);

export interface RecordingServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** The responses to the next requests. The last response is repeated for all further requests. */
  answer(...scripts: readonly Script[]): void;
  close(): Promise<void>;
}

function parseHead(head: string): Omit<RecordedRequest, 'body'> {
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { head, method, path, headers };
}

/** The response as bytes of HTTP/1.1. */
function written({ status = 200, headers = {}, body = '' }: ScriptedAnswer): Buffer {
  const bytes =
    typeof body === 'string' || body instanceof Uint8Array
      ? Buffer.from(body)
      : Buffer.from(JSON.stringify(body));
  const lines = Object.entries({ 'content-length': String(bytes.length), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${String(status)} Scripted\r\n${head}\r\n`), bytes]);
}

/** An HTTP server on loopback that keeps every received byte and responds from a script. */
export async function recordingServer(...scripts: readonly Script[]): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  let queue = [...scripts];
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const parsed = parseHead(received.toString('latin1', 0, end));
      const length = Number(parsed.headers['content-length'] ?? 0);
      if (received.length < end + 4 + length) return;
      const request = { ...parsed, body: received.subarray(end + 4, end + 4 + length) };
      received = received.subarray(end + 4 + length);
      requests.push(request);
      watchRequest('a recording server', request);
      const script = (queue.length > 1 ? queue.shift() : queue[0]) ?? {};
      if (typeof script === 'function') script(socket, request);
      else socket.write(written(script));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${String(port)}`,
    port,
    requests,
    answer: (...next) => {
      queue = [...next];
    },
    close: async () => {
      const closed = new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
