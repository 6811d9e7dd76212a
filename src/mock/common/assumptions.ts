import { tableOf } from '../../values/collections.js';

/** The time of a customer where an order has no `transExpiredTime`. */
export const defaultPaymentMinutes = 15;

/** A question that the specification leaves open, and what this package assumes. */
export interface Assumption {
  /** Not stated by the specification. */
  readonly question: string;
  /** How this package behaves. */
  readonly assumption: string;
}

/** The assumptions that a scenario replaces. The guide to all of them is made of `scripts/assumptions.ts`. */
export const scenarioAssumptions = tableOf<Assumption>()({
  repeatedKey: {
    question: 'What the service does with a repeated Idempotency-Key',
    assumption:
      'The client retries a request with the same key, and reports a refused retry as unknown. The mock sends the stored response again.',
  },
  httpStatus: {
    question: 'HTTP status of a response with a result',
    assumption:
      'A documented resultStatus decides, under any HTTP status. Without one, a complete response with a 4xx is a refusal, except 407, 408, 409, 421 and 425; anything else leaves the outcome unknown.',
  },
  refusals: {
    question: 'Which result statuses mean that nothing was created',
    assumption:
      'All but REQUEST_PROCESSING, DOWNSTREAM_ERROR, DUPLICATE_REFERENCE_ID and ERROR_GENERAL of an upload, after which the outcome is unknown.',
  },
  rateLimits: {
    question: 'Rate limits, and how the service reports them',
    assumption:
      'A complete response with HTTP 429 and without a resultStatus is a refusal, which is retried; Retry-After is obeyed up to 30 seconds.',
  },
  responseFields: {
    question:
      'Which fields the response to an upload has, and whether the response to a refused payment has all that are required',
    assumption:
      'The client requires resultStatus, and paymentUrl in an approved payment. It accepts a response without the others, although the specification requires all but qrData in the response to a payment.',
  },
  repeatedUpload: {
    question: 'What the service does with an upload or allocation notification that is sent again',
    assumption: 'The client retries one only if the service certainly did not act on it.',
  },
  redirects: {
    question: 'When the redirect URLs are opened, how often, and with which parameters',
    assumption: 'They prove nothing, since anybody can open them. The mock opens them as given.',
  },
  paymentStates: {
    question: 'The states of a payment and the moves between them',
    assumption: 'In the mock a pending payment becomes paid, declined or expired, once and for good.',
  },
  notificationDelivery: {
    question: 'When a payment notification is sent, how often, and in which order',
    assumption:
      'The mock sends one after the payment has ended, and again until it is acknowledged. A merchant has to expect duplicates, in any order.',
  },
  responseDelay: {
    question: 'How long a response may take, and how a gateway in front of the service responds',
    assumption:
      "The client waits within its limits. A response that is late or lost, a redirect, which is never followed, or a gateway's 5xx leaves the outcome unknown. A gateway's 4xx cannot be told from the service's.",
  },
  paymentNotification: {
    question: 'Shape and signature of the payment notification that the service sends to the merchant',
    assumption: 'Any JSON, signed as a merchant signs its own: HMAC-SHA256 in hex over the exact body.',
  },
});

/** The name of an assumption that a scenario replaces. */
export type ScenarioAssumptionName = keyof typeof scenarioAssumptions;
