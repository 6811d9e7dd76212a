import { endpoints, operations } from '../../protocol/endpoints.js';
import { toUrl } from '../../protocol/urls.js';
import type { IncomingRequest } from '../common/exchange.js';
import { MockUsageError } from '../../errors/usage-error.js';

const pagePaths = /^\/(?:openapi\.json$|(?:_mock|pay)(?:\/|$))/;

/** True for a request to the mock's own pages and controls, false for a request to the service. */
export function isPageRequest({ method, path }: Pick<IncomingRequest, 'method' | 'path'>): boolean {
  return pagePaths.test(path) || (path === '/' && ['GET', 'HEAD'].includes(method));
}

/** Refuses a path for `handle` that is not written exactly as in a request, or that the mock serves itself. */
export function checkOwnPath(path: string): void {
  const url = `http://mock.example${path}`;
  if (typeof path !== 'string' || !path.startsWith('/') || toUrl(url)?.href !== url || /[?#]/.test(path)) {
    throw new MockUsageError(
      'handle: the path must begin with a slash, be percent-encoded exactly as in the request, and have no query. An example is /v2/payments/status.',
    );
  }
  const isServed = operations.some((name) => endpoints[name].path === path);
  if (isServed || isPageRequest({ method: 'GET', path })) {
    throw new MockUsageError(
      'handle: the mock itself serves this path. To change a response, use respondWith.',
    );
  }
}
