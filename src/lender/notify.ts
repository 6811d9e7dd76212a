import { randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import type { CallSubject, WithMetadata } from '../errors/call-metadata.js';
import { withoutAttempts } from '../errors/make-error.js';
import { UnusableResultError } from '../http/failures.js';
import type { Call, WorkRunner } from '../http/call.js';
import { timeNow } from '../http/call-state.js';
import { userAgent } from '../http/runtime.js';
import type { Shared } from '../http/shared-resources.js';
import type { CallOptions, PostOptions } from '../options/call-options.js';
import { makeCall, withCallHeaders, type OperationParts } from '../operations/make-call.js';
import {
  allOrThrow,
  isRepeat,
  parseCallOptions,
  parseRequest,
  requireFields,
} from '../operations/parse-input.js';
import { parsePost, type PostResponse } from '../operations/post.js';
import {
  additionalFieldsHint,
  withAdditionalFields,
  type AdditionalFields,
} from '../protocol/additional-fields.js';
import { endpoints } from '../protocol/endpoints.js';
import { writeHeaders } from '../protocol/headers.js';
import {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../protocol/lender-schemas.js';
import type { CheckedPaymentReceipt, CheckedRepaymentAllocation } from '../protocol/lender-types.js';
import { readProperty } from '../values/untrusted-values.js';
import { judgeAcknowledgement, type AcknowledgementContent } from './acknowledgement.js';
import {
  lenderHeadersProblem,
  lenderPostOptionRules,
  type NotificationContext,
  type NotificationOptions,
  type ResolvedLenderOptions,
} from './lender-options.js';

/** The response to a notification, and `$metadata`, which is not enumerable. */
export type Acknowledgement = AcknowledgementContent & WithMetadata;

export type LenderContext = ResolvedLenderOptions & {
  readonly shared: Shared;
};

type CheckedNotification = CheckedPaymentReceipt | CheckedRepaymentAllocation;

type NotificationName = Exclude<NotificationContext['operation'], 'post'>;

const schemas: Readonly<Record<NotificationName, z.ZodMiniType<CheckedNotification>>> = {
  paymentReceipt: paymentReceiptNotificationSchema,
  repaymentAllocation: repaymentAllocationNotificationSchema,
};

function subjectOf(operation: NotificationName, notification: unknown) {
  const requestId = readProperty(notification, 'requestId');
  const lenderTransactionCode = readProperty(notification, 'lenderTransactionCode');
  return {
    operation,
    ...(typeof requestId === 'string' && { requestId }),
    ...(typeof lenderTransactionCode === 'string' && { lenderTransactionCode }),
  };
}

/** The bytes of the body, in which the masked field has its real name. */
function serialise(
  { requestId, serviceApplicationId, ...others }: CheckedNotification,
  applicationIdField: string,
  additionalFields?: AdditionalFields,
): Uint8Array {
  const body = { requestId, [applicationIdField]: serviceApplicationId, ...others };
  return Buffer.from(JSON.stringify(withAdditionalFields(body, additionalFields)));
}

/** The headers that lender and service agreed on. A function is called once per call, with a copy of the bytes. */
async function agreedHeaders(
  { headers }: LenderContext,
  context: NotificationContext,
  runner: WorkRunner,
): Promise<Readonly<Record<string, string>>> {
  if (typeof headers !== 'function') return headers;
  return runner.callFunction('headers', async () => {
    const returned = await headers({ ...context, body: new Uint8Array(context.body) });
    const problem = lenderHeadersProblem(returned);
    if (problem !== undefined) throw new UnusableResultError('headers', problem);
    return { ...returned };
  });
}

interface LenderParts<T> extends OperationParts<T> {
  readonly subject: CallSubject & Pick<NotificationContext, 'operation'>;
  readonly body: Uint8Array;
}

/** Makes a lender's call, with the headers that lender and service agreed on. */
function makeLenderCall<T>(
  { contentType, body, ...parts }: LenderParts<T>,
  options: CallOptions & { readonly headers?: Readonly<Record<string, string>> | undefined },
  lender: LenderContext,
): Call<T> {
  const { operation, requestId, idempotencyKey } = parts.subject;
  const context = { operation, ...(requestId !== undefined && { requestId }), body };
  const request = async (runner: WorkRunner) => {
    const agreed = await agreedHeaders(lender, context, runner);
    const extra = { ...writeHeaders({ userAgent }), ...withCallHeaders(agreed, options.headers) };
    return { headers: writeHeaders({ contentType, idempotencyKey }, extra), body };
  };
  return makeCall(parts, { request }, options, lender);
}

export function prepareNotification(
  operation: NotificationName,
  notification: unknown,
  options: NotificationOptions,
  lender: LenderContext,
): Call<AcknowledgementContent> {
  const { lenderCode, serviceApplicationId, applicationIdField, shared, acknowledged } = lender;
  const schema = schemas[operation];
  const givenSubject = subjectOf(operation, notification);
  const common = {
    serviceApplicationId,
    lenderCode,
    requestId: randomUUID(),
    requestingDatetime: timeNow(shared.runtime, withoutAttempts(givenSubject, isRepeat(options))),
  };
  const [checked, callOptions] = allOrThrow(
    givenSubject,
    options,
    parseRequest(schema, notification, common, additionalFieldsHint),
    parseCallOptions(lender.notificationOptions[operation], options),
    requireFields(notification, common),
  );
  return makeLenderCall(
    {
      ...endpoints[operation],
      subject: subjectOf(operation, checked),
      body: serialise(checked, applicationIdField, callOptions.additionalFields),
      judge: (response) => judgeAcknowledgement(response, acknowledged),
    },
    callOptions,
    lender,
  );
}

/** Prepares the unsigned call of a notification that this package does not support yet. */
export function prepareLenderPost(
  path: string,
  body: unknown,
  options: PostOptions,
  lender: LenderContext,
): Call<PostResponse> {
  const { parts, callOptions } = parsePost(path, body, options, lender.baseUrl, lenderPostOptionRules);
  return makeLenderCall(parts, callOptions, lender);
}
