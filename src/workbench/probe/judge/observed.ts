import type { Attempt } from './transcript.js';

/** The result of one rule of the judge. If there is no value, `observed` says what is missing. */
export interface Observed {
  readonly value?: unknown;
  readonly observed: string;
  readonly evidence?: readonly Attempt[];
  /** The value of the options, if it differs from the value of the observation. */
  readonly option?: unknown;
  /** True if the difference from the assumption does not matter. */
  readonly isEquivalent?: boolean;
}
