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

/** A webhook. When `onEvent` runs, only the body has been verified: do not trust the headers or the URL. */
export interface WebhookRequest {
  /** The bytes of the body. */
  readonly body: Uint8Array;
  /** The headers. */
  readonly headers: Headers;
  /** The path and query with `node:http`, the whole URL with fetch. `new URL(url, 'http://shop')` parses both. */
  readonly url: string;
}

/** The keys that a function returns for a request: one, several or none. */
type FoundKeys = string | readonly string[] | null | undefined;

/** Options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Event = unknown> {
  /**
   * The merchant's secret key, or both keys while keys are rotated. For many merchants in one process: a function that
   * returns the keys for a request. If the function returns no key, the response is 401; if it throws, 500.
   * @default the environment variable `INSTALLMENT_SECRET_KEY`, read for each webhook; without it, the response is 500
   */
  readonly secretKey?:
    | string
    | readonly string[]
    | ((request: Omit<WebhookRequest, 'body'>) => FoundKeys | Promise<FoundKeys>)
    | undefined;
  /**
   * Replaces the assumed signature, for a token or another scheme. The webhook is accepted only if `verify` returns
   * `true`; for anything else, the response is 401. If `verify` throws, the response is 500. `verify` cannot be
   * combined with `secretKey`.
   */
  readonly verify?: ((request: WebhookRequest) => boolean | Promise<boolean>) | undefined;
  /**
   * Handles a verified event. An event can arrive several times, even at the same time. The response is 204 after the
   * promise of `onEvent` resolves, and 500 if it rejects, so that the service can send the event again. Whether the
   * service does so is not documented. To respond differently, return `{ status, body }`. The status is 200 to 599
   * (default 200). A `body` that is text is sent unchanged, and any other `body` as JSON. If you return anything else,
   * such as an object with other keys, the return value is ignored, and the response is 204.
   */
  readonly onEvent: (event: NoInfer<Event>, request: WebhookRequest) => unknown;
  /** The Standard Schema of the event, such as a schema of zod or valibot. @default none: the event is `unknown` */
  readonly schema?: StandardSchemaV1<unknown, Event> | undefined;
  /** The name of the header with the signature. @default 'Signature' */
  readonly signatureHeader?: string | undefined;
  /** The encoding of the signature. Hex is accepted in upper and lower case. @default 'hex' */
  readonly signatureEncoding?: SignatureEncoding | undefined;
  /** The encoding of the secret keys, the same as the client's `wire.secretKeyEncoding`. @default 'utf8' */
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  /** The maximum size of a body in bytes. @default 1048576 */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Receives the `WebhookError` of each refusal, the errors that your functions throw, and the `ConfigurationError` for
   * a secret key that is missing or invalid. If `onError` itself fails, its error is ignored.
   * @default `console.error` receives each error that causes a response of 500, and `console.warn` receives a line for
   * each other refusal, with its code and message but without body and signature. If `logger` or `INSTALLMENT_LOG` is
   * set, nothing goes to `console.warn`
   */
  readonly onError?: ((error: unknown) => void | Promise<void>) | undefined;
  /**
   * The logger. Handled events are logged at `debug`, the codes of refusals at `warn` and `error`. No record contains
   * the event.
   * @default none, or standard error with the level of the environment variable `INSTALLMENT_LOG`
   */
  readonly logger?: Logger | undefined;
  /** Whether the record of a handled event contains its `referenceId`. @default false */
  readonly includeReference?: boolean | undefined;
}

const keyRule = 'must be a string, or a list of strings';
const keyOrFunctionRule = 'must be a string, a list of strings, or a function that returns either';

/** Checks a key or several keys. @throws ConfigurationError unless every key can be used */
export function checkedKeys(given: unknown, encoding: SecretKeyEncoding, source = ''): readonly KeyObject[] {
  const keys = checkSecretKeys(given, encoding, keyRule);
  if (keys.ok) return keys.value;
  throw new ConfigurationError('secretKey', source + keys.problem);
}

/** Checks the keys that a function returned. A result without keys is valid, but an empty key is a mistake. */
export function keysFromFunction(found: unknown, encoding: SecretKeyEncoding): readonly KeyObject[] {
  return [found ?? []].flat().length === 0 ? [] : checkedKeys(found, encoding);
}

/**
 * The key of the environment. The variable is read for each webhook, because a build can load the handler without the
 * variable.
 */
export function environmentKeys(encoding: SecretKeyEncoding): readonly KeyObject[] {
  const variable = 'INSTALLMENT_SECRET_KEY';
  const key = fromEnvironment(variable);
  if (key === undefined) throw new ConfigurationError('secretKey', missingFor(variable));
  return checkedKeys(key, encoding, `from ${variable} `);
}

const headerRule = 'must be a header name';
const schema = z.custom<StandardSchemaV1>(
  (value) => hasMethods(readProperty(value, '~standard'), ['validate']),
  'must be a Standard Schema, such as a schema of zod or valibot',
);

// The keys are checked by `usableKeys`.
const keys = z.optional(z.custom<string | readonly string[]>());

export const verifyOptionRules = z
  .strictObject({ ...signingSwitches, secretKey: keys }, 'must be an object')
  .check(usableKeys((options) => options, keyRule));

export const handlerOptionRules = z
  .strictObject(
    {
      ...signingSwitches,
      secretKey: z.union([callback<(request: unknown) => unknown>(), keys]),
      verify: z.optional(callback<NonNullable<WebhookHandlerOptions['verify']>>()),
      onEvent: callback<WebhookHandlerOptions['onEvent']>(),
      schema: z.optional(schema),
      signatureHeader: z._default(
        z.string(headerRule).check(z.refine(isHeaderName, headerRule)),
        'Signature',
      ),
      maxBodyBytes: z._default(positiveInteger, 1024 * 1024),
      onError: z.optional(callback<NonNullable<WebhookHandlerOptions['onError']>>()),
      logger: commonRules.logger,
      includeReference: z._default(boolean, false),
    },
    'must be an object',
  )
  .check(
    usableKeys((options) => options, keyOrFunctionRule),
    z.refine(({ secretKey, verify }) => secretKey === undefined || verify === undefined, {
      path: ['verify'],
      message: 'cannot be combined with secretKey',
    }),
  );

export type ResolvedHandlerOptions = z.output<typeof handlerOptionRules>;
