import { http, type HttpHandler } from 'msw';
import type { MockFetch } from './mock-client-options.js';

/**
 * Creates MSW request handlers that pass every request below `baseUrl` to the mock. There is no socket, so a reset
 * and an empty response are both a network error. MSW 3.0.5 ends the process when a caller aborts a body that has
 * stalled: do not inject `stalled-body` with it.
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
 * @param mock - The mock that serves the requests.
 * @param baseUrl - The `baseUrl` of the client under test; its path is removed before the mock sees the request.
 */
export function mswHandlers(mock: { readonly fetch: MockFetch }, baseUrl: string): HttpHandler[] {
  const { origin, pathname } = new URL(baseUrl);
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  // A regular expression, because characters of the base could have a meaning in a path pattern.
  const below = new RegExp(`^${base.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}/`);
  return [
    http.all(below, async ({ request }) => {
      try {
        return await mock.fetch(request, { baseUrl: base });
      } catch {
        return Response.error();
      }
    }),
  ];
}
