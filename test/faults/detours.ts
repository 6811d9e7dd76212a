import http from 'node:http';
import { request as httpsRequest } from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import type { Fetch } from '../../src/entries/index.js';
import { freePort } from '../helpers/free-port.js';

/** The transport that these tests run over: each file runs once for either. */
export const transport = process.env['TRANSPORT'] === 'fetch' ? 'fetch' : 'node';

/** The expectation over the transport of this run. */
export function over<T>(values: { readonly node: T; readonly fetch: T }): T {
  return values[transport];
}

/** The place that an attempt reaches instead of the scripted server, for either transport. */
export interface Detour {
  readonly fetch: Fetch;
  readonly connect: () => net.Socket;
}

/** An error of the system, by the two words that tell it. */
export function systemError(code: string, syscall?: string): Error {
  return Object.assign(new Error(`${syscall ?? ''} ${code}`.trim()), { code, ...(syscall && { syscall }) });
}

/** A socket that never gets as far as a connection. */
function unconnected(): net.Socket {
  return Object.assign(new net.Socket(), { connecting: true });
}

/** A connection that fails with an error; the built-in fetch wraps it in a TypeError. */
export function failing(cause: Error): Detour {
  return {
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
    connect: () => {
      const socket = unconnected();
      process.nextTick(() => socket.destroy(cause));
      return socket;
    },
  };
}

/** A connection that is never made; `waiting` is told that the attempt waits for it. */
export function neverConnecting(waiting: () => void): Detour {
  return {
    fetch: () => {
      setImmediate(waiting);
      return new Promise<never>(() => undefined);
    },
    connect: () => {
      setImmediate(waiting);
      return unconnected();
    },
  };
}

/** Sends the request elsewhere. */
export function redirectedTo(baseUrl: string): Detour {
  return {
    fetch: (input, init) => globalThis.fetch(new URL(new URL(input).pathname, baseUrl), init),
    connect: () => connectTo(baseUrl),
  };
}

/** A connection to the host of a URL, secured where the URL says so. */
export function connectTo(baseUrl: string, ca?: string): net.Socket {
  const { protocol, hostname, port } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const at = { host: hostname, port: Number(port || (secure ? 443 : 80)) };
  // An agent of Node names the server only where it is a name.
  return secure ? tls.connect({ ...at, ...(ca !== undefined && { ca }) }) : net.connect(at);
}

/** The error of `net` for a name with two addresses, both of which refuse: an AggregateError of real attempts. */
export async function bothAddressesRefuse(): Promise<Error> {
  const port = await freePort();
  return new Promise((resolve, reject) => {
    const socket = net.connect({
      host: 'two-addresses.test',
      port,
      autoSelectFamily: true,
      lookup: (_host, _options, found) => {
        found(null, [
          { address: '127.0.0.1', family: 4 },
          { address: '127.0.0.2', family: 4 },
        ]);
      },
    });
    socket.on('error', resolve).on('connect', () => {
      socket.destroy();
      reject(new Error('nobody should listen there'));
    });
  });
}

/**
 * A TLS server, trusting one authority. The built-in fetch takes its authorities from the environment as the process
 * starts; the errors of TLS come from the same place for both.
 */
export function trusting(ca: string, baseUrl: string): Detour {
  return {
    connect: () => connectTo(baseUrl, ca),
    fetch: (input, init) =>
      new Promise((resolve, reject) => {
        const url = new URL(new URL(input).pathname, baseUrl);
        const headers = { ...init.headers, Connection: 'close' };
        const request = httpsRequest(url, { method: 'POST', headers, ca, agent: false }, (response) => {
          const chunks: Buffer[] = [];
          response
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', () => {
              resolve(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0 }));
            });
        });
        request.on('error', (cause) => {
          reject(new TypeError('fetch failed', { cause }));
        });
        // As the built-in fetch does, the body is taken once there is a connection to write it to.
        const write = (body: ArrayBuffer) => request.end(Buffer.from(body));
        request.once('socket', (socket) => {
          socket.once('secureConnect', () => void new Response(init.body).arrayBuffer().then(write));
        });
      }),
  };
}

/** An agent that makes a new connection for each request, where the course of the call says. */
export function detouringAgent(protocol: 'http:' | 'https:', connect: () => net.Socket): http.Agent {
  const agent = new http.Agent({ keepAlive: false });
  return Object.assign(agent, { protocol, createConnection: connect });
}
