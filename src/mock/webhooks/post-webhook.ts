import http from 'node:http';
import https from 'node:https';
import { watchLimit } from '../../values/time-limit.js';
import type { PostRequest } from '../common/exchange.js';

/**
 * Sends a POST request once, over its own connection, and does not follow redirects. `fetch` is not used, because it
 * could send the request a second time (after HTTP 421).
 *
 * @returns the HTTP status of the response. Rejects if there is no response. If the signal has fired, the error is the
 * signal's reason.
 */
export function post({ url, headers, body, limitMs, signal }: PostRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const { request: send } = url.startsWith('https:') ? https : http;
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
    });
    const unwatch = watchLimit(limitMs, signal, (ended) => {
      const late = new Error(`no response within ${limitMs} ms`);
      request.destroy(ended === 'timeout' ? late : (signal.reason as Error));
    });
    request
      .once('response', (response) => {
        resolve(response.statusCode ?? 0);
        // The rest of the response is read until the time limit, so that the shop does not see a connection reset.
        response.resume().on('error', () => undefined);
      })
      .on('error', reject)
      .once('close', () => {
        unwatch();
        reject(new Error('the connection was closed without a response'));
      });
    request.end(body);
  });
}
