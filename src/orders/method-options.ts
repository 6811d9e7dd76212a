import * as z from 'zod/mini';
import type { AdditionalFields } from '../protocol/additional-fields.js';
import { parseLink } from '../protocol/urls.js';
import { callback, identifier, positiveInteger, text } from '../validation/rules.js';
import { reviewLanguages } from './review-texts.js';
import type { InTransaction } from './types.js';

// The rules for the options of each method of OrderPayments.

const mustBeObject = 'must be an object';
const inTransaction = { query: z.optional(callback<NonNullable<InTransaction['query']>>()) };
const inAccount = { account: z.optional(identifier) };
const byStaff = {
  by: z.optional(
    text.check(z.minLength(1, 'must not be empty'), z.maxLength(100, 'must have 100 characters at most')),
  ),
};
const startFields = { ...inAccount, additionalFields: z.optional(z.custom<AdditionalFields>()) };
export const accountRules = z.strictObject(inAccount, mustBeObject);
export const accountQueryRules = z.strictObject({ ...inAccount, ...inTransaction }, mustBeObject);
export const cancelRules = z.strictObject({ ...inAccount, ...inTransaction, ...byStaff }, mustBeObject);
export const staffRules = z.strictObject({ ...inTransaction, ...byStaff }, mustBeObject);
export const startRules = z.strictObject(startFields, mustBeObject);
export const addRules = z.strictObject({ ...startFields, ...inTransaction }, mustBeObject);
const paymentLink = text.check(
  z.refine(
    (url) => parseLink(url) !== undefined,
    'must be the URL of a payment page, such as https://pay.example/1',
  ),
);
export const concludeRules = z.strictObject(
  { paymentUrl: z.optional(paymentLink), ...inTransaction, ...byStaff },
  mustBeObject,
);
export const reviewRules = z.strictObject(
  { ...inAccount, lang: z._default(z.enum(reviewLanguages, "must be 'en' or 'vi'"), 'en') },
  mustBeObject,
);
export const sweepRules = z.strictObject(
  {
    limit: z._default(positiveInteger, 100),
    concurrency: z._default(positiveInteger, 10),
    budgetMs: z._default(positiveInteger, 50_000),
  },
  mustBeObject,
);
const validTime = z.date('must be a valid Date');
export const listRules = z.strictObject({ changedSince: validTime }, 'must be { changedSince: a Date }');
export const restoreRules = z.strictObject({ since: validTime });
