import { paymentOwnStatuses, paymentRequestWireSchema } from '../../../protocol/payment.js';
import type { PaymentRequestWire } from '../../../protocol/payment-types.js';
import { issuesOf, type ValidationIssue } from '../../../protocol/validation.js';
import { refused, resultAnswer, scriptedVerdict } from '../responses.js';
import type { Exchange, Verdict } from '../exchange.js';
import { jsonHeaders } from '../delivery.js';
import type { Merchant } from '../merchants.js';
import { keyHeader, shortTextAt, type JsonMessage } from '../messages.js';
import { refusal, refusalFor, type Refusal } from '../refusal.js';
import type { RepeatedRequest } from '../../state/payments.js';
import { verifyClient, verifyJson } from '../verify-request.js';
import { checkMerchant, checkRequestTime, checkStore } from './checks.js';
import { handlerOf } from './handler.js';
import { jsonHandler } from './json-handler.js';

/** Initiates a payment (specification: Endpoints, Initiate transaction). */
export const initiatePayment = handlerOf<JsonMessage>({
  ...jsonHandler,

  subjectOf: ({ value }, incoming) => ({
    merchantId: shortTextAt(value, 'merchantId'),
    referenceId: shortTextAt(value, 'referenceId'),
    idempotencyKey: keyHeader(incoming),
  }),

  async handle(message, exchange) {
    const { incoming, parts, subject } = exchange;
    const merchant = verifyClient(incoming, parts.merchants);
    if ('resultStatus' in merchant) return refused(exchange, merchant);
    const unsigned = verifyJson(message, incoming, merchant, parts.merchants);
    if (unsigned) return refused(exchange, unsigned);
    const scripted = scriptedVerdict(exchange);
    if (scripted) return scripted;
    const earlier = parts.payments.underKey(merchant.clientId, subject.idempotencyKey);
    if (earlier) return repeated(message, earlier, exchange);
    return parts.payments.whileInFlight(
      merchant.clientId,
      subject.idempotencyKey,
      message.bytes,
      async () => {
        await exchange.pauseBeforeActing();
        return judge(message, merchant, exchange);
      },
    );
  },
});

/** Answers a request whose key was used before. */
function repeated(message: JsonMessage, earlier: RepeatedRequest, exchange: Exchange): Verdict {
  if (!earlier.body.equals(message.bytes)) {
    return refused(exchange, refusal('INVALID_REQUEST', 'The Idempotency-Key was used with another body.'));
  }
  if (earlier.answer === undefined) {
    return refused(exchange, refusal('REQUEST_PROCESSING', 'The same request is being worked on.'));
  }
  return approval(earlier.answer, true);
}

function approval(body: string, replay: boolean): Verdict {
  return {
    answer: { httpStatus: 200, headers: jsonHeaders, body },
    resultStatus: 'APPROVED',
    resultMsg: approved.resultMsg,
    replay,
  };
}

const approved = { resultStatus: 'APPROVED', resultMsg: 'The payment was created.' };

function judge(message: JsonMessage, merchant: Merchant, exchange: Exchange): Verdict {
  const { parts, incoming, subject } = exchange;
  const { problem } = message;
  if (problem !== undefined) return refused(exchange, refusal('INVALID_REQUEST', problem));
  const parsed = paymentRequestWireSchema.safeParse(message.value);
  const issues = parsed.success ? [] : issuesOf(parsed.error, message.value, paymentOwnStatuses);
  const malformed = checkRequestTime(incoming) ?? refusalFor(issues, 'INVALID_REQUEST');
  if (malformed) return refused(exchange, malformed);
  // Whatever is wrong now has a status of its own; the fields that the checks read are there and of their type.
  const request = message.value as PaymentRequestWire;
  const no = checkRequest(request, issues, merchant) ?? checkDuplicate(request, exchange);
  if (no) return refused(exchange, no);
  const payment = parts.payments.create({
    clientId: merchant.clientId,
    idempotencyKey: subject.idempotencyKey,
    request,
    body: message.bytes,
    origin: incoming.origin,
  });
  const { paymentUrl } = payment;
  const { body } = resultAnswer(exchange, approved, { paymentUrl, qrData: paymentUrl });
  payment.answer = body;
  return approval(payment.answer, false);
}

/** What is wrong with a well-formed request, in the order in which the service looks. */
function checkRequest(
  { merchantId, storeId, amount, customer }: PaymentRequestWire,
  issues: readonly ValidationIssue[],
  merchant: Merchant,
): Refusal | undefined {
  return (
    checkMerchant(merchantId, merchant) ??
    refusalFor(issues, 'INVALID_STORE_ID') ??
    checkStore(storeId, merchant) ??
    refusalFor(issues, 'INVALID_REFERENCE_ID') ??
    refusalFor(issues, 'INVALID_AMOUNT') ??
    refusalFor(issues, 'PHONE_NUMBER_INVALID') ??
    checkPhoneLength(customer.phoneNumber) ??
    checkLimits(amount.value, merchant)
  );
}

/** The documented length: "usually 10 or 11 digits" (specification: Limits). */
function checkPhoneLength(phoneNumber: string): Refusal | undefined {
  const digits = phoneNumber.replace('+', '').length;
  return digits === 10 || digits === 11
    ? undefined
    : refusal('PHONE_NUMBER_UNAVAILABLE', 'customer.phoneNumber does not have 10 or 11 digits.');
}

function checkLimits(amount: number, { minAmount, maxAmount }: Merchant): Refusal | undefined {
  if (amount < minAmount) {
    return refusal(
      'AMOUNT_BELOW_MINIMUM_LIMIT',
      `The amount is below the minimum of ${String(minAmount)} VND.`,
    );
  }
  return amount > maxAmount
    ? refusal('AMOUNT_EXCEEDED_UPPER_LIMIT', `The amount is above the limit of ${String(maxAmount)} VND.`)
    : undefined;
}

function checkDuplicate(request: PaymentRequestWire, { parts }: Exchange): Refusal | undefined {
  return parts.payments.record(request.referenceId, request.merchantId)
    ? refusal('DUPLICATE_REFERENCE_ID', 'The referenceId was used before, under another Idempotency-Key.')
    : undefined;
}
