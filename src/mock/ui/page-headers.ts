import type { Context, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/**
 * Sets the security headers of a page. Its forms can lead to the mock itself and to the sources that `formTargets`
 * returns. Headers that the response already has are kept, so a single page can override the headers of all pages.
 */
export function pageHeaders(
  formTargets: (context: Context) => readonly string[] = () => [],
): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: [(context) => ["'self'", ...formTargets(context)].join(' ')],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // With no-referrer, a browser sends forms with `Origin: null`, which the guard refuses.
    referrerPolicy: 'same-origin',
    // The mock uses plain HTTP.
    strictTransportSecurity: false,
  });
}

/** Prevents browsers and proxies from storing the responses of the mock. */
export const noStore: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set('cache-control', 'no-store');
};
