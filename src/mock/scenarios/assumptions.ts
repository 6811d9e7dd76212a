import { tableOf } from '../../values/collections.js';

/** A question that the specification leaves open, and what this package assumes. */
export interface Assumption {
  /** The question that the specification does not answer. */
  readonly question: string;
  /** How this package behaves. */
  readonly assumption: string;
}

/**
 * The assumptions that a scenario can replace. `scripts/assumptions.ts` adds all other assumptions, for the guide and
 * for openapi.json.
 */
export const scenarioAssumptions = tableOf<Assumption>()({
  repeatedKey: {
    question: 'A repeated Idempotency-Key',
    assumption:
      'The client retries with the same key, and reports a refused retry as unknown. The mock sends the stored response again.',
  },
  httpStatus: {
    question: 'HTTP status of a response with a result',
    assumption:
      'A documented resultStatus decides. Without one, a complete 4xx is a refusal, except 407, 408, 409, 421 and 425. Anything else is unknown.',
  },
  refusals: {
    question: 'Result statuses that mean that nothing was created',
    assumption:
      'All except REQUEST_PROCESSING, DOWNSTREAM_ERROR, DUPLICATE_REFERENCE_ID and ERROR_GENERAL of an upload.',
  },
  rateLimits: {
    question: 'Rate limits',
    assumption:
      'A complete HTTP 429 without a resultStatus is a refusal, which is retried after Retry-After, if that is at most 30 seconds.',
  },
  responseFields: {
    question: 'Fields of a response',
    assumption:
      'The client requires fewer than the specification: resultStatus, and paymentUrl in an approved payment.',
  },
  repeatedUpload: {
    question: 'A repeated upload or allocation',
    assumption: 'The client retries only if the service certainly did not act.',
  },
  redirects: {
    question: 'When and how the redirect URLs are opened',
    assumption: 'Anyone can open a redirect URL, so it proves nothing. The mock opens the URLs as given.',
  },
  paymentStates: {
    question: 'States of a payment',
    assumption: 'In the mock, a pending payment becomes paid, declined or expired, and this status is final.',
  },
  notificationDelivery: {
    question: 'When and how often a webhook is sent',
    assumption:
      'Expect duplicates, in any order. The mock repeats a webhook up to three times until it is acknowledged.',
  },
  responseDelay: {
    question: 'Slow responses, and gateways',
    assumption:
      "The client waits within its limits. A late or lost response, a redirect and a 5xx are unknown. A gateway's 4xx counts like a 4xx of the service.",
  },
  paymentNotification: {
    question: 'Shape and signature of a webhook',
    assumption: "Any JSON, signed like a merchant's requests: HMAC-SHA256 in hex over the exact body.",
  },
});

/** The name of an assumption that a scenario replaces. */
export type ScenarioAssumptionName = keyof typeof scenarioAssumptions;
