import * as z from 'zod';
import { longestTimerMs } from '../protocol/numbers.js';

/** Limits of a call before its time starts to run. */
export interface Limits {
  readonly attemptTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
}

const timerRule = `must be a number of milliseconds, greater than 0 and at most ${longestTimerMs}`;
const milliseconds = z.number(timerRule).refine((value) => value > 0 && value <= longestTimerMs, timerRule);

const countRule = 'must be a whole number that is not negative';

/** Rules for the limits: those of a client, and those of a single call. */
export const limitRules = {
  attemptTimeoutMs: milliseconds,
  totalTimeoutMs: milliseconds,
  maxRetries: z.number(countRule).refine((value) => Number.isSafeInteger(value) && value >= 0, countRule),
};
