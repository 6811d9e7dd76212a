import * as z from 'zod';
import { checkOptions } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/errors.js';
import {
  aFunction,
  expected,
  identifier,
  money,
  moneyRule,
  object,
  trueOrFalse,
} from '../protocol/field-rules.js';
import { pathText } from '../protocol/issues.js';
import { httpUrlRule, isHttpUrl, parseUrl } from '../protocol/urls.js';
import { wireSwitchesSchema } from '../protocol/wire-switches.js';
import { DEMO_MERCHANT } from './service/merchants.js';
import type { MockOptions } from './types.js';
import type { MockLenderOptions } from './common/lender-options.js';
import { plainWorld, type World } from './worlds/dimensions.js';
import { resolveWorld } from './worlds/resolve-world.js';
import { webhookTemplate } from './webhooks/webhook-template.js';
import type { MockWebhookOptions } from './webhooks/webhook-types.js';

const limit = z.int('must be an integer greater than 0').min(1, 'must be an integer greater than 0');

const amount = z.union([money, z.literal(Infinity)], moneyRule);

const merchantSchema = z.strictObject(
  {
    clientId: identifier,
    secretKey: z.union(
      [identifier, z.array(identifier).min(1, 'must have at least one key').readonly()],
      expected('must be a string, or a list of strings'),
    ),
    merchantId: identifier,
    storeIds: z.array(identifier, 'must be an array of store IDs').readonly().optional(),
    minAmount: amount.optional(),
    maxAmount: amount.optional(),
    active: trueOrFalse.optional(),
  },
  object('{ clientId, secretKey, merchantId }'),
);

const httpUrl = z.string(expected(httpUrlRule)).refine((text) => isHttpUrl(parseUrl(text)), httpUrlRule);

const hostRule = 'must be a host name without a port, such as mock or mock.test';

const world = z.unknown().transform((option, context): World => {
  try {
    return resolveWorld(option);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const [, ...path] = error.option.split('.');
    context.addIssue({ code: 'custom', path, message: error.message.slice(error.option.length + 1) });
    return z.NEVER;
  }
});

const schema = z.strictObject(
  {
    merchants: z.array(merchantSchema, 'must be an array of merchants').default([DEMO_MERCHANT]),
    now: aFunction<NonNullable<MockOptions['now']>>().optional(),
    delay: aFunction<NonNullable<MockOptions['delay']>>().optional(),
    journalLimit: limit.default(500),
    paymentLimit: limit.default(5000),
    lender: z
      .strictObject(
        {
          applicationIdField: identifier.optional(),
          authenticate: aFunction<NonNullable<MockLenderOptions['authenticate']>>().optional(),
        },
        object(),
      )
      .default({}),
    wire: wireSwitchesSchema,
    world: world.default(plainWorld),
    uploads: z.enum(['paid', 'any'], "must be 'paid' or 'any'").default('paid'),
    publicUrl: httpUrl
      .refine((text) => !/[?#]/.test(text), 'must not have a query or a fragment')
      .transform((text) => new URL(text).href.replace(/\/+$/, ''))
      .optional(),
    allowedHosts: z
      .array(z.string(hostRule).regex(/^[\w.-]+$/, hostRule), 'must be an array of host names')
      .default([]),
    webhook: z
      .strictObject(
        {
          url: httpUrl,
          body: aFunction<NonNullable<MockWebhookOptions['body']>>().optional(),
          template: webhookTemplate.optional(),
          secretKey: identifier.optional(),
        },
        object('{ url }'),
      )
      .refine(({ body, template }) => body === undefined || template?.body === undefined, {
        path: ['body'],
        message: 'cannot be combined with template.body',
      })
      .optional(),
  },
  object(),
);

/**
 * Checks options, which may come from a JSON file.
 *
 * @throws ConfigurationError that names every wrong one, and quotes no value.
 */
export function parseMockOptions(options: unknown): z.output<typeof schema> {
  return checkOptions(schema, options, pathText);
}

/** Options from a file, as they were given. @throws ConfigurationError as {@link parseMockOptions} does */
export function checkMockOptions(options: unknown): MockOptions {
  parseMockOptions(options);
  return options as MockOptions;
}
