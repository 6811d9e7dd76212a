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

const moneyRule = 'must be a finite number that is not negative';

/** A price, or a part of an amount. */
export const money = z.number(missingOr(moneyRule)).refine((value) => value >= 0, moneyRule);
