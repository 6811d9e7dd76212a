import type { NamedFault } from '../common/faults.js';
import type { Scenario } from './dimensions.js';

/** What the service did because of a request. `-again`: it had made such a payment, or stored such a file, before. */
export type Act = 'payment' | 'payment-again' | 'file' | 'file-again' | 'lender-notification';

/** A response of something in front of the service. */
interface GatewayResponse {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The way between merchant and service. */
export interface Network {
  /** Waited before the service acts, and again before its response. */
  readonly waitMs?: number;
  /** A gateway's response to the first request for each reference, by its address; the service never sees the request. */
  readonly refusal?: (request: { readonly baseUrl: string; readonly path: string }) => GatewayResponse;
  /** Strikes the response to a request that has made one of these changes. */
  readonly fault?: { readonly name: NamedFault; readonly after: readonly Act[] };
  /** From the first request for a reference on, every response for it is lost for so long, in milliseconds. */
  readonly outageMs?: number;
  /** The response to a request that has created a payment waits until its sender has gone, for so long at most. */
  readonly hangMs?: number;
}

/** The beginning of the paths that redirects lead to. */
export const redirectedPath = '/redirected';

const reset = 'connection-reset';

export const networks: Readonly<Record<Scenario['network'], Network>> = {
  ok: {},
  'lost-response': { fault: { name: reset, after: ['payment', 'file'] } },
  gateway: { fault: { name: 'html-502', after: ['payment'] } },
  'rate-limited': { refusal: () => ({ httpStatus: 429, headers: { 'retry-after': '1' } }) },
  slow: { waitMs: 300 },
  outage: { outageMs: 3000 },
  hang: { hangMs: 20_000, fault: { name: reset, after: ['payment'] } },
  redirect: {
    refusal: ({ baseUrl, path }) => ({
      httpStatus: 307,
      headers: { location: `${baseUrl}${redirectedPath}${path}` },
    }),
  },
};

/** The path of the operation that a request is for: where redirects lead, the same operations are served. */
export function operationPath(path: string, { network }: Scenario): string {
  const isRedirected = network === 'redirect' && path.startsWith(`${redirectedPath}/`);
  return isRedirected ? path.slice(redirectedPath.length) : path;
}
