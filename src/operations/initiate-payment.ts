import { createHash } from 'node:crypto';
import type { WithMetadata } from '../http/call.js';
import { endpoints } from '../protocol/endpoints.js';
import { paymentOwnStatuses, paymentRequestSchema, paymentUrlProblem } from '../protocol/payment.js';
import type { Payment, PaymentRequest, PaymentRequestWire } from '../protocol/payment-types.js';
import { hmacSha256 } from '../protocol/signature.js';
import { issuesOf, type Parsed } from '../protocol/validation.js';
import {
  initiatePaymentOptionRules,
  parseOptions,
  startLimits,
  type InitiatePaymentOptions,
} from '../options/call-options.js';
import { bothOrThrow, parseInput, subjectOf, withDefaults } from './input.js';
import { sendPrepared, type Merchant } from './merchant.js';

/** What `initiatePayment` gives back: the service's answer as plain data, and `$metadata`, which is not enumerable. */
export type PaymentResult = Payment & WithMetadata;

function parseRequest(request: unknown, defaults: Merchant['defaults']): Parsed<PaymentRequestWire> {
  const complete = withDefaults(request, defaults);
  const result = paymentRequestSchema.safeParse(complete);
  return result.success
    ? { value: result.data }
    : { issues: issuesOf(result.error, complete, paymentOwnStatuses) };
}

/**
 * The key of a request that was given none. It depends on the client and the exact body alone, so the same request
 * from another process, or after a crash, carries the same key. NUL stands in no client ID, so no two pairs run together.
 */
export function deriveIdempotencyKey(clientId: string, body: Uint8Array): string {
  return createHash('sha256').update(`${clientId}\0`).update(body).digest('hex');
}

/** True for an answer with a URL to send the customer to. */
function isPayment(body: Record<string, unknown>): body is Record<string, unknown> & Payment {
  return paymentUrlProblem(body) === undefined;
}

/** parse -> freeze -> send -> judge (specification: Initiate transaction). */
export async function initiatePayment(
  request: PaymentRequest,
  options: InitiatePaymentOptions,
  merchant: Merchant,
): Promise<PaymentResult> {
  const operation = 'initiatePayment';
  const [wire, callOptions] = bothOrThrow(
    parseInput(() => parseRequest(request, merchant.defaults)),
    parseInput(() => parseOptions(initiatePaymentOptionRules, options), ['options']),
    subjectOf(operation, request),
  );
  const limits = startLimits(callOptions, merchant.limits, merchant.shared.runtime);
  const body = Buffer.from(JSON.stringify(wire));
  const idempotencyKey = callOptions.idempotencyKey ?? deriveIdempotencyKey(merchant.clientId, body);
  return sendPrepared<Payment>(
    {
      subject: Object.freeze({ operation, referenceId: wire.referenceId, idempotencyKey }),
      policy: 'idempotent',
      contentType: endpoints[operation].contentType,
      body,
      signature: hmacSha256(body, merchant.secretKey, merchant.signatureEncoding),
      limits,
      mayHaveBeenSent: callOptions.mayHaveBeenSent ?? false,
      isResult: isPayment,
    },
    merchant,
    wire,
  );
}
