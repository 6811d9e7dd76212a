import * as z from 'zod';
import { longestTimerMs } from '../protocol/numbers.js';

const timerRule = `must be a number of milliseconds, greater than 0 and at most ${longestTimerMs}, such as 15000`;
const milliseconds = z.number(timerRule).refine((value) => value > 0 && value <= longestTimerMs, timerRule);

const countRule = 'must be an integer, 0 or greater, such as 2';

/** Rules for the limits, of a client and of a single call. */
export const limitRules = {
  attemptTimeoutMs: milliseconds,
  totalTimeoutMs: milliseconds,
  maxRetries: z.number(countRule).refine((value) => Number.isSafeInteger(value) && value >= 0, countRule),
};
