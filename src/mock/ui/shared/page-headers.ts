import type { MiddlewareHandler } from 'hono';

/** What a page may load and where its forms may lead: itself, and what is listed. */
function contentSecurityPolicy(formAction: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action ${["'self'", ...formAction].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every page. */
export function pageHeaders(formAction: readonly string[] = []): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(formAction),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Not no-referrer: a browser would then send the forms with an Origin of null, which the guard refuses.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** Sets the headers of every page on whatever a route answers. */
export const withPageHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(pageHeaders())) {
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  }
};
