import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { isIPv6, type AddressInfo, type Socket } from 'node:net';
import { ConfigurationError } from '../../errors/errors.js';
import { toUrl } from '../../protocol/urls.js';
import { readBounded, type Reply, type IncomingRequest } from '../common/exchange.js';
import { carry } from './node-reply.js';

/** The address on which a mock listens. */
export interface ListenOptions {
  /** The port. 0 selects a free port. @default 0 */
  readonly port?: number | undefined;
  /** A host name or an IP address, IPv6 without brackets and zone. @default '127.0.0.1' */
  readonly host?: string | undefined;
}

/** A mock that listens on a socket. */
export interface MockServer extends AsyncDisposable {
  /** The URL of the server, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The port on which the server listens. */
  readonly port: number;
  /**
   * Stops listening and closes every connection, including those with open requests. Closing the last server of a
   * mock also ends the webhooks that are being sent.
   */
  close(): Promise<void>;
}

/** Reads the whole body. Returns undefined if it is larger than the limit; the caller must then read the rest. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  return readBounded(request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>, maxBytes);
}

/**
 * The path and query of a request target. A target can be an absolute URL (RFC 9112, 3.2.2), whose host is ignored.
 */
function pathOf(target = '/'): string {
  if (target.startsWith('/')) return target;
  const url = /^https?:\/\//i.test(target) ? toUrl(target) : undefined;
  return url ? url.pathname + url.search : '/';
}

/** A signal that fires when a connection is closed. */
function closed(socket: Socket): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  if (socket.destroyed) abort();
  else socket.once('close', abort);
  return controller.signal;
}

function incomingRequest(request: IncomingMessage, baseUrl: string, boundHost: string): IncomingRequest {
  const target = pathOf(request.url);
  const method = request.method ?? 'GET';
  return {
    method,
    baseUrl,
    path: new URL(baseUrl + target).pathname,
    boundHost,
    header(name) {
      const value = request.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : undefined;
    },
    readBody: (maxBytes) => readBody(request, maxBytes),
    gone: () => closed(request.socket),
    toRequest(body, at = baseUrl) {
      const headers = new Headers();
      for (const [name, values] of Object.entries(request.headersDistinct)) {
        for (const value of values ?? []) headers.append(name, value);
      }
      return new Request(new URL(at).origin + target, { method, headers, ...(body && { body }) });
    },
  };
}

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The URL under which this machine reaches a server that listens on a host. */
function urlOf(host: string, port: number): string {
  const reachable = wildcards.has(host) ? 'localhost' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${String(port)}`;
}

/** Serves a mock on its own socket. */
export async function listen(
  serve: (request: IncomingRequest) => Promise<Reply>,
  { port = 0, host = '127.0.0.1' }: ListenOptions = {},
): Promise<MockServer> {
  if (!toUrl(urlOf(host, 1))) {
    throw new ConfigurationError('host', 'must be a host name or an IP address without a zone');
  }
  const server = createServer(
    {
      requestTimeout: 30_000,
      // This is longer than clients keep an idle connection, so that the mock does not close a connection that a client
      // is about to use.
      keepAliveTimeout: 75_000,
    },
    (request, response) => {
      // The async function turns an exception into a rejection, which ends the request and not the process.
      (async () => serve(incomingRequest(request, url, host)))()
        .then((reply) => carry(reply, request, response))
        .catch(() => request.socket.destroy());
    },
  );
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const url = urlOf(host, address.port);
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url, port: address.port, close, [Symbol.asyncDispose]: close };
}
