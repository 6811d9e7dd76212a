import http from 'node:http';
import https from 'node:https';
import { decodeUtf8 } from '../../../values/encodings.js';
import { reasonOf } from '../../../values/reason-of.js';
import { isRecord, jsonIn } from '../../../values/untrusted-values.js';
import type { WireRequest } from './requests.js';

/** A response as it arrived. */
export interface RawResponse {
  readonly httpStatus: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Undefined where the body is no JSON object. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Sends a request once. It resolves to text, the reason, where no whole response came. */
export type Send = (
  request: WireRequest,
  limitMs: number,
  signal: AbortSignal,
) => Promise<RawResponse | string>;

const mostBytes = 2 ** 20;

/** One request on a connection of its own; a redirect is not followed. */
export const send: Send = ({ url, headers, body }, limitMs, signal) =>
  new Promise((resolve) => {
    const { request } = url.startsWith('https:') ? https : http;
    const limit = AbortSignal.timeout(limitMs);
    const ended = AbortSignal.any([signal, limit]);
    const fail = (error: unknown) =>
      resolve(limit.aborted ? `no response within ${limitMs} ms` : reasonOf(error));
    const outgoing = request(url, { method: 'POST', headers: { ...headers }, agent: false, signal: ended });
    outgoing.on('error', fail).on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response
        .on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if ((size += chunk.length) > mostBytes)
            response.destroy(new Error('the response is larger than 1 MiB'));
        })
        .on('error', fail)
        .on('close', () => fail(new Error('the response was cut')))
        .on('end', () => {
          const value = jsonIn(decodeUtf8(Buffer.concat(chunks)) ?? '');
          const { statusCode = 0, headers: received } = response;
          resolve({ httpStatus: statusCode, headers: received, body: isRecord(value) ? value : undefined });
        });
    });
    outgoing.end(body);
  });
