import {
  defaultPaymentMinutes,
  worldQuestions,
  type OpenQuestion,
} from '../src/mock/common/open-questions.js';
import { tableOf } from '../src/values/table-of.js';
import { maxItems } from '../src/protocol/limits.js';

/**
 * Every question that the specification leaves open, in the order of the guide. The guide's table and `x-decision` in
 * openapi.json derive from it.
 */
export const openQuestions = tableOf<OpenQuestion>()({
  signatureEncoding: {
    question:
      'How the signature of an initiate request is encoded, and whether hex is in lower or upper case',
    decision: 'Hex in lower case, for an upload too, which is documented as hex without the case.',
  },
  signedText: {
    question:
      'Whether the secret key is used as written or decoded first, and the encoding of the text that is signed',
    decision:
      'As written: the key is the UTF-8 bytes of its text, also if it looks like hex or base64. The signed text is UTF-8.',
  },
  requestTimeZone: {
    question: 'Time zone of Request-Time and responseTime, and whether hh counts 24 hours',
    decision: 'Vietnam, +07:00, and 24 hours.',
  },
  requestTimeAge: {
    question: 'How old a Request-Time may be',
    decision: 'Each attempt has a new one; the mock accepts any.',
  },
  absentFields: {
    question: 'A field that is not sent, in the canonical string of an upload',
    decision: 'It is there with an empty value.',
  },
  repeatedKey: worldQuestions.repeatedKey,
  reusedKey: {
    question: 'What the service does with a known Idempotency-Key and another body',
    decision:
      'The client derives the key from the body, so that another body has another key. The mock responds with INVALID_REQUEST.',
  },
  httpStatus: worldQuestions.httpStatus,
  refusals: worldQuestions.refusals,
  checkOrder: {
    question: 'Which status a request gets that breaks several rules',
    decision:
      'The mock responds to the first broken rule, in this order: path, method, client, signature, shape, merchant, store, reference, amount, phone number, limits, duplicates.',
  },
  statusOfOther: {
    question: 'What a result status means that is listed for the other operation only',
    decision: 'The same as for a payment: an upload can get INVALID_SIGNATURE, for example.',
  },
  unknownStatus: {
    question: 'What a resultStatus means that no table lists',
    decision: 'Nothing: the outcome is unknown, and the request is not sent again.',
  },
  rateLimits: worldQuestions.rateLimits,
  responseFields: worldQuestions.responseFields,
  uploadOutcome: {
    question: 'Whether an upload whose response is ERROR_GENERAL was stored',
    decision: 'The outcome is unknown, and the upload is not retried.',
  },
  earlyUpload: {
    question: 'Whether an invoice is refused before its payment is confirmed, and how',
    decision:
      'The client sends what it is given; the mock refuses it with INVALID_REFERENCE_ID, as the specification has merchants upload only then.',
  },
  repeatedUpload: worldQuestions.repeatedUpload,
  amounts: {
    question: 'What the "VND minor unit" of amount.value is, and whether amounts may have fractions',
    decision:
      'amount.value is a positive integer of đồng; prices and the amounts of a lender may have fractions.',
  },
  prices: {
    question: 'Whether prices and the amounts of a lender may be negative',
    decision: 'They are 0 or greater.',
  },
  amountAndItems: {
    question: 'Whether amount.value has to equal the sum of the items',
    decision:
      'It does not have to: shipping or a discount may make the difference. The client logs at debug an amount that is ten times the sum or more, or a tenth or less; the mock warns of it.',
  },
  emptyItems: { question: 'Whether an order may have no items', decision: `It has 1 to ${maxItems}.` },
  emptyTexts: {
    question: 'Which strings may be empty',
    decision:
      'Required identifiers must not be empty, nor merchantId, storeId and platformId; other strings may be, optional identifiers too.',
  },
  nullFields: {
    question: 'Whether an optional field may be null',
    decision:
      'It may not be, except reversalReason, for which the specification says so: the client and the mock refuse null.',
  },
  unknownFields: {
    question: 'What the service does with fields that it does not know',
    decision:
      'The client refuses them, so that a misspelled field is noticed, unless they are passed in additionalFields. The mock takes and shows them.',
  },
  names: {
    question:
      'Which of firstName and lastName is the family name; a lender may compare them with an identity card',
    decision: 'Both are sent as given.',
  },
  calendar: {
    question: 'Whether a date of birth and a timestamp have to exist in the calendar',
    decision: 'They have to: 30-02-1990 is refused.',
  },
  totals: {
    question: 'How exactly totalAmount and allocatedTotal have to equal their parts',
    decision: 'Exactly, as decimals: 3 x 0.1 is 0.3.',
  },
  phoneNumber: {
    question: 'Length of a phone number ("usually 10 or 11 digits")',
    decision:
      'The client accepts digits with an optional + and leaves the length to the service; the mock responds to any other length with PHONE_NUMBER_UNAVAILABLE.',
  },
  email: {
    question: 'What a valid e-mail address is',
    decision:
      'Something on both sides of one @, without white space or control characters, and no label of the domain begins or ends with a hyphen.',
  },
  redirectUrls: {
    question: 'Which redirect URLs the service accepts',
    decision: 'Absolute URLs of any scheme but javascript:, data: and vbscript:.',
  },
  redirects: worldQuestions.redirects,
  transExpiredTime: {
    question: 'Default and bounds of transExpiredTime',
    decision: `Any positive integer; without it the mock gives ${defaultPaymentMinutes} minutes.`,
  },
  uploadFields: {
    question: 'Which fields of an upload are required',
    decision: 'merchantId and referenceId, besides the documented file or fileUrl.',
  },
  paymentTransId: {
    question: 'What the service does with a paymentTransId that is not the one of the payment',
    decision: 'The client sends what it is given; the mock responds with INVALID_REFERENCE_ID.',
  },
  inStore: {
    question: 'Which payments are in-store, so that their uploads need a storeId',
    decision: 'The client leaves it to the service; in the mock, those with the paymentMethod POS.',
  },
  uploadStore: {
    question:
      'Whether the storeId of an upload is checked for a payment that is not in-store ("invalid (when required)")',
    decision:
      'A storeId that is sent is checked: the client and the mock refuse an empty one, and the mock one that is not a store of the merchant.',
  },
  fileSize: {
    question: 'How many bytes 5 MB are',
    decision: '5 x 1024 x 1024 bytes, and an empty file is refused.',
  },
  fileContent: {
    question: 'How the type of a file is recognised',
    decision:
      'By the beginning of its content. An accepted extension of its name and a declared type must not contradict it.',
  },
  xmlByUrl: {
    question: 'Whether fileUrl may lead to an xml file (two tables exclude it, one lists it)',
    decision: 'No: a URL that ends in .xml is refused.',
  },
  lenderFields: {
    question: 'Types and required flags of the fields of lender notifications',
    decision:
      'The common fields and those that every sample has are required, and identifiers are strings that are not empty; requestingDatetime has the form of the samples; installmentNumber is an integer, 0 or greater; an allocation has at least one transaction; conditional fields are optional, and an allocated part that is left out counts as 0.',
  },
  applicationIdField: {
    question: 'Real name of serviceApplicationId, which the specification masks',
    decision: 'As printed.',
  },
  lenderAuthentication: {
    question: 'Headers, signature and credentials of lender notifications',
    decision: 'None.',
  },
  reversalReasons: {
    question: 'The allowed values of reversalReason, and whether it may be empty in a reversal',
    decision: 'Any string; in a reversal, one that is not empty.',
  },
  reversals: {
    question: 'Whether a reversal has the lenderTransactionCode of the receipt that it reverses',
    decision:
      'The client sends what it is given. In the mock a reversal has the code of the receipt that it reverses; the ledger reports a reversal without a receipt as a discrepancy. A repeat with other facts is refused.',
  },
  transactionCodes: {
    question: 'Whether two lenders may use the same lenderTransactionCode',
    decision:
      'They may not: in the mock a code identifies one receipt over all lenders, and the receipt of another lender under it is refused.',
  },
  repeatedAllocation: {
    question: 'What identifies an allocation notification that is sent again',
    decision:
      'The client sends what it is given. In the mock the requestId identifies it: the same allocation is acknowledged and stored once, another one is refused.',
  },
  bankSequence: {
    question: 'Whether an allocation may have another bankTransactionSequenceId than its receipt',
    decision: 'The client sends what it is given; the ledger of the mock reports it as a discrepancy.',
  },
  lenderAnswer: {
    question: 'Shape of the common response to lender notifications',
    decision:
      'Any 2xx is an acknowledgement and most 4xx are refusals; the mock responds with 200 or 400, and with requestId, resultStatus and resultMsg.',
  },
  addresses: {
    question: 'Addresses of the service, its sandbox host and the lender endpoints',
    decision: 'None is built in.',
  },
  paymentStates: worldQuestions.paymentStates,
  notificationDelivery: worldQuestions.notificationDelivery,
  responseDelay: worldQuestions.responseDelay,
  operationsNotShown: {
    question: 'Status query, cancel and refund, none of which is shown',
    decision: 'They are not offered by name.',
  },
  scheduleNotification: {
    question: 'The installment schedule notification that a lender should send after an allocation',
    decision:
      'It has no method of its own: `lender.post` sends what your own documents show, and `mock.handle` takes it.',
  },
  paymentNotification: worldQuestions.paymentNotification,
});

/** The name of an open question. */
export type OpenQuestionName = keyof typeof openQuestions;
