import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/errors.js';
import {
  callback,
  ruleError,
  identifier,
  objectError,
  oneOf,
  boolean,
  positiveInteger,
} from '../validation/rules.js';
import { money, moneyRule } from '../protocol/field-rules.js';
import { httpUrlRule, isHttpUrl, parseUrl } from '../protocol/urls.js';
import { wireSwitchesSchema } from '../protocol/wire-switches.js';
import { secretKeyProblem } from '../validation/secret-key.js';
import { defaultKeptBytes } from './state/kept-bytes.js';
import { demoMerchant } from './service/merchants.js';
import type { MockOptions } from './mock-types.js';
import { lenderReversals, type MockLenderOptions } from './state/mock-lender-options.js';
import { resolveScenario, type ScenarioOption } from './scenarios/resolve-scenario.js';
import { webhookTemplate } from './webhooks/webhook-template.js';
import type { MockWebhookOptions } from './webhooks/webhook-types.js';

const amount = z.union([money, z.literal(Infinity)], moneyRule);

const merchantSchema = z.strictObject(
  {
    clientId: identifier,
    secretKey: z.union(
      [identifier, z.readonly(z.array(identifier).check(z.minLength(1, 'must contain at least one key')))],
      ruleError('must be a string, or a list of strings'),
    ),
    merchantId: identifier,
    storeIds: z.optional(z.readonly(z.array(identifier, 'must be an array of store IDs'))),
    minAmount: z.optional(amount),
    maxAmount: z.optional(amount),
    active: z.optional(boolean),
  },
  objectError('{ clientId, secretKey, merchantId }'),
);

const httpUrl = z
  .string(ruleError(httpUrlRule))
  .check(z.refine((text) => isHttpUrl(parseUrl(text)), httpUrlRule));

const hostRule = 'must be a host name without a port, such as mock or mock.test';

const schema = z.strictObject(
  {
    merchants: z.optional(z.array(merchantSchema, 'must be an array of merchants')),
    now: z.optional(callback<NonNullable<MockOptions['now']>>()),
    delay: z.optional(callback<NonNullable<MockOptions['delay']>>()),
    journalLimit: z._default(positiveInteger, 500),
    paymentLimit: z._default(positiveInteger, 5000),
    keptBytesLimit: z._default(positiveInteger, defaultKeptBytes),
    lender: z._default(
      z.strictObject(
        {
          applicationIdField: z.optional(identifier),
          authenticate: z.optional(callback<NonNullable<MockLenderOptions['authenticate']>>()),
          reversals: z._default(oneOf(lenderReversals), 'same-code'),
        },
        objectError(),
      ),
      { reversals: 'same-code' },
    ),
    wire: wireSwitchesSchema,
    // `resolveScenario` checks this option.
    scenario: z.optional(z.custom<ScenarioOption>()),
    uploads: z._default(oneOf(['paid', 'any']), 'paid'),
    publicUrl: z.optional(
      z.pipe(
        httpUrl.check(z.refine((text) => !/[?#]/.test(text), 'must not have a query or a fragment')),
        z.transform((text) => new URL(text).href.replace(/\/+$/, '')),
      ),
    ),
    allowedHosts: z._default(
      z.array(z.string(hostRule).check(z.regex(/^[\w.-]+$/, hostRule)), 'must be an array of host names'),
      [],
    ),
    webhook: z.optional(
      z
        .strictObject(
          {
            url: httpUrl,
            body: z.optional(callback<NonNullable<MockWebhookOptions['body']>>()),
            template: z.optional(webhookTemplate),
            secretKey: z.optional(identifier),
          },
          objectError('{ url }'),
        )
        .check(
          z.refine(({ body, template }) => body === undefined || template?.body === undefined, {
            path: ['body'],
            message: 'cannot be combined with template.body',
          }),
        ),
    ),
  },
  objectError(),
);

/**
 * Checks options, which can come from a JSON file.
 *
 * @throws ConfigurationError that names every wrong option and quotes no value.
 */
export function parseMockOptions(options: unknown) {
  const { scenario, ...checked } = checkOptions(schema, options);
  const { webhook, wire } = checked;
  const merchants = checked.merchants ?? [demoMerchant(wire.secretKeyEncoding)];
  const keys = merchants.map(({ secretKey }, index) => [`merchants[${index}].secretKey`, secretKey] as const);
  for (const [option, secretKey = []] of [...keys, ['webhook.secretKey', webhook?.secretKey] as const]) {
    for (const key of [secretKey].flat()) {
      const problem = secretKeyProblem(key, wire.secretKeyEncoding);
      if (problem !== undefined) throw new ConfigurationError(option, problem);
    }
  }
  return { ...checked, merchants, scenario: resolveScenario(scenario) };
}
