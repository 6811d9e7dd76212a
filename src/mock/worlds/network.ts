import type { NamedFault } from '../common/faults.js';
import type { World } from './dimensions.js';

/** A change that a request made: a file may be stored that was stored before. */
export type Act = 'payment' | 'file' | 'file-again' | 'lender-notification';

/** The way between merchant and service. */
export interface Network {
  /** Waited before the service acts, and again before it answers. */
  readonly waitMs?: number;
  /** Answers the first request for each reference; the service never sees it. */
  readonly refusal?: { readonly httpStatus: number; readonly headers: Readonly<Record<string, string>> };
  /** Strikes the answer to a request that has made one of these changes. */
  readonly fault?: { readonly name: NamedFault; readonly after: readonly Act[] };
}

export const networks: Readonly<Record<World['network'], Network>> = {
  fair: {},
  'lost-answer': { fault: { name: 'connection-reset', after: ['payment', 'file'] } },
  gateway: { fault: { name: 'html-502', after: ['payment'] } },
  'rate-limited': { refusal: { httpStatus: 429, headers: { 'retry-after': '1' } } },
  slow: { waitMs: 300 },
  outage: {},
  hang: {},
  redirect: {},
};
