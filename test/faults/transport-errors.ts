import { request as httpsRequest } from 'node:https';
import net from 'node:net';
import type { Fetch } from '../../src/index.js';

/** A `fetch` that fails as the built-in one does: a TypeError with the transport's own error behind it. */
export function failing(cause: unknown): Fetch {
  return () => Promise.reject(new TypeError('fetch failed', { cause }));
}

/** An error of the system, by the two words that tell it. */
export function systemError(code: string, syscall?: string): Error {
  return Object.assign(new Error(`${syscall ?? ''} ${code}`.trim()), { code, ...(syscall && { syscall }) });
}

/** A `fetch` that sends the request elsewhere. */
export function redirectedTo(baseUrl: string): Fetch {
  return (input, init) => globalThis.fetch(new URL(new URL(input).pathname, baseUrl), init);
}

/** A port on which nobody listens any more. */
export async function deadPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What `net` reports of a name with two addresses, both of which refuse: an AggregateError of real attempts. */
export async function bothAddressesRefuse(): Promise<Error> {
  const port = await deadPort();
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
 * A `fetch` to a TLS server that trusts one authority. The built-in one takes its authorities from the environment as
 * the process starts; the errors of TLS come from the same place for both.
 */
export function trusting(ca: string, baseUrl: string): Fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const url = new URL(new URL(input).pathname, baseUrl);
      const headers = { ...(init?.headers as Record<string, string>), Connection: 'close' };
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
      request.end(init?.body);
    });
}
