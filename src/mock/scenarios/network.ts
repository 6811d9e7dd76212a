import type { NamedFault } from '../common/faults.js';
import type { Scenario } from './scenario.js';

/**
 * What the service did because of a request. `-again`: the service had already created a payment with the same
 * `referenceId`, or stored the same file, before this request.
 */
export type Act = 'payment' | 'payment-again' | 'file' | 'file-again' | 'lender-notification';

/** A response without a body. */
interface EmptyResponse {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The network between merchant and service. */
export interface Network {
  /** The wait before the service acts, and again before the service responds, in milliseconds. */
  readonly waitMs?: number;
  /**
   * The response to the first request for each `referenceId`. A gateway in front of the service sends this response,
   * and the service does not receive the request.
   */
  readonly responseBeforeService?: (request: {
    readonly baseUrl: string;
    readonly path: string;
  }) => EmptyResponse;
  /** A fault of a response. It occurs if the service has done one of the acts in `after` because of the request. */
  readonly fault?: { readonly name: NamedFault; readonly after: readonly Act[] };
  /**
   * The time after the first request for a `referenceId` in which all responses for that `referenceId` are lost, in
   * milliseconds.
   */
  readonly outageMs?: number;
  /**
   * The maximum time for which the mock holds back the response to a request that has created a payment, in
   * milliseconds. The response is not held back after the sender has closed the connection.
   */
  readonly holdResponseMs?: number;
}

/** The beginning of the paths to which redirects lead. */
export const redirectedPath = '/redirected';

const reset = 'connection-reset';

export const networks: Readonly<Record<Scenario['network'], Network>> = {
  ok: {},
  'lost-response': { fault: { name: reset, after: ['payment', 'file'] } },
  gateway: { fault: { name: 'html-502', after: ['payment'] } },
  'rate-limited': { responseBeforeService: () => ({ httpStatus: 429, headers: { 'retry-after': '1' } }) },
  slow: { waitMs: 300 },
  outage: { outageMs: 3000 },
  hang: { holdResponseMs: 20_000, fault: { name: reset, after: ['payment'] } },
  redirect: {
    responseBeforeService: ({ baseUrl, path }) => ({
      httpStatus: 307,
      headers: { location: `${baseUrl}${redirectedPath}${path}` },
    }),
  },
};

/** The path of the operation for a request. The targets of the mock's redirects serve the same operations. */
export function operationPath(path: string, { network }: Scenario): string {
  const isRedirected = network === 'redirect' && path.startsWith(`${redirectedPath}/`);
  return isRedirected ? path.slice(redirectedPath.length) : path;
}
