import http from 'node:http';
import https from 'node:https';
import type { PostRequest } from '../common/exchange.js';

/**
 * Sends a POST request over a connection of its own, once; a redirect is not followed. Fetch could send it twice
 * (after 421).
 *
 * @returns the status of the response. Rejects without one; with the reason of the signal where that has fired.
 */
export function post({ url, headers, body, limitMs, signal }: PostRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const { request: send } = url.startsWith('https:') ? https : http;
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
    });
    const timer = setTimeout(() => request.destroy(new Error(`no response within ${limitMs} ms`)), limitMs);
    request
      .once('response', (response) => {
        resolve(response.statusCode ?? 0);
        // The rest is read until the limit, so that its sender does not see a reset.
        response.resume().on('error', () => undefined);
      })
      .on('error', (error) => {
        reject(signal.aborted ? (signal.reason as Error) : error);
      })
      .once('close', () => {
        clearTimeout(timer);
        reject(new Error('the connection was closed without a response'));
      });
    request.end(body);
  });
}
