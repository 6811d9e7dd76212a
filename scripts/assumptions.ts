import { scenarioAssumptions, type Assumption } from '../src/mock/scenarios/assumptions.js';
import { defaultPaymentMinutes } from '../src/mock/state/payments.js';
import { tableOf } from '../src/values/collections.js';
import { maxItems } from '../src/protocol/limits.js';

/**
 * Every assumption, in the order of the guide. The guide and `x-assumption` in
 * openapi.json derive from it.
 */
export const assumptions = tableOf<Assumption>()({
  signatureEncoding: {
    question: 'Encoding of the signature of a payment',
    assumption: 'Hex in lower case. An upload is documented as hex, without the case.',
  },
  signedText: {
    question: 'Whether the secret key is decoded before use',
    assumption: 'No: the key is the UTF-8 bytes of its text, even if it looks like hex or base64.',
  },
  requestTimeZone: {
    question: 'Time zone of Request-Time and responseTime',
    assumption: 'Vietnam, +07:00, 24 hours.',
  },
  requestTimeAge: {
    question: 'How old a Request-Time may be',
    assumption: 'Each attempt has a new Request-Time. The mock accepts any time.',
  },
  absentFields: {
    question: 'A field that is not sent, in the canonical string of an upload',
    assumption: 'It has an empty value.',
  },
  repeatedKey: scenarioAssumptions.repeatedKey,
  reusedKey: {
    question: 'A known Idempotency-Key with a different body',
    assumption: 'The client derives the key from the body. The mock responds with INVALID_REQUEST.',
  },
  httpStatus: scenarioAssumptions.httpStatus,
  refusals: scenarioAssumptions.refusals,
  checkOrder: {
    question: 'Status of a request that breaks several rules',
    assumption:
      'The mock checks in this order: path, method, client, signature, shape, merchant, store, reference, amount, phone number, limits, duplicates.',
  },
  statusOfOther: {
    question: 'A result status that is listed for the other operation only',
    assumption: 'It means the same: an upload can get INVALID_SIGNATURE.',
  },
  unknownStatus: {
    question: 'A resultStatus that is in no table',
    assumption: 'The outcome is unknown, and the request is not sent again.',
  },
  rateLimits: scenarioAssumptions.rateLimits,
  responseFields: scenarioAssumptions.responseFields,
  uploadOutcome: {
    question: 'Whether an upload with ERROR_GENERAL was stored',
    assumption: 'Unknown. The upload is not retried.',
  },
  earlyUpload: {
    question: 'Whether an invoice is refused before its payment is confirmed',
    assumption: 'The client sends it. The mock refuses it with INVALID_REFERENCE_ID.',
  },
  repeatedUpload: scenarioAssumptions.repeatedUpload,
  amounts: {
    question: 'The "VND minor unit" of amount.value, and fractions',
    assumption:
      "amount.value is a positive integer of đồng. Prices and a lender's amounts can have fractions.",
  },
  prices: {
    question: 'Negative prices and lender amounts',
    assumption: 'They are 0 or greater.',
  },
  amountAndItems: {
    question: 'Whether amount.value equals the sum of the items',
    assumption:
      'It does not have to. The client logs a factor of ten or more at debug, and the mock warns of it.',
  },
  emptyItems: { question: 'Whether an order may have no items', assumption: `It has 1 to ${maxItems}.` },
  emptyTexts: {
    question: 'Which strings may be empty',
    assumption: 'All except required identifiers, merchantId, storeId and platformId.',
  },
  nullFields: {
    question: 'Whether an optional field may be null',
    assumption: 'No, except reversalReason, as documented.',
  },
  unknownFields: {
    question: 'Fields that the specification does not show',
    assumption: 'The client refuses them unless they are in additionalFields. The mock accepts them.',
  },
  names: {
    question: 'Which of firstName and lastName is the family name',
    assumption: 'Both are sent as given.',
  },
  calendar: {
    question: 'Whether a date has to exist in the calendar',
    assumption: 'Yes: 30-02-1990 is refused.',
  },
  totals: {
    question: 'How exactly totalAmount and allocatedTotal equal their parts',
    assumption: 'Exactly, as decimals: 3 x 0.1 is 0.3.',
  },
  phoneNumber: {
    question: 'Length of a phone number ("usually 10 or 11 digits")',
    assumption:
      'The client accepts digits with an optional +, of any length. The mock responds to other lengths with PHONE_NUMBER_UNAVAILABLE.',
  },
  email: {
    question: 'The rules for a valid e-mail address',
    assumption:
      'Text on both sides of one @, without white space, and no hyphen at either end of a domain label.',
  },
  redirectUrls: {
    question: 'Which redirect URLs the service accepts',
    assumption: 'Absolute URLs of any scheme except javascript:, data: and vbscript:.',
  },
  redirects: scenarioAssumptions.redirects,
  transExpiredTime: {
    question: 'Default and bounds of transExpiredTime',
    assumption: `Any positive integer. Without it the mock gives ${defaultPaymentMinutes} minutes.`,
  },
  uploadFields: {
    question: 'Required fields of an upload',
    assumption: 'merchantId, referenceId, and file or fileUrl.',
  },
  paymentTransId: {
    question: 'A paymentTransId of another payment',
    assumption: 'The mock responds with INVALID_REFERENCE_ID.',
  },
  inStore: {
    question: 'Which payments are in-store, so that uploads need a storeId',
    assumption: 'The service decides. In the mock: paymentMethod POS.',
  },
  uploadStore: {
    question: 'Whether the storeId of other uploads is checked',
    assumption: 'Yes, if it is sent: it must not be empty, and in the mock be a store of the merchant.',
  },
  fileSize: {
    question: 'How many bytes 5 MB are',
    assumption: '5 x 1024 x 1024 bytes, and an empty file is refused.',
  },
  fileContent: {
    question: 'How the type of a file is recognised',
    assumption:
      'By the beginning of its content. An accepted extension and a declared type must not contradict it.',
  },
  xmlByUrl: {
    question: 'Whether fileUrl may lead to an xml file',
    assumption: 'No: a URL that ends in .xml is refused.',
  },
  lenderFields: {
    question: 'Types and required fields of lender notifications',
    assumption:
      'Fields that occur in every sample are required. Identifiers are not empty. installmentNumber is an integer from 0. An allocated part that is left out counts as 0.',
  },
  applicationIdField: {
    question: 'Real name of serviceApplicationId, which the specification masks',
    assumption: 'As printed.',
  },
  lenderAuthentication: {
    question: 'Headers, signature and credentials of lender notifications',
    assumption: 'None.',
  },
  reversalReasons: {
    question: 'Values of reversalReason',
    assumption: 'Any string. In a reversal it must not be empty.',
  },
  reversals: {
    question: 'Whether a reversal has the lenderTransactionCode of its receipt',
    assumption:
      'In the mock it does. The ledger reports a reversal without a receipt, and a repeat with other facts is refused.',
  },
  transactionCodes: {
    question: 'Whether two lenders may use the same lenderTransactionCode',
    assumption: 'No: the mock refuses the second notification.',
  },
  repeatedAllocation: {
    question: 'The key of an allocation that is sent again',
    assumption:
      'The requestId, in the mock. The same allocation is stored once, and a different allocation is refused.',
  },
  bankSequence: {
    question: 'An allocation whose bankTransactionSequenceId differs from that of its receipt',
    assumption: 'The ledger of the mock reports a discrepancy.',
  },
  lenderAnswer: {
    question: 'The common response to lender notifications',
    assumption:
      'Any 2xx acknowledges, and most 4xx refuse. The mock responds with 200 or 400, and requestId, resultStatus and resultMsg.',
  },
  addresses: {
    question: 'Addresses of the service, its sandbox host and the lender endpoints',
    assumption: 'None is built in.',
  },
  paymentStates: scenarioAssumptions.paymentStates,
  notificationDelivery: scenarioAssumptions.notificationDelivery,
  responseDelay: scenarioAssumptions.responseDelay,
  operationsNotShown: {
    question: 'Status query, cancel and refund',
    assumption: 'They have no method. Use post.',
  },
  scheduleNotification: {
    question: 'The installment schedule notification of a lender',
    assumption: 'It has no method. Use lender.post, and mock.handle in tests.',
  },
  paymentNotification: scenarioAssumptions.paymentNotification,
});

/** The name of an assumption. */
export type AssumptionName = keyof typeof assumptions;
