import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { Hono } from 'hono/tiny';

/** What a route knows besides the request. */
export interface RouteBindings {
  /** The host that the server listens on; undefined without a socket. */
  readonly boundHost?: string | undefined;
  /** Why the request is refused before any route sees it. */
  readonly refusal?: { readonly status: 405 | 413; readonly error: string } | undefined;
}

/** Routes of the mock's own pages and controls. */
export type Routes = Hono<{ Bindings: RouteBindings }>;

/** The name or address in a Host header, without its port and brackets. */
function hostName(host: string): string {
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

/**
 * True for a Host that is not open to DNS rebinding: an IP address, a name of this machine, or the name that the
 * server listens on.
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
 * Refuses requests that other websites send through the browser of a developer. It guards the pages and controls
 * only: requests to the service are signed.
 */
export const guard: MiddlewareHandler<{ Bindings: RouteBindings }> = async (context, next) => {
  const { boundHost } = context.env;
  if (boundHost === undefined) return next();
  const host = context.req.header('host') ?? '';
  if (!isOwnHost(host, boundHost))
    return context.json(
      { error: 'The Host header must be an IP address, localhost or the host that the mock listens on.' },
      403,
    );
  const origin = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  // A link on another website may be followed; a form or script there may not call the mock.
  const link = site !== 'cross-site' || context.req.method === 'GET';
  if (!link || (origin !== undefined && origin !== `http://${host}`)) {
    return context.json({ error: 'The request comes from another origin.' }, 403);
  }
  return next();
};
