import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConfigurationError } from '../../errors/errors.js';
import {
  bytesOf,
  firstHalf,
  SenderGoneError,
  type Answer,
  type Delivery,
  type Incoming,
} from '../service/delivery.js';

/** Where a mock listens. */
export interface ListenOptions {
  /** 0 takes a free one. @default 0 */
  readonly port?: number | undefined;
  /** A name or an address, IPv6 without brackets and zone. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** How long a sender may take over one request, in milliseconds. @default 30000 */
  readonly requestTimeoutMs?: number | undefined;
}

/** A mock that listens on a socket. */
export interface MockServer extends AsyncDisposable {
  /** As in `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The port that it listens on. */
  readonly port: number;
  /** Stops listening and ends every connection, requests that pend included. */
  close(): Promise<void>;
}

// Bytes of a refused body that are read and thrown away, so that the sender sees the answer instead of a reset.
const drainedBytes = 16 * 1024 * 1024;
const drainMs = 2000;

/** Reads a request's body to its end, or gives up at the limit. */
function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) finish(undefined);
    };
    const onEnd = () => {
      finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onClose = () => {
      reject(new SenderGoneError());
    };
    const finish = (body: Buffer | undefined) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).pause();
      resolve(body);
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function incomingOf(request: IncomingMessage, url: string, boundHost: string): Incoming {
  // Whatever stands in the request line, it is looked up on this server: it cannot name another origin.
  const target = request.url?.startsWith('/') ? request.url : '/';
  const method = request.method ?? 'GET';
  return {
    method,
    origin: url,
    path: new URL(url + target).pathname,
    boundHost,
    header(name) {
      const value = request.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : undefined;
    },
    readBody: (limit) => readBody(request, limit),
    toRequest(body) {
      const headers = new Headers();
      for (const [name, values] of Object.entries(request.headersDistinct)) {
        for (const value of values ?? []) headers.append(name, value);
      }
      return new Request(url + target, { method, headers, ...(body && { body }) });
    },
  };
}

/** Reads what is left of a request and throws it away, up to a point. */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete) return;
  let left = drainedBytes;
  const timer = setTimeout(() => request.destroy(), drainMs);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) break;
    }
  } catch {
    // The sender went away; there is nobody to answer.
  } finally {
    clearTimeout(timer);
  }
}

async function sendAnswer(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = bytesOf(answer);
  const early = !request.complete;
  response.writeHead(answer.httpStatus, {
    ...answer.headers,
    'content-length': bytes.length,
    ...(early && { connection: 'close' }),
  });
  if (early) {
    // The answer first, so that a sender that looks stops sending; then the rest of what it sends.
    response.write(bytes);
    await drain(request);
    response.end();
  } else {
    response.end(bytes);
  }
}

async function sendResponse(from: Response, response: ServerResponse): Promise<void> {
  response.writeHead(from.status, [...from.headers].flat());
  if (!from.body) {
    response.end();
    return;
  }
  // A page's reader may leave at any time; the pipeline then cancels its stream.
  await pipeline(Readable.fromWeb(from.body), response).catch(() => undefined);
}

/** Sends the start of an answer under the length of the whole. */
function sendHalf(answer: Answer, response: ServerResponse, sent?: () => void): void {
  const bytes = bytesOf(answer);
  response.writeHead(answer.httpStatus, { ...answer.headers, 'content-length': bytes.length });
  response.write(firstHalf(bytes), sent);
}

/** Resets the connection once the mock is reset, unless it is gone before. */
function resetWhen(ended: AbortSignal, request: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    request.socket.resetAndDestroy();
  };
  ended.addEventListener('abort', end);
  response.on('close', () => {
    ended.removeEventListener('abort', end);
  });
  if (ended.aborted) end();
}

/** Carries a delivery on the socket that the request came on. */
async function carry(delivery: Delivery, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request;
  const hangUp = () => {
    socket.end(() => socket.destroy());
  };
  switch (delivery.kind) {
    case 'answer':
      await sendAnswer(delivery.answer, request, response);
      break;
    case 'response':
      await sendResponse(delivery.response, response);
      break;
    case 'reset':
      socket.resetAndDestroy();
      break;
    case 'empty':
      hangUp();
      break;
    case 'hang':
      resetWhen(delivery.ended, request, response);
      break;
    case 'stalled':
      sendHalf(delivery.answer, response);
      resetWhen(delivery.ended, request, response);
      break;
    case 'truncated':
      sendHalf(delivery.answer, response, hangUp);
      break;
  }
}

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The address under which a server that listens on a host can be reached from here. */
function urlOf(host: string, port: number): string {
  const reachable = wildcards.has(host) ? 'localhost' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${String(port)}`;
}

/** Serves a core on a socket of its own. */
export async function listen(
  serve: (incoming: Incoming) => Promise<Delivery>,
  { port = 0, host = '127.0.0.1', requestTimeoutMs = 30_000 }: ListenOptions = {},
): Promise<MockServer> {
  if (host === '' || !URL.canParse(urlOf(host, 1))) {
    throw new ConfigurationError('host', 'must be a host name or an IP address without a zone');
  }
  let url = '';
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
      // Longer than clients keep a connection: the mock closes none that a client is about to use again.
      keepAliveTimeout: 75_000,
    },
    (request, response) => {
      // Inside an async function: whatever goes wrong with one request ends that request, and not the process.
      (async () => serve(incomingOf(request, url, host)))()
        .then((delivery) => carry(delivery, request, response))
        .catch(() => request.socket.destroy());
    },
  );
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  url = urlOf(host, address.port);
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url, port: address.port, close, [Symbol.asyncDispose]: close };
}
