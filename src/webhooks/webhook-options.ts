import type { KeyObject } from 'node:crypto';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as z from 'zod';
import { checkOptions } from '../errors/check-options.js';
import { secretKeyText } from '../options/secret-key.js';
import { aFunction } from '../protocol/field-rules.js';
import { isHeaderName, knownHeaders } from '../protocol/headers.js';
import { secretKeyObject, type SignatureEncoding } from '../protocol/signature.js';
import { hasMethods, readProperty } from '../values/untrusted-values.js';
import { WebhookError } from './webhook-error.js';

/** Options of {@link verifyWebhook}. */
export interface VerifyWebhookOptions {
  /** The merchant's secret key. While keys are rotated, both: a signature under any of them is accepted. */
  readonly secretKey: string | readonly string[];
  /** How the signature is written. @default 'hex' */
  readonly signatureEncoding?: SignatureEncoding | undefined;
}

/** The address and headers of a request, which are not verified. */
export interface WebhookOrigin {
  /** The headers of the request. Only the body is signed: a header proves nothing. */
  readonly headers: Headers;
  /**
   * The address that was called, as the server has it: path and query under `node:http`, all of it with fetch. Read it
   * with a base, as in `new URL(url, 'http://shop').pathname`. It is not signed either.
   */
  readonly url: string;
}

/** The second argument of `onEvent`. */
export interface WebhookContext extends WebhookOrigin {
  /** The verified bytes of the body. */
  readonly rawBody: Uint8Array;
  /** The verified signature, as received. */
  readonly signature: string;
}

type SecretKeys = VerifyWebhookOptions['secretKey'];

/** Options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Event = unknown> extends Omit<VerifyWebhookOptions, 'secretKey'> {
  /**
   * The merchant's secret key; while keys are rotated, both. For many merchants in one process: a function that returns
   * the keys of a request, found by its `url` or `headers`. Without a key the answer is 401; if it throws, 500.
   */
  readonly secretKey:
    | SecretKeys
    | ((request: WebhookOrigin) => SecretKeys | null | undefined | Promise<SecretKeys | null | undefined>);
  /**
   * Handles a verified event. The delivery is answered with 204 once it resolves, and with 500 when it rejects, which
   * asks for a repeat. Whether the service repeats one is not documented. The same event may arrive several times, and
   * at the same time.
   */
  readonly onEvent: (event: NoInfer<Event>, context: WebhookContext) => void | Promise<void>;
  /** The shape of the event as a Standard Schema, such as one of zod or valibot. @default none: the event is `unknown` */
  readonly schema?: StandardSchemaV1<unknown, Event> | undefined;
  /** The header with the signature. @default 'Signature' */
  readonly signatureHeader?: string | undefined;
  /** The largest body that is read, in bytes. @default 1048576 */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Receives the reason why a delivery was not accepted: a {@link WebhookError} for a refusal, or the error that `onEvent`
   * or `schema` threw. Its own errors are ignored. @default writes errors that were answered with 500 to `console.error`
   */
  readonly onError?: ((error: unknown) => void | Promise<void>) | undefined;
}

const keyList = z
  .array(secretKeyText('must be a string, or a list of strings'))
  .min(1, 'must have at least one key');

function keyObjects(value: unknown, context: z.RefinementCtx): KeyObject[] {
  const isList = Array.isArray(value);
  const keys = keyList.safeParse(isList ? value : [value]);
  if (keys.success) return keys.data.map(secretKeyObject);
  for (const { message, path } of keys.error.issues) {
    context.addIssue({ code: 'custom', message, path: isList ? path : [] });
  }
  return z.NEVER;
}

type FindKeys = (origin: WebhookOrigin) => Promise<readonly KeyObject[]>;

/** Keys that are fixed, or that the caller's function finds. */
function keySource(value: WebhookHandlerOptions['secretKey'], context: z.RefinementCtx): FindKeys {
  if (typeof value === 'function') {
    return async (origin) => {
      const found = (await value(origin)) ?? [];
      // No key is an answer; an empty one is a mistake.
      const isNone = typeof found !== 'string' && found.length === 0;
      return isNone ? [] : checkOptions(verifyOptions, { secretKey: found }).secretKey;
    };
  }
  const keys = keyObjects(value, context);
  return () => Promise.resolve(keys);
}

const sizeRule = 'must be a whole number of bytes greater than 0';

const verifyRules = {
  secretKey: z.custom<SecretKeys>().transform(keyObjects),
  signatureEncoding: z.enum(['hex', 'base64'], "must be 'hex' or 'base64'").default('hex'),
};

export const verifyOptions = z.strictObject(verifyRules, 'must be an object');

export const handlerOptions = z.strictObject(
  {
    ...verifyRules,
    secretKey: z.custom<WebhookHandlerOptions['secretKey']>().transform(keySource),
    onEvent: aFunction<WebhookHandlerOptions['onEvent']>(),
    schema: z
      .custom<StandardSchemaV1>(
        (value) => hasMethods(readProperty(value, '~standard'), ['validate']),
        'must be a Standard Schema, such as one of zod or valibot',
      )
      .optional(),
    signatureHeader: z
      .string('must be a header name')
      .refine(isHeaderName, 'must be a header name')
      .default(knownHeaders.signature.name),
    maxBodyBytes: z
      .int({ error: sizeRule, abort: true })
      .min(1, sizeRule)
      .default(1024 * 1024),
    onError: aFunction<NonNullable<WebhookHandlerOptions['onError']>>().default(() => reportOwnFaults),
  },
  'must be an object',
);

/** Refusals are not written: anybody could fill the log. */
function reportOwnFaults(error: unknown): void {
  if (!(error instanceof WebhookError)) console.error(error);
  // Without the stack, which would bury the message.
  else if (error.status === 500) console.error(`${error.name} ${error.code}: ${error.message}`);
}

/** Options that were checked, with every default in place. */
export type ResolvedHandlerOptions = z.output<typeof handlerOptions>;
