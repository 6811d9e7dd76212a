import type { Fetch } from '../../src/index.js';
import { parseMultipart, type FormPart } from './parse-multipart.js';

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
    fetch: async (input, init = {}) => {
      const request = { url: String(input), init, headers: new Headers(init.headers) };
      requests.push(request);
      return script(request, requests.length - 1);
    },
  };
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

/** The bytes of a fetched body, whatever way they travel. */
export async function sentBytes({ init }: FetchedRequest): Promise<Buffer> {
  return Buffer.from(await new Response(init.body).arrayBuffer());
}

/** The parts of a fetched upload. */
export async function sentParts(request: FetchedRequest): Promise<FormPart[]> {
  return parseMultipart(request.headers.get('content-type') ?? '', await sentBytes(request));
}
