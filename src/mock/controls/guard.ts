import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { RouteBindings } from '../ui/routes.js';

/** The name or address in a Host header, without its port and brackets. */
function hostName(host: string): string {
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

/** The names under which the pages and controls are allowed to be reached. */
interface GuardOptions {
  readonly publicUrl?: string | undefined;
  readonly allowedHosts: readonly string[];
}

export type Guard = MiddlewareHandler<{ Bindings: RouteBindings }>;

/**
 * Creates a check that refuses requests that other websites send through a developer's browser. It guards only the
 * pages and controls, because requests to the service are signed. To prevent DNS rebinding, it accepts only these Host
 * headers: an IP address, a name of this machine, the name on which the server listens, and the names in the options.
 */
export function guard({ publicUrl, allowedHosts }: GuardOptions): Guard {
  const publicAddress = publicUrl === undefined ? undefined : new URL(publicUrl);
  const publicHosts = publicAddress ? [publicAddress.hostname] : [];
  const allowed = new Set([...allowedHosts, ...publicHosts].map(hostName));
  const isOwnHost = (name: string, boundHost: string) =>
    isIP(name) !== 0 ||
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === boundHost.toLowerCase() ||
    allowed.has(name);

  return async (context, next) => {
    const { boundHost } = context.env;
    if (boundHost === undefined) return next();
    const host = context.req.header('host') ?? '';
    if (!isOwnHost(hostName(host), boundHost)) {
      const error =
        'The Host header must be an IP address, localhost, the host on which the mock listens, or a name in allowedHosts (--allow-host).';
      return context.json({ error }, 403);
    }
    const origin = context.req.header('origin');
    const site = context.req.header('sec-fetch-site');
    // A link on another website is allowed to lead here. Forms and scripts of other websites must not call the mock.
    const mayCross = site !== 'cross-site' || context.req.method === 'GET';
    const isOwnOrigin =
      origin === undefined || origin === `http://${host}` || origin === publicAddress?.origin;
    if (!mayCross || !isOwnOrigin) {
      return context.json({ error: 'Requests from a different origin are refused.' }, 403);
    }
    return next();
  };
}
