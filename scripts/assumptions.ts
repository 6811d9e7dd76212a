import {
  defaultPaymentMinutes,
  scenarioAssumptions,
  type Assumption,
} from '../src/mock/common/assumptions.js';
import { tableOf } from '../src/values/collections.js';
import { maxItems } from '../src/protocol/limits.js';

/**
 * Every assumption, in the order of the guide. The guide and `x-assumption` in
 * openapi.json derive from it.
 */
export const assumptions = tableOf<Assumption>()({
  signatureEncoding: {
    question:
      'How the signature of an initiate request is encoded, and whether hex is in lower or upper case',
    assumption: 'Hex in lower case, for an upload too, which is documented as hex without the case.',
  },
  signedText: {
    question:
      'Whether the secret key is used as written or decoded first, and the encoding of the text that is signed',
    assumption:
      'As written: the key is the UTF-8 bytes of its text, also if it looks like hex or base64. The signed text is UTF-8.',
  },
  requestTimeZone: {
    question: 'Time zone of Request-Time and responseTime, and whether hh counts 24 hours',
    assumption: 'Vietnam, +07:00, and 24 hours.',
  },
  requestTimeAge: {
    question: 'How old a Request-Time may be',
    assumption: 'Each attempt has a new one; the mock accepts any.',
  },
  absentFields: {
    question: 'A field that is not sent, in the canonical string of an upload',
    assumption: 'It is there with an empty value.',
  },
  repeatedKey: scenarioAssumptions.repeatedKey,
  reusedKey: {
    question: 'What the service does with a known Idempotency-Key and another body',
    assumption:
      'The client derives the key from the body, so that another body has another key. The mock responds with INVALID_REQUEST.',
  },
  httpStatus: scenarioAssumptions.httpStatus,
  refusals: scenarioAssumptions.refusals,
  checkOrder: {
    question: 'Which status a request gets that breaks several rules',
    assumption:
      'The mock responds to the first broken rule, in this order: path, method, client, signature, shape, merchant, store, reference, amount, phone number, limits, duplicates.',
  },
  statusOfOther: {
    question: 'What a result status means that is listed for the other operation only',
    assumption: 'The same as for a payment: an upload can get INVALID_SIGNATURE, for example.',
  },
  unknownStatus: {
    question: 'What a resultStatus means that no table lists',
    assumption: 'Nothing: the outcome is unknown, and the request is not sent again.',
  },
  rateLimits: scenarioAssumptions.rateLimits,
  responseFields: scenarioAssumptions.responseFields,
  uploadOutcome: {
    question: 'Whether an upload whose response is ERROR_GENERAL was stored',
    assumption: 'The outcome is unknown, and the upload is not retried.',
  },
  earlyUpload: {
    question: 'Whether an invoice is refused before its payment is confirmed, and how',
    assumption:
      'The client sends what it is given; the mock refuses it with INVALID_REFERENCE_ID, as the specification has merchants upload only then.',
  },
  repeatedUpload: scenarioAssumptions.repeatedUpload,
  amounts: {
    question: 'What the "VND minor unit" of amount.value is, and whether amounts may have fractions',
    assumption:
      'amount.value is a positive integer of đồng; prices and the amounts of a lender may have fractions.',
  },
  prices: {
    question: 'Whether prices and the amounts of a lender may be negative',
    assumption: 'They are 0 or greater.',
  },
  amountAndItems: {
    question: 'Whether amount.value has to equal the sum of the items',
    assumption:
      'It does not have to: shipping or a discount may make the difference. The client logs at debug an amount that is ten times the sum or more, or a tenth or less; the mock warns of it.',
  },
  emptyItems: { question: 'Whether an order may have no items', assumption: `It has 1 to ${maxItems}.` },
  emptyTexts: {
    question: 'Which strings may be empty',
    assumption:
      'Required identifiers must not be empty, nor merchantId, storeId and platformId; other strings may be, optional identifiers too.',
  },
  nullFields: {
    question: 'Whether an optional field may be null',
    assumption:
      'It may not be, except reversalReason, for which the specification says so: the client and the mock refuse null.',
  },
  unknownFields: {
    question: 'What the service does with fields that it does not know',
    assumption:
      'The client refuses them, so that a misspelled field is noticed, unless they are passed in additionalFields. The mock takes and shows them.',
  },
  names: {
    question:
      'Which of firstName and lastName is the family name; a lender may compare them with an identity card',
    assumption: 'Both are sent as given.',
  },
  calendar: {
    question: 'Whether a date of birth and a timestamp have to exist in the calendar',
    assumption: 'They have to: 30-02-1990 is refused.',
  },
  totals: {
    question: 'How exactly totalAmount and allocatedTotal have to equal their parts',
    assumption: 'Exactly, as decimals: 3 x 0.1 is 0.3.',
  },
  phoneNumber: {
    question: 'Length of a phone number ("usually 10 or 11 digits")',
    assumption:
      'The client accepts digits with an optional + and leaves the length to the service; the mock responds to any other length with PHONE_NUMBER_UNAVAILABLE.',
  },
  email: {
    question: 'What a valid e-mail address is',
    assumption:
      'Something on both sides of one @, without white space or control characters, and no label of the domain begins or ends with a hyphen.',
  },
  redirectUrls: {
    question: 'Which redirect URLs the service accepts',
    assumption: 'Absolute URLs of any scheme but javascript:, data: and vbscript:.',
  },
  redirects: scenarioAssumptions.redirects,
  transExpiredTime: {
    question: 'Default and bounds of transExpiredTime',
    assumption: `Any positive integer; without it the mock gives ${defaultPaymentMinutes} minutes.`,
  },
  uploadFields: {
    question: 'Which fields of an upload are required',
    assumption: 'merchantId and referenceId, besides the documented file or fileUrl.',
  },
  paymentTransId: {
    question: 'What the service does with a paymentTransId that is not the one of the payment',
    assumption: 'The client sends what it is given; the mock responds with INVALID_REFERENCE_ID.',
  },
  inStore: {
    question: 'Which payments are in-store, so that their uploads need a storeId',
    assumption: 'The client leaves it to the service; in the mock, those with the paymentMethod POS.',
  },
  uploadStore: {
    question:
      'Whether the storeId of an upload is checked for a payment that is not in-store ("invalid (when required)")',
    assumption:
      'A storeId that is sent is checked: the client and the mock refuse an empty one, and the mock one that is not a store of the merchant.',
  },
  fileSize: {
    question: 'How many bytes 5 MB are',
    assumption: '5 x 1024 x 1024 bytes, and an empty file is refused.',
  },
  fileContent: {
    question: 'How the type of a file is recognised',
    assumption:
      'By the beginning of its content. An accepted extension of its name and a declared type must not contradict it.',
  },
  xmlByUrl: {
    question: 'Whether fileUrl may lead to an xml file (two tables exclude it, one lists it)',
    assumption: 'No: a URL that ends in .xml is refused.',
  },
  lenderFields: {
    question: 'Types and required flags of the fields of lender notifications',
    assumption:
      'The common fields and those that every sample has are required, and identifiers are strings that are not empty; requestingDatetime has the form of the samples; installmentNumber is an integer, 0 or greater; an allocation has at least one transaction; conditional fields are optional, and an allocated part that is left out counts as 0.',
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
    question: 'The allowed values of reversalReason, and whether it may be empty in a reversal',
    assumption: 'Any string; in a reversal, one that is not empty.',
  },
  reversals: {
    question: 'Whether a reversal has the lenderTransactionCode of the receipt that it reverses',
    assumption:
      'The client sends what it is given. In the mock a reversal has the code of the receipt that it reverses; the ledger reports a reversal without a receipt as a discrepancy. A repeat with other facts is refused.',
  },
  transactionCodes: {
    question: 'Whether two lenders may use the same lenderTransactionCode',
    assumption:
      'They may not: in the mock a code identifies one receipt over all lenders, and the receipt of another lender under it is refused.',
  },
  repeatedAllocation: {
    question: 'What identifies an allocation notification that is sent again',
    assumption:
      'The client sends what it is given. In the mock the requestId identifies it: the same allocation is acknowledged and stored once, another one is refused.',
  },
  bankSequence: {
    question: 'Whether an allocation may have another bankTransactionSequenceId than its receipt',
    assumption: 'The client sends what it is given; the ledger of the mock reports it as a discrepancy.',
  },
  lenderAnswer: {
    question: 'Shape of the common response to lender notifications',
    assumption:
      'Any 2xx is an acknowledgement and most 4xx are refusals; the mock responds with 200 or 400, and with requestId, resultStatus and resultMsg.',
  },
  addresses: {
    question: 'Addresses of the service, its sandbox host and the lender endpoints',
    assumption: 'None is built in.',
  },
  paymentStates: scenarioAssumptions.paymentStates,
  notificationDelivery: scenarioAssumptions.notificationDelivery,
  responseDelay: scenarioAssumptions.responseDelay,
  operationsNotShown: {
    question: 'Status query, cancel and refund, none of which is shown',
    assumption: 'They are not offered by name.',
  },
  scheduleNotification: {
    question: 'The installment schedule notification that a lender should send after an allocation',
    assumption:
      "It has no method of its own: `lender.post` sends what your provider's documentation shows, and `mock.handle` takes it.",
  },
  paymentNotification: scenarioAssumptions.paymentNotification,
});

/** The name of an assumption. */
export type AssumptionName = keyof typeof assumptions;
