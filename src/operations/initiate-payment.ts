import { createHash } from 'node:crypto';
import type { WithMetadata } from '../errors/call-metadata.js';
import type { Call } from '../http/call.js';
import { initiatePaymentOptionRules, type InitiatePaymentOptions } from '../options/call-options.js';
import { add, compare, decimalOf, toNumber } from '../values/decimal.js';
import { endpoints } from '../protocol/endpoints.js';
import { completePaymentRequestSchema } from '../protocol/payment-schema.js';
import type { Payment, PaymentRequest } from '../protocol/payment-types.js';
import { paymentUrlProblem } from '../protocol/urls.js';
import { allOrThrow, parseCallOptions, parseRequest, subjectOf } from './parse-input.js';
import { processResult, type ExpectedResult } from './process-result.js';
import { runCall } from './run-call.js';
import { personalTexts, signedJsonCall, startCall, type MerchantContext } from './signed-call.js';

/** The result of `initiatePayment`: the service's answer as plain data, and `$metadata`, which is not enumerable. */
export type PaymentResult = Payment & WithMetadata;

/**
 * The default key of a request: the same client and exact body give the same key in any process. A client ID cannot
 * contain NUL, so two different pairs never give the same text.
 */
export function deriveIdempotencyKey(clientId: string, body: Uint8Array): string {
  return createHash('sha256').update(`${clientId}\0`).update(body).digest('hex');
}

const read: ExpectedResult<Payment>['read'] = (approved) => {
  const problem = paymentUrlProblem(approved);
  return problem === undefined ? { value: approved as Record<string, unknown> & Payment } : { problem };
};

const operation = 'initiatePayment';

/** parse -> freeze -> send -> process the response (specification: Initiate transaction). */
export function initiatePayment(
  request: PaymentRequest,
  options: InitiatePaymentOptions,
  merchant: MerchantContext,
): Promise<PaymentResult> {
  return runCall(operation, merchant.shared, () => prepare(request, options, merchant));
}

function prepare(
  request: PaymentRequest,
  options: InitiatePaymentOptions,
  merchant: MerchantContext,
): Call<Payment> {
  const { merchantId, storeId, platformId } = merchant;
  const [wire, callOptions] = allOrThrow(
    subjectOf(operation, request),
    parseRequest(completePaymentRequestSchema, request, { merchantId, storeId, platformId }),
    parseCallOptions(initiatePaymentOptionRules, options),
  );
  const body = Buffer.from(JSON.stringify(wire));
  const { idempotencyKey = deriveIdempotencyKey(merchant.clientId, body), mayHaveBeenSent } = callOptions;
  const { referenceId } = wire;
  const subject = { operation, referenceId, idempotencyKey } as const;
  const call = startCall(merchant, { subject, ...endpoints[operation] }, callOptions, () =>
    personalTexts(wire),
  );
  // Not a warning: a shop that charges shipping has such orders every day.
  merchant.shared.observer.detail(
    'amount.value differs from the sum of items[].totalAmount; the specification does not say that they are equal',
    () => {
      const itemsTotal = wire.items.map(({ totalAmount }) => decimalOf(totalAmount)).reduce(add);
      const differs = compare(itemsTotal, decimalOf(wire.amount.value)) !== 0;
      return differs
        ? { ...subject, amount: wire.amount.value, itemsTotal: toNumber(itemsTotal) }
        : undefined;
    },
  );
  return signedJsonCall(merchant, call, body, (response) =>
    processResult(response, { operation, referenceId, merchantId: wire.merchantId, mayHaveBeenSent, read }),
  );
}
