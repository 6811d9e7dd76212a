import * as z from 'zod/mini';
import {
  edgeProblem,
  numberError,
  patterned,
  text,
  transformed,
  wrongKind,
  type Advice,
} from '../validation/rules.js';
import { maxReferenceLength } from './limits.js';
import { isTimestamp, isWireInstant, type TimestampForm } from './timestamps.js';

/** An ID that was issued to the merchant: for its account, a store or a platform. */
export const issuedId = text.check(
  z.superRefine((value, context) => {
    const message = edgeProblem(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
);

const referenceIdShape = new RegExp(`^[0-9a-zA-Z_:-]{1,${maxReferenceLength}}$`);

export function isReferenceId(value: string): boolean {
  return referenceIdShape.test(value);
}

/** The merchant's `referenceId` of a payment, in both operations. */
export const referenceId = patterned(
  referenceIdShape,
  `must be 1 to ${maxReferenceLength} characters: digits, letters, "_", ":" and "-", such as ORDER:2026-0001`,
);

const notReal = 'is not a real date and time: check the day, the month and the hour';

export function wireTimestamp(form: TimestampForm) {
  const rule = `must be a string in the form ${form.description}`;
  return patterned(form.shape, rule, (value) => isTimestamp(value, form), notReal);
}

export function inputTimestamp(form: TimestampForm, messageOf = wrongKind) {
  const rule = `must be a valid Date, or a string in the form ${form.description}`;
  return transformed(z.custom<Date | string>(), (value, refuse): string => {
    if (isWireInstant(value)) return form.write(value);
    if (typeof value !== 'string') return refuse(messageOf(rule, value));
    if (isTimestamp(value, form)) return value;
    return refuse(form.shape.test(value) ? notReal : rule);
  });
}

export const moneyRule = 'must be a number of VND, 0 or greater';

export function moneyWith(advice: Advice) {
  const error = numberError(moneyRule, advice);
  return z.number(error).check(z.gte(0, error));
}

export const money = moneyWith({});
