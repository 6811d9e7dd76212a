import { readProperty } from '../values/untrusted-values.js';
import type { Fetch } from './transport.js';

/** True under Cloudflare Workers (see developers.cloudflare.com/workers/runtime-apis/web-standards, userAgent). */
export function isWorkers(scope: object = globalThis): boolean {
  return readProperty(readProperty(scope, 'navigator'), 'userAgent') === 'Cloudflare-Workers';
}

/** The `fetch` for Cloudflare Workers, whose `node:http` cannot be used, because it emits no socket. */
export const workersFetch: Fetch = (input, init) => {
  if (!init.body) return fetch(input, init);
  // FixedLengthStream gives the stream a length. Without the length, Workers send chunked encoding, which not every
  // server accepts.
  const Fixed = Reflect.get(globalThis, 'FixedLengthStream') as new (length: number) => TransformStream;
  const length = Number(new Headers(init.headers).get('content-length'));
  return fetch(input, { ...init, body: init.body.pipeThrough(new Fixed(length)) });
};
