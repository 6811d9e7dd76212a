import { http, type HttpHandler } from 'msw';
import type { MockService } from '../types.js';

/**
 * The mock as request handlers of MSW, version 2 or 3: every request below `baseUrl` goes to the mock. What cannot be
 * carried without a socket becomes the nearest thing to it: a reset or an empty answer is a network error.
 *
 * @example
 * ```ts
 * import { createMockService } from 'installment-payments/mock';
 * import { mswHandlers } from 'installment-payments/mock/msw';
 * import { setupServer } from 'msw/node';
 *
 * const mock = createMockService();
 * const server = setupServer(...mswHandlers(mock, 'https://sandbox.example'));
 * ```
 * @param mock - The mock that answers.
 * @param baseUrl - The `baseUrl` of the client under test; its path is taken off before the mock sees the request.
 */
export function mswHandlers(mock: Pick<MockService, 'fetch'>, baseUrl: string): HttpHandler[] {
  const { origin, pathname } = new URL(baseUrl);
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  // A pattern, not a path: in a path, characters of the base could have a meaning.
  const below = new RegExp(`^${base.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}/`);
  return [
    http.all(below, async ({ request }) => {
      const url = new URL(request.url);
      url.pathname = url.pathname.slice(base.length - origin.length);
      try {
        return await mock.fetch(new Request(url, request));
      } catch {
        return Response.error();
      }
    }),
  ];
}
