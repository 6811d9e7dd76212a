import { tableOf } from './table-of.js';

/** The time of a customer where an order has no `transExpiredTime`. */
export const defaultPaymentMinutes = 15;

/** A question that the specification leaves open, and the decision of this package. */
export interface OpenQuestion {
  /** Not stated by the specification. */
  readonly question: string;
  /** How this package behaves. */
  readonly decision: string;
}

/** The open questions that a world answers otherwise. The guide to all of them is made of `scripts/open-questions.ts`. */
export const worldQuestions = tableOf<OpenQuestion>()({
  repeatedKey: {
    question: 'What the service does with a repeated Idempotency-Key',
    decision:
      'The client repeats a request under the same key, and takes a refusal of a repeat for unknown; the mock gives the stored answer again.',
  },
  httpStatus: {
    question: 'HTTP status that comes with a result',
    decision:
      'A documented resultStatus decides, under any HTTP status. Without one, a whole answer with a 4xx is a refusal, except 407, 408, 409, 421 and 425; anything else leaves the outcome unknown.',
  },
  refusals: {
    question: 'Which result statuses mean that nothing was created',
    decision:
      'All but REQUEST_PROCESSING, DOWNSTREAM_ERROR, DUPLICATE_REFERENCE_ID and ERROR_GENERAL of an upload, after which the outcome is unknown.',
  },
  rateLimits: {
    question: 'Rate limits, and how the service tells of them',
    decision:
      'A whole answer with HTTP 429 and without a resultStatus is a refusal, which is repeated; Retry-After is obeyed up to 30 seconds.',
  },
  answerFields: {
    question:
      'Which fields the answer to an upload has, and whether a refused payment has all that are required in its answer',
    decision:
      'The client insists on resultStatus, and on paymentUrl in an approved payment. It accepts an answer without the others, although the specification requires all but qrData in the answer to a payment.',
  },
  repeatedUpload: {
    question: 'What the service does with a repeated upload or allocation notification',
    decision: 'The client repeats one only if the service certainly did not act on it.',
  },
  redirects: {
    question: 'When the redirect URLs are opened, how often, and with which parameters',
    decision: 'They prove nothing, since anybody can open them. The mock opens them as given.',
  },
  paymentStates: {
    question: 'The states of a payment and the moves between them',
    decision: 'In the mock a pending payment becomes paid, declined or expired, once and for good.',
  },
  notificationDelivery: {
    question: 'When a payment notification is sent, how often, and in which order',
    decision:
      'The mock sends one after the payment has ended, again until it is acknowledged; a merchant has to expect any order and repeats.',
  },
  answerTime: {
    question: 'How long an answer may take, and what a gateway in front of the service answers',
    decision:
      "The client waits within its limits. An answer that is late or lost, or a gateway's 5xx, leaves the outcome unknown; a gateway's 4xx cannot be told from the service's.",
  },
  paymentNotification: {
    question: 'Shape and signature of the payment notification that the service sends to the merchant',
    decision: 'Any JSON, signed as a merchant signs its own: HMAC-SHA256 in hex over the exact body.',
  },
});

/** The name of an open question that a world answers otherwise. */
export type WorldQuestionName = keyof typeof worldQuestions;
