import type { Fetch } from '../../src/entries/index.js';
import { parseMultipart, type FormPart } from './parse-multipart.js';
import { watchRequest } from './request-watch.js';

/** A request as it was passed to fetch. */
export interface FetchedRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
}

export interface ScriptedFetch {
  readonly fetch: Fetch;
  readonly requests: readonly FetchedRequest[];
}

/** Responds to one request. If it throws, the connection fails. */
export type FetchScript = (request: FetchedRequest, index: number) => Response | Promise<Response>;

/** A fetch that opens no connection, for cases that a socket cannot produce, or that do not depend on a socket. */
export function scriptedFetch(script: FetchScript): ScriptedFetch {
  const requests: FetchedRequest[] = [];
  return {
    requests,
    fetch: async (input, init) => {
      const request = { url: input, init, headers: new Headers(init.headers) };
      requests.push(request);
      return script(request, requests.length - 1);
    },
  };
}

/** A response with its length, as servers send it. Without the length, nothing proves that it is whole. */
export function framed(body: string | Uint8Array = '', init: ResponseInit = {}): Response {
  const bytes = new Uint8Array(Buffer.from(body));
  const headers = new Headers(init.headers);
  headers.set('content-length', String(bytes.length));
  return new Response(bytes, { ...init, headers });
}

/** A fetch that responds with the same JSON to every request. */
export function answering(body: unknown, init?: ResponseInit): ScriptedFetch {
  return scriptedFetch(() => Response.json(body, init));
}

/** A fetch that must not be called. */
export function unreachable(): ScriptedFetch {
  return scriptedFetch(() => {
    throw new Error('nothing was to be sent');
  });
}

const read = new WeakMap<FetchedRequest, Promise<Buffer>>();

async function readAndWatch({ url, headers, init }: FetchedRequest): Promise<Buffer> {
  const body = Buffer.from(await new Response(init.body).arrayBuffer());
  const { pathname: path } = new URL(url);
  watchRequest('a scripted fetch', { path, headers: Object.fromEntries(headers), body });
  return body;
}

/** The bytes of a fetched body. The body is a stream, so it is read once, however often this is called. */
export function sentBytes(request: FetchedRequest): Promise<Buffer> {
  const bytes = read.get(request) ?? readAndWatch(request);
  read.set(request, bytes);
  return bytes;
}

/** The parts of a fetched upload. */
export async function sentParts(request: FetchedRequest): Promise<FormPart[]> {
  return parseMultipart(request.headers.get('content-type') ?? '', await sentBytes(request));
}
