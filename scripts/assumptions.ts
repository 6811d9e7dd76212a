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
    question: "Encoding of a payment's signature",
    assumption: 'Lower-case hex. For an upload, hex is documented, but not its case.',
  },
  signedText: {
    question: 'Decoding of the secret key',
    assumption: 'The key is used as UTF-8 text, even if it looks like hex or base64.',
  },
  requestTimeZone: {
    question: 'Time zone of Request-Time and responseTime',
    assumption: 'The time in Vietnam (+07:00), with hours from 00 to 23.',
  },
  requestTimeAge: {
    question: 'How old a Request-Time may be',
    assumption: 'Each attempt sends the current time. The mock accepts any time.',
  },
  absentFields: {
    question: 'A missing field in the canonical string of an upload',
    assumption: 'Its value is empty.',
  },
  repeatedKey: scenarioAssumptions.repeatedKey,
  reusedKey: {
    question: 'A known Idempotency-Key with a different body',
    assumption: 'The client derives the key from the body. The mock responds with INVALID_REQUEST.',
  },
  httpStatus: scenarioAssumptions.httpStatus,
  refusals: scenarioAssumptions.refusals,
  checkOrder: {
    question: 'A request that breaks several rules',
    assumption:
      'The mock checks in this order: path, method, client, signature, shape, merchant, store, reference, amount, phone number, limits, duplicates.',
  },
  statusOfOther: {
    question: "A payment's result status in the response to an upload, or the reverse",
    assumption: 'It means the same for payments and uploads.',
  },
  unknownStatus: {
    question: 'An undocumented resultStatus',
    assumption: 'The outcome is unknown, without a retry.',
  },
  rateLimits: scenarioAssumptions.rateLimits,
  responseFields: scenarioAssumptions.responseFields,
  uploadOutcome: {
    question: 'An upload with ERROR_GENERAL',
    assumption: 'It may be stored, and is not retried.',
  },
  earlyUpload: {
    question: 'An invoice before its payment is confirmed',
    assumption: 'The client sends it. The mock refuses it with INVALID_REFERENCE_ID.',
  },
  repeatedUpload: scenarioAssumptions.repeatedUpload,
  amounts: {
    question: 'The "VND minor unit" of amount.value, and fractions',
    assumption:
      "amount.value is a positive integer of đồng. Prices and a lender's amounts can have fractions.",
  },
  prices: {
    question: 'Negative prices, and negative amounts of a lender',
    assumption: 'The client refuses them.',
  },
  amountAndItems: {
    question: 'amount.value and the sum of the items',
    assumption: 'They can differ. The mock warns of a factor of ten or more.',
  },
  emptyItems: { question: 'Number of items', assumption: `1 to ${maxItems}.` },
  emptyTexts: {
    question: 'Empty strings',
    assumption: 'They are allowed, except in required identifiers, merchantId, storeId and platformId.',
  },
  nullFields: {
    question: 'null in an optional field',
    assumption: 'The client refuses null, except in reversalReason.',
  },
  unknownFields: {
    question: 'Undocumented fields of a request',
    assumption: 'The client refuses them, except in additionalFields. The mock accepts them.',
  },
  names: {
    question: 'The family name: firstName or lastName',
    assumption: 'The client sends both as you pass them.',
  },
  calendar: {
    question: 'Dates that do not exist',
    assumption: 'The client refuses them, such as 30-02-1990.',
  },
  totals: {
    question: 'Precision of totalAmount and allocatedTotal',
    assumption: 'They equal the product or sum of their parts exactly, in decimals.',
  },
  phoneNumber: {
    question: 'Length of a phone number ("usually 10 or 11 digits")',
    assumption:
      'The client accepts any number of digits, with an optional +. The mock responds to other lengths with PHONE_NUMBER_UNAVAILABLE.',
  },
  email: {
    question: 'Valid e-mail addresses',
    assumption:
      'Text on both sides of one @, without white space, and no hyphen at either end of a domain label.',
  },
  redirectUrls: {
    question: 'Valid redirect URLs',
    assumption: 'Absolute URLs of any scheme except javascript:, data: and vbscript:.',
  },
  redirects: scenarioAssumptions.redirects,
  transExpiredTime: {
    question: 'Default and bounds of transExpiredTime',
    assumption: `Any positive integer is allowed. Without it, the mock uses ${defaultPaymentMinutes} minutes.`,
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
    question: 'In-store payments, whose uploads need a storeId',
    assumption: 'In the mock, these are payments with paymentMethod POS.',
  },
  uploadStore: {
    question: 'The storeId of an upload for any other payment',
    assumption: 'If it is sent, it is not empty.',
  },
  fileSize: {
    question: 'Number of bytes in 5 MB',
    assumption: '5 x 1024 x 1024 bytes. An empty file is refused.',
  },
  fileContent: {
    question: 'Type of a file',
    assumption:
      'The beginning of its content decides. An accepted extension and a declared type must not contradict it.',
  },
  xmlByUrl: {
    question: 'A fileUrl of an xml file',
    assumption: 'The client refuses a fileUrl that ends in .xml.',
  },
  lenderFields: {
    question: 'Types and required fields of lender notifications',
    assumption: 'Fields that all samples have are required. A missing allocated part counts as 0.',
  },
  applicationIdField: {
    question: 'Real name of serviceApplicationId',
    assumption: 'serviceApplicationId, as in the specification.',
  },
  lenderAuthentication: {
    question: 'Authentication of lender notifications',
    assumption: 'LenderClient sends only the headers that you configure.',
  },
  reversalReasons: {
    question: 'Values of reversalReason',
    assumption: 'Any string, not empty in a reversal.',
  },
  reversals: {
    question: 'The lenderTransactionCode of a reversal',
    assumption: 'In the mock, it is the lenderTransactionCode of the receipt.',
  },
  transactionCodes: {
    question: 'The same lenderTransactionCode from two lenders',
    assumption: 'The mock refuses the second notification.',
  },
  repeatedAllocation: {
    question: 'The key of a repeated allocation',
    assumption: 'In the mock, it is the requestId.',
  },
  bankSequence: {
    question: 'A bankTransactionSequenceId that differs from its receipt',
    assumption: 'The ledger of the mock reports a discrepancy.',
  },
  lenderAnswer: {
    question: 'The common response to lender notifications',
    assumption: 'Any 2xx acknowledges the notification, and most 4xx refuse it.',
  },
  addresses: {
    question: 'Addresses of the service',
    assumption: 'No address is built in.',
  },
  paymentStates: scenarioAssumptions.paymentStates,
  notificationDelivery: scenarioAssumptions.notificationDelivery,
  responseDelay: scenarioAssumptions.responseDelay,
  operationsNotShown: {
    question: 'Status query, cancel and refund',
    assumption: 'The client has no method for them, except post.',
  },
  scheduleNotification: {
    question: 'The installment schedule notification of a lender',
    assumption: 'LenderClient has no method for it, except post.',
  },
  paymentNotification: scenarioAssumptions.paymentNotification,
});

/** The name of an assumption. */
export type AssumptionName = keyof typeof assumptions;
