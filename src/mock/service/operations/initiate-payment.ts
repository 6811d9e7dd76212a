import { endpoints } from '../../../protocol/endpoints.js';
import type { ValidationIssue } from '../../../protocol/issues.js';
import { usualPhoneDigits } from '../../../protocol/limits.js';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import type { PaymentRequestWire } from '../../../protocol/payment-types.js';
import type { KeyedRequest } from '../../state/payments.js';
import { firstAnswers, repeatAnswer } from '../../worlds/answers.js';
import { jsonHeaders } from '../../common/exchange.js';
import { authenticateJson } from '../authenticate-merchant.js';
import type { RegisteredMerchant } from '../merchants.js';
import { readJsonMessage, type JsonMessage } from '../messages.js';
import { orderWarnings } from '../order-warnings.js';
import type { MockContext, OperationResult, OperationRow, RequestContext } from '../mock-context.js';
import { checkNames, checkShape, refuseIssues, refuseUnless, refuseUnread } from '../refusals.js';
import { waitForNetwork } from '../request-faults.js';
import { answerResult, resultResponse } from '../responses.js';

/** Initiates a payment (specification: Endpoints, Initiate transaction). */
export const initiatePayment: OperationRow<JsonMessage, RegisteredMerchant> = {
  ...endpoints.initiatePayment,
  recorded: { operation: 'initiatePayment' },
  read: readJsonMessage,
  authenticate: authenticateJson,
  async act(message, merchant, context) {
    const { payments, now } = context.mock;
    const { idempotencyKey } = context.entry;
    // Copied: the bytes may be a small part of a large buffer.
    const body = Buffer.from(message.bytes);
    const keyed: KeyedRequest = { clientId: merchant.clientId, idempotencyKey, body, arrivedAt: now() };
    const earlier = payments.earlier(keyed);
    if (earlier) return repeatedRequest(keyed, earlier, context);
    const release = payments.hold(keyed);
    try {
      await waitForNetwork(context, 'before');
      return createPayment(message, keyed, merchant, context);
    } finally {
      release();
    }
  },
};

/** A request whose Idempotency-Key was used before. */
function repeatedRequest(
  { body, arrivedAt }: KeyedRequest,
  earlier: KeyedRequest,
  context: RequestContext,
): OperationResult {
  const isSame = earlier.body.equals(body);
  refuseUnless(isSame, 'INVALID_REQUEST', 'The Idempotency-Key was used before, with another body.');
  const { responseBody } = earlier;
  const isAnswered = responseBody !== undefined;
  refuseUnless(isAnswered, 'REQUEST_PROCESSING', 'The same request is still being processed.');
  const sinceFirstMs = arrivedAt.getTime() - earlier.arrivedAt.getTime();
  const other = repeatAnswer(context.mock.world().repeat, sinceFirstMs);
  if (other) return answerResult(other, context);
  const response = { httpStatus: 200, headers: jsonHeaders, body: responseBody };
  return { ...approved, response, replay: true };
}

const approved = { resultStatus: 'APPROVED', resultMsg: 'The payment was created.' };

function createPayment(
  { value, problem }: JsonMessage,
  keyed: KeyedRequest,
  merchant: RegisteredMerchant,
  context: RequestContext,
): OperationResult {
  const { request: incoming, entry, mock } = context;
  refuseUnread(problem);
  const issues = checkShape(paymentRequestWireSchema, value, context);
  const request = value as PaymentRequestWire;
  checkRequest(request, issues, merchant, mock);
  const warnings = orderWarnings(request);
  if (warnings.length > 0) entry.warnings = warnings;
  const paymentUrl = mock.payments.create(keyed, request, incoming.baseUrl);
  const fields = { paymentUrl, qrData: paymentUrl };
  const response = resultResponse(context, { ...approved, fields });
  keyed.responseBody = response.body;
  const other = firstAnswers[mock.world().firstAnswer];
  return { ...(other ? answerResult(other, context) : { ...approved, response }), acted: 'payment' };
}

/** Checks a well-formed request. The order of the checks is a decision of the mock. */
function checkRequest(
  { referenceId, merchantId, storeId, amount, customer }: PaymentRequestWire,
  issues: readonly ValidationIssue[],
  merchant: RegisteredMerchant,
  { payments }: MockContext,
): void {
  const { minAmount, maxAmount } = merchant;
  checkNames({ merchantId, storeId }, issues, merchant);
  refuseIssues(issues, 'INVALID_AMOUNT');
  refuseIssues(issues, 'PHONE_NUMBER_INVALID');
  const digits = customer.phoneNumber.replace('+', '').length;
  const wantedDigits = `customer.phoneNumber must have ${usualPhoneDigits.join(' or ')} digits.`;
  refuseUnless(usualPhoneDigits.includes(digits), 'PHONE_NUMBER_UNAVAILABLE', wantedDigits);
  const belowMinimum = `The amount is below the minimum of ${minAmount} VND.`;
  refuseUnless(amount.value >= minAmount, 'AMOUNT_BELOW_MINIMUM_LIMIT', belowMinimum);
  const aboveLimit = `The amount is above the limit of ${maxAmount} VND.`;
  refuseUnless(amount.value <= maxAmount, 'AMOUNT_EXCEEDED_UPPER_LIMIT', aboveLimit);
  const isNew = !payments.has({ referenceId, merchantId });
  const duplicate = 'The referenceId was used before, under another Idempotency-Key.';
  refuseUnless(isNew, 'DUPLICATE_REFERENCE_ID', duplicate);
}
