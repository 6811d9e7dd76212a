import * as z from 'zod';
import { isRecord } from './records.js';
import { missingOr } from './text.js';

/** The longest delay of a timer in milliseconds; beyond it `setTimeout` fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

function integerFrom(minimum: number) {
  const rule = `must be an integer from ${minimum} to ${Number.MAX_SAFE_INTEGER}`;
  return z.int({ ...missingOr(rule), abort: true }).min(minimum, rule);
}

/** A count, an amount of VND or a duration. */
export const positiveInteger = integerFrom(1);

/** A sequence number. */
export const wholeNumber = integerFrom(0);

const moneyRule = 'must be a number of VND, 0 or greater';

/** A price, or a part of an amount. */
export const money = z.number(missingOr(moneyRule)).min(0, moneyRule);

/**
 * When to run a rule that compares fields: once they are numbers, even if other fields are wrong, so that every broken
 * rule is reported at once.
 */
export function hasNumbers(
  required: readonly string[],
  optional: readonly string[],
): (payload: { readonly value: unknown }) => boolean {
  return ({ value }) => {
    const fits = (name: string) => isRecord(value) && money.safeParse(value[name]).success;
    const isAbsent = (name: string) => isRecord(value) && value[name] === undefined;
    return required.every(fits) && optional.every((name) => isAbsent(name) || fits(name));
  };
}
