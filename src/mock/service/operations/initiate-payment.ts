import { endpoints } from '../../../protocol/endpoints.js';
import { usualPhoneDigits } from '../../../protocol/limits.js';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import type { PaymentRequestWire } from '../../../protocol/payment-types.js';
import type { KeyedRequest } from '../../state/payments.js';
import { firstResponses, repeatResponse } from '../../scenarios/scenario-responses.js';
import { jsonHeaders } from '../../common/exchange.js';
import { authenticateJson } from '../authenticate-merchant.js';
import type { RegisteredMerchant } from '../merchants.js';
import { readJsonMessage, type JsonMessage } from '../messages.js';
import { orderWarnings } from '../order-warnings.js';
import type { OperationResult, OperationRow, RequestContext } from '../mock-context.js';
import { checkIds, checkShape, refuseIssues, refuseUnless, refuseUnread } from '../refusals.js';
import { waitForNetwork } from '../request-faults.js';
import { resultOf, resultResponse } from '../responses.js';

/** Initiates a payment (specification: Endpoints, Initiate transaction). */
export const initiatePayment: OperationRow<JsonMessage, RegisteredMerchant> = {
  ...endpoints.initiatePayment,
  recorded: { operation: 'initiatePayment' },
  read: readJsonMessage,
  authenticate: authenticateJson,
  async act(message, merchant, context) {
    const { payments, now } = context.mock;
    const { idempotencyKey } = context.entry;
    const request = checkedRequest(message, merchant, context);
    // The body is copied, because its bytes can be a small part of a large buffer.
    const body = Buffer.from(message.bytes);
    const keyed: KeyedRequest = { clientId: merchant.clientId, idempotencyKey, body, arrivedAt: now() };
    const earlier = payments.earlier(keyed);
    const repeated = earlier && repeatedRequest(keyed, earlier, context);
    if (repeated) return repeated;
    const release = payments.hold(keyed);
    try {
      await waitForNetwork(context, 'before');
      return createPayment(request, keyed, context, earlier !== undefined);
    } finally {
      release();
    }
  },
};

/** The result of a request whose Idempotency-Key was used before. Undefined if the service acts again. */
function repeatedRequest(
  { body, arrivedAt }: KeyedRequest,
  earlier: KeyedRequest,
  context: RequestContext,
): OperationResult | undefined {
  const isSame = earlier.body.equals(body);
  refuseUnless(isSame, 'INVALID_REQUEST', 'The Idempotency-Key was used before with a different body.');
  const { responseBody } = earlier;
  const isProcessed = responseBody !== undefined;
  refuseUnless(isProcessed, 'REQUEST_PROCESSING', 'The same request is being processed.');
  const { repeat } = context.mock.scenario();
  if (repeat === 'another') return undefined;
  const sinceFirstMs = arrivedAt.getTime() - earlier.arrivedAt.getTime();
  const replacement = repeatResponse(repeat, sinceFirstMs);
  if (replacement) return resultOf(replacement, context);
  const response = { httpStatus: 200, headers: jsonHeaders, body: responseBody };
  return { ...approved, response, replay: true };
}

const approved = { resultStatus: 'APPROVED', resultMsg: 'The payment was created.' };

function createPayment(
  request: PaymentRequestWire,
  keyed: KeyedRequest,
  context: RequestContext,
  isRepeat: boolean,
): OperationResult {
  const { request: incoming, entry, mock } = context;
  const duplicate = 'The referenceId was used before with a different Idempotency-Key.';
  refuseUnless(isRepeat || !mock.payments.has(request), 'DUPLICATE_REFERENCE_ID', duplicate);
  const warnings = orderWarnings(request);
  if (warnings.length > 0) entry.warnings = warnings;
  const paymentUrl = mock.payments.create(keyed, request, incoming.baseUrl);
  const fields = { paymentUrl, qrData: paymentUrl };
  const response = resultResponse(context, { ...approved, fields });
  keyed.responseBody = response.body;
  const replacement = firstResponses[mock.scenario().firstResponse];
  const act = isRepeat ? 'payment-again' : 'payment';
  return { ...(replacement ? resultOf(replacement, context) : { ...approved, response }), act };
}

/** Runs all checks except the last check, which is for duplicates. The order of the checks is assumed. */
function checkedRequest(
  { value, problem }: JsonMessage,
  merchant: RegisteredMerchant,
  context: RequestContext,
): PaymentRequestWire {
  refuseUnread(problem);
  const issues = checkShape(paymentRequestWireSchema, value, context);
  const request = value as PaymentRequestWire;
  const { amount, customer } = request;
  const { minAmount, maxAmount } = merchant;
  checkIds(request, issues, merchant);
  refuseIssues(issues, 'INVALID_AMOUNT');
  refuseIssues(issues, 'PHONE_NUMBER_INVALID');
  const digits = customer.phoneNumber.replace('+', '').length;
  const wantedDigits = `customer.phoneNumber must have ${usualPhoneDigits.join(' or ')} digits.`;
  refuseUnless(usualPhoneDigits.includes(digits), 'PHONE_NUMBER_UNAVAILABLE', wantedDigits);
  const belowMinimum = `The amount is below the minimum of ${minAmount} VND.`;
  refuseUnless(amount.value >= minAmount, 'AMOUNT_BELOW_MINIMUM_LIMIT', belowMinimum);
  const aboveLimit = `The amount is above the limit of ${maxAmount} VND.`;
  refuseUnless(amount.value <= maxAmount, 'AMOUNT_EXCEEDED_UPPER_LIMIT', aboveLimit);
  return request;
}
