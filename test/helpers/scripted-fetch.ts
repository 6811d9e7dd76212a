import type { Fetch } from '../../src/index.js';
import { parseMultipart, type FormPart } from './parse-multipart.js';
import { watchRequest } from './request-watch.js';

/** One request as it was handed to fetch. */
export interface FetchedRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
}

export interface ScriptedFetch {
  readonly fetch: Fetch;
  readonly requests: readonly FetchedRequest[];
}

/** Says what becomes of one request: an answer, or, by throwing, a failed connection. */
export type FetchScript = (request: FetchedRequest, index: number) => Response | Promise<Response>;

/** A fetch that opens no connection: for what a socket cannot make happen, or what does not depend on one. */
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

/** A response with its length, as servers send it: without one, nothing proves that it is whole. */
export function framed(body: string | Uint8Array = '', init: ResponseInit = {}): Response {
  const bytes = new Uint8Array(Buffer.from(body));
  const headers = new Headers(init.headers);
  headers.set('content-length', String(bytes.length));
  return new Response(bytes, { ...init, headers });
}

/** A fetch that gives the same JSON to every request. */
export function answering(body: unknown, init?: ResponseInit): ScriptedFetch {
  return scriptedFetch(() => Response.json(body, init));
}

/** A fetch that no request may reach. */
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

/** The bytes of a fetched body, which is a stream: it is read once, however often it is asked for. */
export function sentBytes(request: FetchedRequest): Promise<Buffer> {
  const bytes = read.get(request) ?? readAndWatch(request);
  read.set(request, bytes);
  return bytes;
}

/** The parts of a fetched upload. */
export async function sentParts(request: FetchedRequest): Promise<FormPart[]> {
  return parseMultipart(request.headers.get('content-type') ?? '', await sentBytes(request));
}
