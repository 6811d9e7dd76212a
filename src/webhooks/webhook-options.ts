import type { KeyObject } from 'node:crypto';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as z from 'zod/mini';
import { ConfigurationError } from '../errors/errors.js';
import type { Logger } from '../http/observer.js';
import { commonRules } from '../options/common-options.js';
import { fromEnvironment, missingFor } from '../options/environment.js';
import { checkSecretKeys, usableKeys, type SecretKeyEncoding } from '../validation/secret-key.js';
import { callback, positiveInteger, boolean } from '../validation/rules.js';
import { isHeaderName } from '../protocol/headers.js';
import type { SignatureEncoding } from '../protocol/signature.js';
import { signingSwitches } from '../protocol/wire-switches.js';
import { hasMethods, readProperty } from '../values/untrusted-values.js';

/** A webhook as it arrived. In `onEvent` its body is verified, and nothing else: a header proves nothing. */
export interface WebhookRequest {
  /** The bytes of the body. */
  readonly body: Uint8Array;
  /** The headers. */
  readonly headers: Headers;
  /** The address: path and query under `node:http`, all of it with fetch. `new URL(url, 'http://shop')` reads both. */
  readonly url: string;
}

/** The keys that a function finds for a request: one, several or none. */
type FoundKeys = string | readonly string[] | null | undefined;

/** Options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Event = unknown> {
  /**
   * The merchant's secret key; while keys are rotated, both. For many merchants in one process: a function that finds
   * the keys of a request. If it finds none the response is 401; if it throws, 500.
   * @default INSTALLMENT_SECRET_KEY, read for each webhook; without it the response is 500
   */
  readonly secretKey?:
    | string
    | readonly string[]
    | ((request: Omit<WebhookRequest, 'body'>) => FoundKeys | Promise<FoundKeys>)
    | undefined;
  /**
   * Replaces the assumed signature: by a token, or another scheme. Only `true` lets a webhook in, anything else gets
   * 401. If it throws, the response is 500. It cannot be combined with `secretKey`.
   */
  readonly verify?: ((request: WebhookRequest) => boolean | Promise<boolean>) | undefined;
  /**
   * Handles a verified event, which may arrive several times, and at the same time. The response is 204 once it resolves,
   * and 500 if it rejects, which asks for a retry; whether the service retries is not documented. Return
   * `{ status = 200, body }` for another acknowledgement: text is sent as it is, any other body as JSON; the status is
   * 200 to 599. An object with another key is ignored, like any other value.
   */
  readonly onEvent: (event: NoInfer<Event>, request: WebhookRequest) => unknown;
  /** The shape of the event as a Standard Schema, such as one of zod or valibot. @default none: the event is `unknown` */
  readonly schema?: StandardSchemaV1<unknown, Event> | undefined;
  /** The header with the signature. @default 'Signature' */
  readonly signatureHeader?: string | undefined;
  /** How the signature is written. Hex is read in either case of letters. @default 'hex' */
  readonly signatureEncoding?: SignatureEncoding | undefined;
  /** How the secret keys are written, as the client's `wire.secretKeyEncoding`. @default 'utf8' */
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  /** The largest body that is read, in bytes. @default 1048576 */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Receives the `WebhookError` of each refusal, and what your functions throw. Its own errors are ignored.
   * @default `console.error` gets the errors behind a response of 500. `console.warn` gets a line for each other refusal,
   * unless `logger` or `INSTALLMENT_LOG` is set: its code and message, without body and signature
   */
  readonly onError?: ((error: unknown) => void | Promise<void>) | undefined;
  /**
   * Receives the log: at `debug` what was accepted, at `warn` and `error` the code of a refusal. No record has the event.
   * @default none, or standard error at the level in the environment's `INSTALLMENT_LOG`
   */
  readonly logger?: Logger | undefined;
  /** Whether the record of an accepted event has its `referenceId`, if it has one. @default false */
  readonly includeReference?: boolean | undefined;
}

const keyRule = 'must be a string, or a list of strings';

/** One key or several that were given. @throws ConfigurationError unless each can be used */
export function keysOf(given: unknown, encoding: SecretKeyEncoding, source = ''): readonly KeyObject[] {
  const keys = checkSecretKeys(given, encoding, keyRule);
  if (keys.ok) return keys.value;
  throw new ConfigurationError('secretKey', source + keys.problem);
}

/** The keys that a function has found. None is a response, an empty one is a mistake. */
export function foundKeys(found: unknown, encoding: SecretKeyEncoding): readonly KeyObject[] {
  return [found ?? []].flat().length === 0 ? [] : keysOf(found, encoding);
}

/** The key of the environment. It is read for each webhook: a build may load the handler without it. */
export function environmentKeys(encoding: SecretKeyEncoding): readonly KeyObject[] {
  const variable = 'INSTALLMENT_SECRET_KEY';
  const key = fromEnvironment(variable);
  if (key === undefined) throw new ConfigurationError('secretKey', missingFor(variable));
  return keysOf(key, encoding, `from ${variable} `);
}

const headerRule = 'must be a header name';
const schema = z.custom<StandardSchemaV1>(
  (value) => hasMethods(readProperty(value, '~standard'), ['validate']),
  'must be a Standard Schema, such as one of zod or valibot',
);

// `usableKeys` checks them.
const keys = z.optional(z.custom<string | readonly string[]>());

export const verifyOptions = z
  .strictObject({ ...signingSwitches, secretKey: keys }, 'must be an object')
  .check(usableKeys((options) => options, keyRule));

export const handlerOptions = z
  .strictObject({
    ...signingSwitches,
    secretKey: z.union([callback<(request: unknown) => unknown>(), keys]),
    verify: z.optional(callback<NonNullable<WebhookHandlerOptions['verify']>>()),
    onEvent: callback<WebhookHandlerOptions['onEvent']>(),
    schema: z.optional(schema),
    signatureHeader: z._default(z.string(headerRule).check(z.refine(isHeaderName, headerRule)), 'Signature'),
    maxBodyBytes: z._default(positiveInteger, 1024 * 1024),
    onError: z.optional(callback<NonNullable<WebhookHandlerOptions['onError']>>()),
    logger: commonRules.logger,
    includeReference: z._default(boolean, false),
  })
  .check(
    usableKeys((options) => options, keyRule),
    z.refine(({ secretKey, verify }) => secretKey === undefined || verify === undefined, {
      path: ['verify'],
      message: 'cannot be combined with secretKey',
    }),
  );

export type ResolvedHandlerOptions = z.output<typeof handlerOptions>;
