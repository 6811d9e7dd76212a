import { addAbortListener, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConfigurationError } from '../../errors/errors.js';
import { toUrl } from '../../protocol/urls.js';
import {
  bytesOf,
  firstHalf,
  SenderGoneError,
  type Delivery,
  type IncomingRequest,
  type ResponseData,
} from '../wire/delivery.js';

/** Where a mock listens. */
export interface ListenOptions {
  /** 0 takes a free port. @default 0 */
  readonly port?: number | undefined;
  /** A host name or an IP address, IPv6 without brackets and zone. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** The longest time for receiving one request, in milliseconds. @default 30000 */
  readonly requestTimeoutMs?: number | undefined;
}

/** A mock that listens on a socket. */
export interface MockServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The port that it listens on. */
  readonly port: number;
  /**
   * Stops listening and closes every connection, including those with open requests. Closing the last server of a mock
   * also ends the webhooks that are under way.
   */
  close(): Promise<void>;
}

// Bytes of a refused body that are still read, so that the sender sees the response instead of a reset.
const drainedBytes = 16 * 1024 * 1024;
const drainMs = 2000;

/** The whole body, or undefined when it is larger than the limit. */
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

/** Path and query of a request target, which may be an absolute URL (RFC 9112, 3.2.2); its host has no meaning here. */
function pathOf(target = '/'): string {
  if (target.startsWith('/')) return target;
  const url = /^https?:\/\//i.test(target) ? toUrl(target) : undefined;
  return url ? url.pathname + url.search : '/';
}

function incomingRequest(request: IncomingMessage, baseUrl: string, boundHost: string): IncomingRequest {
  const target = baseUrl + pathOf(request.url);
  const method = request.method ?? 'GET';
  return {
    method,
    baseUrl,
    path: new URL(target).pathname,
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
      return new Request(target, { method, headers, ...(body && { body }) });
    },
  };
}

/** Discards the rest of a request, up to a limit. */
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
    // The sender closed the connection.
  } finally {
    clearTimeout(timer);
  }
}

async function sendData(
  data: ResponseData,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = bytesOf(data);
  const early = !request.complete;
  response.writeHead(data.httpStatus, {
    ...data.headers,
    'content-length': bytes.length,
    ...(early && { connection: 'close' }),
  });
  if (early) {
    // First the response, so that the sender can stop, then the rest of the request.
    response.write(bytes);
    await drain(request);
    response.end();
  } else {
    response.end(bytes);
  }
}

async function sendPage(from: Response, response: ServerResponse): Promise<void> {
  response.writeHead(from.status, [...from.headers].flat());
  if (!from.body) {
    response.end();
    return;
  }
  // A browser may close the page at any time; the pipeline then cancels its stream.
  await pipeline(Readable.fromWeb(from.body), response).catch(() => undefined);
}

/** Sends half of a body with the Content-Length of the whole. */
function sendHalf(data: ResponseData, response: ServerResponse, sent?: () => void): void {
  const bytes = bytesOf(data);
  response.writeHead(data.httpStatus, { ...data.headers, 'content-length': bytes.length });
  response.write(firstHalf(bytes), sent);
}

/** Resets the connection when the mock is reset, unless it was closed before. */
function resetWhen(ended: AbortSignal, request: IncomingMessage, response: ServerResponse): void {
  const listening = addAbortListener(ended, () => request.socket.resetAndDestroy());
  response.on('close', () => {
    listening[Symbol.dispose]();
  });
}

/** Carries out a delivery on the socket of the request. */
async function carry(delivery: Delivery, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request;
  const hangUp = () => {
    socket.end(() => socket.destroy());
  };
  switch (delivery.kind) {
    case 'response':
      if (response.destroyed || socket.destroyed) delivery.abandoned?.();
      else await sendData(delivery.response, request, response);
      break;
    case 'page':
      await sendPage(delivery.response, response);
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
      sendHalf(delivery.response, response);
      resetWhen(delivery.ended, request, response);
      break;
    case 'truncated':
      sendHalf(delivery.response, response, hangUp);
      break;
  }
}

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The URL under which this machine reaches a server that listens on a host. */
function urlOf(host: string, port: number): string {
  const reachable = wildcards.has(host) ? 'localhost' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${String(port)}`;
}

/** Serves a mock on a socket of its own. */
export async function listen(
  serve: (request: IncomingRequest) => Promise<Delivery>,
  { port = 0, host = '127.0.0.1', requestTimeoutMs = 30_000 }: ListenOptions = {},
): Promise<MockServer> {
  if (host === '' || !toUrl(urlOf(host, 1))) {
    throw new ConfigurationError('host', 'must be a host name or an IP address without a zone');
  }
  let url = '';
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
      // Longer than clients keep an idle connection, so that the mock closes none that a client is about to use.
      keepAliveTimeout: 75_000,
    },
    (request, response) => {
      // In an async function, so that a failure ends the request and not the process.
      (async () => serve(incomingRequest(request, url, host)))()
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
