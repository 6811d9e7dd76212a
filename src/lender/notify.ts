import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { CallSubject, WithMetadata } from '../errors/call-metadata.js';
import { credentialsIn, textsOf } from '../errors/redact.js';
import { askCaller } from '../http/ask-caller.js';
import { timedCall, type Call, type TimedCall } from '../http/call.js';
import type { Shared } from '../http/shared-resources.js';
import { callOptionRules, type CallOptions } from '../options/call-options.js';
import { allOrThrow, parseCallOptions, parseRequest, withDefaults } from '../operations/parse-input.js';
import { runCall } from '../operations/run-call.js';
import { endpoints } from '../protocol/endpoints.js';
import { writeHeaders } from '../protocol/headers.js';
import {
  completePaymentReceiptSchema,
  completeRepaymentAllocationSchema,
} from '../protocol/lender-schemas.js';
import type { PaymentReceiptWire, RepaymentAllocationWire } from '../protocol/lender-types.js';
import { readProperty, valueOf } from '../values/untrusted-values.js';
import { userAgent } from '../http/runtime.js';
import { processAcknowledgement, type AcknowledgementContent } from './acknowledgement.js';
import {
  lenderHeadersProblem,
  type NotificationContext,
  type ResolvedLenderOptions,
} from './lender-options.js';

/** The answer to a notification, and `$metadata`, which is not enumerable. */
export type Acknowledgement = AcknowledgementContent & WithMetadata;

export type Lender = ResolvedLenderOptions & {
  readonly shared: Shared;
};

type Wire = PaymentReceiptWire | RepaymentAllocationWire;

type NotificationName = NotificationContext['operation'];

const schemas: Readonly<Record<NotificationName, z.ZodType<Wire>>> = {
  paymentReceipt: completePaymentReceiptSchema,
  repaymentAllocation: completeRepaymentAllocationSchema,
};

// They describe a customer's loan.
const personalFields = ['contractNumber', 'lenderReferenceId', 'reversalReason'];

function subjectOf(operation: NotificationName, notification: unknown): CallSubject {
  const requestId = readProperty(notification, 'requestId');
  const lenderTransactionCode = readProperty(notification, 'lenderTransactionCode');
  return {
    operation,
    ...(typeof requestId === 'string' && { requestId }),
    ...(typeof lenderTransactionCode === 'string' && { lenderTransactionCode }),
  };
}

/** The body, with the real name of the masked field. */
function serialise({ serviceApplicationId, ...rest }: Wire, applicationIdField: string): Uint8Array {
  const { requestId, ...others } = rest;
  return Buffer.from(JSON.stringify({ requestId, [applicationIdField]: serviceApplicationId, ...others }));
}

/** The headers that were agreed; a function is called once for each call. */
async function agreedHeaders(
  { headers, shared }: Lender,
  context: NotificationContext,
  call: TimedCall,
  personal: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (typeof headers !== 'function') return headers;
  const make = async () => {
    const made = await headers(context);
    const problem = lenderHeadersProblem(made);
    if (problem !== undefined) throw new TypeError(`the result of the headers function ${problem}`);
    return { ...made };
  };
  return askCaller('headers', make, { ...call, sensitive: () => personal }, shared.runtime);
}

/** parse -> freeze -> send -> process the response, as for a merchant's operation. */
export function notify(
  operation: NotificationName,
  notification: unknown,
  options: CallOptions,
  lender: Lender,
): Promise<Acknowledgement> {
  return runCall(operation, lender.shared, () => prepare(operation, notification, options, lender));
}

async function prepare(
  operation: NotificationName,
  notification: unknown,
  options: CallOptions,
  lender: Lender,
): Promise<Call<AcknowledgementContent>> {
  const { lenderCode, serviceApplicationId, applicationIdField, baseUrl, shared } = lender;
  const { path, policy, contentType } = endpoints[operation];
  const schema = schemas[operation];
  const common = {
    lenderCode,
    serviceApplicationId,
    requestId: randomUUID(),
    requestingDatetime: shared.runtime.now(),
  };
  const complete = valueOf(() => withDefaults(schema, notification, common));
  const [wire, callOptions] = allOrThrow(
    subjectOf(operation, complete),
    parseRequest(schema, complete ?? notification, common),
    parseCallOptions(callOptionRules, options),
  );
  const url = new URL(`${baseUrl}${path}`);
  const subject = subjectOf(operation, wire);
  const call = timedCall({ subject, url, policy }, callOptions, lender, shared.runtime);
  const body = serialise(wire, applicationIdField);
  // A copy: a slice of a Buffer is not one.
  const context = { operation, requestId: wire.requestId, body: new Uint8Array(body) };
  const personal = textsOf(personalFields.map((field): unknown => Reflect.get(wire, field)));
  const headers = {
    ...writeHeaders({ userAgent }),
    ...(await agreedHeaders(lender, context, call, personal)),
    ...writeHeaders({ contentType }),
  };
  return {
    ...call,
    request: { url, headers, body },
    processResponse: (response) => processAcknowledgement(response, lender.acknowledged),
    sensitive: () => [...credentialsIn(headers), ...personal],
  };
}
