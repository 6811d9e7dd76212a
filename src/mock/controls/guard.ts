import type { MiddlewareHandler } from 'hono';
import { isIP } from 'node:net';
import type { RouteBindings } from './route-types.js';

/** The name or address in a Host header, without its port and brackets. */
function hostName(host: string): string {
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

/**
 * True for a Host that a page of another site cannot have pointed at this server by its own DNS: an address, a name
 * of this machine, or the name that the server was told to listen on.
 */
function isOwnHost(host: string, boundHost: string): boolean {
  const name = hostName(host);
  return (
    isIP(name) !== 0 ||
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === boundHost.toLowerCase()
  );
}

/**
 * Keeps pages of other sites from reading or working the mock through the browser of whoever runs it. The service's
 * own paths need no such guard: they are protected as the service protects them.
 */
export const guard: MiddlewareHandler<{ Bindings: RouteBindings }> = async (context, next) => {
  const { boundHost } = context.env;
  if (boundHost === undefined) return next();
  const host = context.req.header('host') ?? '';
  if (!isOwnHost(host, boundHost)) return context.json({ error: 'The Host header names another host.' }, 403);
  const origin = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  // Following a link to a page is no attack; anything else that another site starts is refused.
  const link = site !== 'cross-site' || context.req.method === 'GET';
  if (!link || (origin !== undefined && origin !== `http://${host}`)) {
    return context.json({ error: 'The request comes from a page of another origin.' }, 403);
  }
  return next();
};
