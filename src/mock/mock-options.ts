import * as z from 'zod';
import { ConfigurationError } from '../errors/errors.js';
import { identifier, missingOr, object, unknownField } from '../protocol/field-rules.js';
import { isHeaderName, isTransportHeader } from '../protocol/headers.js';
import { issuesOf, pathText, type ValidationIssue } from '../protocol/issues.js';
import { parseUrl } from '../protocol/urls.js';
import { unknownOption } from '../protocol/unknown-option.js';
import { wireSwitchesSchema } from '../protocol/wire-switches.js';
import { DEMO_MERCHANT } from './service/merchants.js';
import type { MockOptions } from './types.js';
import type { MockLenderOptions } from './service/request-context.js';
import { plainWorld, type World } from './worlds/dimensions.js';
import { resolveWorld } from './worlds/resolve-world.js';
import type { MockWebhookOptions } from './webhooks/webhook-types.js';

function functionOf<T>() {
  return z.custom<T>((value) => typeof value === 'function', 'must be a function').optional();
}

const limit = z.int('must be an integer greater than 0').min(1, 'must be an integer greater than 0');

const amountRule = 'must be a number of VND, 0 or greater';
const amount = z.number(amountRule).min(0, amountRule).or(z.literal(Infinity));

const merchantSchema = z.strictObject(
  {
    clientId: identifier,
    secretKey: identifier.or(z.array(identifier).min(1, 'must have at least one key').readonly()),
    merchantId: identifier,
    storeIds: z.array(identifier, 'must be an array of store IDs').readonly().optional(),
    minAmount: amount.optional(),
    maxAmount: amount.optional(),
    active: z.boolean('must be true or false').optional(),
  },
  object('{ clientId, secretKey, merchantId }'),
);

const httpUrlRule = 'must be an http or https URL without credentials';

/** An http URL as text, which names no user. */
const httpUrl = z.string(missingOr(httpUrlRule)).refine((text) => {
  const url = parseUrl(text);
  return url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}, httpUrlRule);

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
    now: functionOf<NonNullable<MockOptions['now']>>(),
    delay: functionOf<NonNullable<MockOptions['delay']>>(),
    journalLimit: limit.default(500),
    paymentLimit: limit.default(5000),
    notificationLimit: limit.default(100_000),
    lender: z
      .strictObject(
        {
          applicationIdField: identifier.optional(),
          authenticate: functionOf<NonNullable<MockLenderOptions['authenticate']>>(),
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
          body: functionOf<NonNullable<MockWebhookOptions['body']>>(),
          secretKey: identifier.optional(),
          header: z
            .string('must be a string')
            .refine(
              (name) => isHeaderName(name) && !isTransportHeader(name),
              'must be the name of a header, such as Signature',
            )
            .optional(),
        },
        object('{ url }'),
      )
      .optional(),
  },
  object(),
);

/** Options with every default in place but those that are functions. */
type ResolvedMockOptions = z.output<typeof schema>;

/**
 * Checks options, which may come from a JSON file.
 *
 * @throws ConfigurationError that names every wrong one, and quotes no value.
 */
export function parseMockOptions(options: unknown): ResolvedMockOptions {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const problemOf = ({ message, path }: ValidationIssue) =>
    message === unknownField ? `is an ${unknownOption(schema, path)}` : message;
  const [first, ...others] = issuesOf(parsed.error, options);
  if (!first) throw new ConfigurationError('options', 'must be an object');
  const more = others.map((issue) => `; ${pathText(issue.path)} ${problemOf(issue)}`);
  throw new ConfigurationError(pathText(first.path) || 'options', problemOf(first) + more.join(''));
}

/** Options from a file, as they were given. @throws ConfigurationError as {@link parseMockOptions} does */
export function checkMockOptions(options: unknown): MockOptions {
  parseMockOptions(options);
  return options as MockOptions;
}
