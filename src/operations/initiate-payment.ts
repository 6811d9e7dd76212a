import { createHash } from 'node:crypto';
import type { WithMetadata } from '../errors/call-metadata.js';
import type { Call } from '../http/call.js';
import { initiatePaymentOptionRules, type InitiatePaymentOptions } from '../options/call-options.js';
import { additionalFieldsHint, withAdditionalFields } from '../protocol/additional-fields.js';
import { endpoints } from '../protocol/endpoints.js';
import { expiryWarning, amountUnitWarning } from '../protocol/payment-warnings.js';
import { paymentRequestSchema } from '../protocol/payment-schema.js';
import type { Payment, PaymentRequest } from '../protocol/payment-types.js';
import { paymentUrlProblem } from '../protocol/urls.js';
import { allOrThrow, parseCallOptions, parseRequest, requireFields, subjectOf } from './parse-input.js';
import { judgeResult } from './judge-result.js';
import { makeSignedCall, type MerchantContext } from './make-call.js';

/** The result of `initiatePayment`: the service's response as plain data, and `$metadata`, which is not enumerable. */
export type PaymentResult = Payment & WithMetadata;

/**
 * Derives the default idempotency key of a request: the same client ID and body give the same key in any process. The
 * NUL, which a client ID cannot contain, marks the end of the client ID in the hashed bytes.
 */
function deriveIdempotencyKey(clientId: string, body: Uint8Array): string {
  return createHash('sha256').update(`${clientId}\0`).update(body).digest('hex');
}

const operation = 'initiatePayment';

/**
 * Prepares a call of `initiatePayment`: the bytes, the signature and the idempotency key (specification: Initiate
 * transaction).
 */
export function preparePayment(
  request: PaymentRequest,
  options: InitiatePaymentOptions,
  merchant: MerchantContext,
): Call<Payment> {
  const { clientId, merchantId, storeId, platformId, sign, wire, shared } = merchant;
  const defaults = { merchantId, storeId, platformId };
  const [checked, callOptions] = allOrThrow(
    subjectOf(operation, request),
    options,
    parseRequest(paymentRequestSchema, request, defaults, additionalFieldsHint),
    parseCallOptions(initiatePaymentOptionRules, options),
    requireFields(request, defaults),
  );
  const { additionalFields } = callOptions;
  const body = Buffer.from(JSON.stringify(withAdditionalFields(checked, additionalFields)));
  const { referenceId } = checked;
  const { idempotencyKey = deriveIdempotencyKey(clientId, body) } = callOptions;
  // This warning is logged only at debug, because it can be wrong: in rare cases, shipping or a discount explains why
  // the amount differs so much from the sum of the items.
  const amountUnit = amountUnitWarning(checked);
  if (amountUnit !== undefined) shared.observer.log('debug', amountUnit, { operation, referenceId });
  const expiry = expiryWarning(checked);
  if (expiry !== undefined) shared.observer.log('warn', expiry, { operation, referenceId });
  return makeSignedCall(
    {
      ...endpoints[operation],
      subject: { operation, referenceId, idempotencyKey },
      body,
      signature: sign(body, wire.signatureEncoding),
      judge: (response) =>
        judgeResult(response, {
          operation,
          referenceId,
          merchantId: checked.merchantId,
          problemOfApproved: paymentUrlProblem,
        }),
    },
    callOptions,
    merchant,
  );
}
