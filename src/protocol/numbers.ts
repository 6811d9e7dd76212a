import * as z from 'zod';
import { missingOr } from './text.js';

const positiveRule = 'must be a whole number greater than 0, at most 9007199254740991';

/** A count, an amount of VND or a duration: a positive safe integer. */
export const positiveInteger = z
  .number(missingOr(positiveRule))
  .refine((value) => Number.isSafeInteger(value) && value > 0, positiveRule);

const wholeRule = 'must be a whole number that is not negative, at most 9007199254740991';

/** A sequence number. */
export const wholeNumber = z
  .number(missingOr(wholeRule))
  .refine((value) => Number.isSafeInteger(value) && value >= 0, wholeRule);

/**
 * For a rule that compares fields: it can be asked once they are numbers, whatever else is wrong beside them, so that
 * every broken rule is named at once.
 */
export function hasNumbers(
  required: readonly string[],
  optional: readonly string[],
): (payload: { readonly value: unknown }) => boolean {
  const fits = (value: unknown, name: string, mayBeAbsent: boolean) => {
    const field: unknown = Reflect.get(Object(value) as object, name);
    return field === undefined ? mayBeAbsent : typeof field === 'number' && field >= 0 && field < Infinity;
  };
  return ({ value }) =>
    required.every((name) => fits(value, name, false)) && optional.every((name) => fits(value, name, true));
}

/** The longest delay of a timer, in milliseconds: `setTimeout` fires at once for a longer one. */
export const longestTimerMs = 2 ** 31 - 1;

const moneyRule = 'must be a finite number that is not negative';

/** A price, or a part of an amount. */
export const money = z.number(missingOr(moneyRule)).refine((value) => value >= 0, moneyRule);
