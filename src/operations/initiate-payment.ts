import { createHash } from 'node:crypto';
import type { WithMetadata } from '../errors/call-metadata.js';
import { startLimits } from '../http/call-limits.js';
import {
  initiatePaymentOptionRules,
  parseOptions,
  type InitiatePaymentOptions,
} from '../options/call-options.js';
import { add, compare, decimalOf, toNumber } from '../protocol/decimal.js';
import { endpoints } from '../protocol/endpoints.js';
import { paymentOwnStatuses, paymentRequestSchema } from '../protocol/payment-schema.js';
import type { Payment, PaymentRequest, PaymentRequestWire } from '../protocol/payment-types.js';
import { paymentUrlProblem } from '../protocol/urls.js';
import { hmacSha256 } from '../protocol/signature.js';
import { issuesOf, type Parsed } from '../protocol/issues.js';
import { bothOrThrow, parseInput, subjectOf, withDefaults } from './parse-input.js';
import { processResult, type ExpectedResult } from './process-result.js';
import { personalTexts, sendSigned, type MerchantContext } from './send-signed.js';

/** What `initiatePayment` gives back: the service's answer as plain data, and `$metadata`, which is not enumerable. */
export type PaymentResult = Payment & WithMetadata;

function parseRequest(request: unknown, defaults: MerchantContext['defaults']): Parsed<PaymentRequestWire> {
  const complete = withDefaults(request, defaults);
  const result = paymentRequestSchema.safeParse(complete);
  return result.success
    ? { value: result.data }
    : { issues: issuesOf(result.error, complete, paymentOwnStatuses) };
}

/**
 * The key of a request that was given none. It depends on the client and the exact body alone, so the same request
 * from another process, or after a crash, carries the same key. A client ID cannot contain NUL, so no two pairs give
 * the same text.
 */
export function deriveIdempotencyKey(clientId: string, body: Uint8Array): string {
  return createHash('sha256').update(`${clientId}\0`).update(body).digest('hex');
}

/** An approved payment has a URL to send the customer to. */
const readPayment: ExpectedResult<Payment>['read'] = (approved) => {
  const problem = paymentUrlProblem(approved);
  return problem === undefined ? { value: approved as Record<string, unknown> & Payment } : { problem };
};

/** parse -> freeze -> send -> process the response (specification: Initiate transaction). */
export async function initiatePayment(
  request: PaymentRequest,
  options: InitiatePaymentOptions,
  merchant: MerchantContext,
): Promise<PaymentResult> {
  const operation = 'initiatePayment';
  const [wire, callOptions] = bothOrThrow(
    parseInput(() => parseRequest(request, merchant.defaults)),
    parseInput(() => parseOptions(initiatePaymentOptionRules, options), ['options']),
    subjectOf(operation, request),
  );
  const limits = startLimits(callOptions, merchant.limits, merchant.shared.runtime);
  const body = Buffer.from(JSON.stringify(wire));
  const { idempotencyKey = deriveIdempotencyKey(merchant.clientId, body), mayHaveBeenSent = false } =
    callOptions;
  const { referenceId } = wire;
  const subject = Object.freeze({ operation, referenceId, idempotencyKey });
  const itemsTotal = wire.items.map(({ totalAmount }) => decimalOf(totalAmount)).reduce(add);
  if (compare(itemsTotal, decimalOf(wire.amount.value)) !== 0) {
    merchant.shared.observer.warned(
      'amount.value differs from the sum of items[].totalAmount; the specification does not say that they are equal',
      { ...subject, amount: wire.amount.value, itemsTotal: toNumber(itemsTotal) },
    );
  }
  return sendSigned(
    {
      ...endpoints[operation],
      subject,
      policy: 'idempotent',
      body,
      signature: hmacSha256(body, merchant.secretKey, merchant.signatureEncoding),
      limits,
      processResponse: (response) =>
        processResult(response, { operation, referenceId, mayHaveBeenSent, read: readPayment }),
      personal: () => personalTexts(wire),
    },
    merchant,
  );
}
