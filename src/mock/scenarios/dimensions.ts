import type { ScenarioAssumptionName } from './assumptions.js';
import { unknownStatuses, type DimensionName, type RehearsalFlag, type Scenario } from './scenario.js';

/** A question that scenarios answer differently, with the possible answers. */
interface Dimension<Value> {
  /** The name of the question, which the specification leaves open. */
  readonly question: ScenarioAssumptionName;
  /** The heading for the list of the values. */
  readonly about: string;
  /** The values, each with a sentence. The first value is the baseline. */
  readonly values: readonly (readonly [value: Value, sentence: string])[];
  /**
   * An example of a value that is an object, as code, with the sentence for all such values, which are too many to
   * list. `rule` is the message for a wrong value of the dimension.
   */
  readonly object?: { readonly example: string; readonly sentence: string; readonly rule: string };
  /** The flag without which a rehearsal does not judge the scenarios of this dimension. */
  readonly needs?: RehearsalFlag;
}

/**
 * The dimensions of a scenario, with their values. The checks of the option `scenario`, the flag `--scenario`, the
 * named scenarios and the guide use this table. Each value is an assumption about what a service might do.
 */
export const dimensions: { readonly [Name in DimensionName]: Dimension<Scenario[Name]> } = {
  repeat: {
    question: 'repeatedKey',
    about: 'The response to a repeated Idempotency-Key',
    values: [
      ['replay', 'The stored response.'],
      ['duplicate', 'DUPLICATE_REFERENCE_ID.'],
      ['invalid', 'INVALID_REQUEST.'],
      ['conflict', 'HTTP 409, without a resultStatus.'],
      ['processing', 'REQUEST_PROCESSING, however often the request is repeated.'],
      [
        'busy',
        'HTTP 422 and REQUEST_PROCESSING for 3 seconds after the first request, then the stored response.',
      ],
      ['another', 'The service creates another payment, with the same referenceId and another link.'],
    ],
  },
  firstResponse: {
    question: 'refusals',
    about: 'The first response to a request that creates a payment',
    values: [
      ['approved', 'APPROVED, with the paymentUrl.'],
      [
        'processing',
        'REQUEST_PROCESSING, although the payment exists. `repeat` defines the response to a repeated request.',
      ],
    ],
  },
  refusals: {
    question: 'httpStatus',
    about: 'The HTTP status of a refusal',
    values: [
      [200, 'Always 200, as for an approval.'],
      ['by-kind', 'It depends on the resultStatus: 400, 401, 403, 404, 405, 409, 413, 422, 500 or 502.'],
    ],
    object: {
      example: '{ INVALID_SIGNATURE: 401 }',
      sentence: 'The HTTP status for some values of resultStatus, and 200 for all other values.',
      rule: "must be 200 (the HTTP status of all refusals), 'by-kind' (the HTTP status depends on the resultStatus), or an object such as { INVALID_SIGNATURE: 401 }",
    },
  },
  responses: {
    question: 'responseFields',
    about: 'The fields of a response to a merchant',
    values: [
      ['full', 'All documented fields. A refusal has no paymentUrl and no qrData.'],
      [
        'sparse',
        'Only resultStatus, and paymentUrl of an approved payment. The specification requires more.',
      ],
      ['extra', 'All documented fields, and undocumented ones.'],
    ],
  },
  notification: {
    question: 'notificationDelivery',
    about: 'The webhook of a settled payment',
    needs: '--webhook',
    values: [
      ['after', 'The webhook is sent when the payment is settled, and again until it is acknowledged.'],
      [
        'early',
        "The mock sends the webhook before it answers the customer's click on the payment page. If the payment is settled before the mock answers the initiate request, the webhook comes before this answer. The mock waits up to one second for the shop's response.",
      ],
      ['twice', 'The webhook is sent again after its delivery.'],
      ['together', 'The webhook is sent twice at the same moment.'],
      ['never', 'No webhook is sent.'],
      ['pending-first', 'A signed webhook with a status that is not final arrives first, once.'],
      [
        'unknown-status',
        `Signed webhooks with undocumented statuses arrive first, once each: ${unknownStatuses.join(', ')}.`,
      ],
      ['once', 'As with `early`, but the webhook is sent only once, whatever the shop responds.'],
    ],
  },
  serialization: {
    question: 'paymentNotification',
    about: "The serialization of a webhook's JSON",
    needs: '--webhook',
    values: [
      ['compact', 'No white space, and no escaped letters.'],
      [
        'alternative',
        'Members in another order than in `compact`, a space after each colon, and escapes for letters beyond ASCII.',
      ],
    ],
  },
  events: {
    question: 'paymentNotification',
    about: 'Signed webhooks that say paid, for a payment that is declined or expires',
    needs: '--webhook',
    values: [
      ['own', 'No such webhooks are sent.'],
      [
        'decoys',
        'Four such webhooks arrive, once each, before the genuine webhook: with a lower amount, in USD, for an unknown referenceId, and for another merchant. Every payment is declined.',
      ],
    ],
  },
  customer: {
    question: 'redirects',
    about: 'The customers of a rehearsal',
    values: [
      ['pays', 'The customers do only what `--customer` says.'],
      [
        'opens-redirects',
        'The customers open the redirect URLs before they pay, and once more with parameters that suggest success.',
      ],
      [
        'older-link',
        'The first payment of each order is declined. The customers click in the shop again, and pay with the older link.',
      ],
      ['clicks-twice', 'The customers click twice at the same moment. The first response takes 0.3 seconds.'],
      [
        'clicks-later',
        'The customers get the link, go back, click again later, and pay with every link that they got.',
      ],
      ['after-restart', 'The customers pay after the shop was restarted.'],
      ['changes-basket', 'The customers get the link, add to the basket, and pay with the first link.'],
    ],
  },
  settlement: {
    question: 'paymentStates',
    about: 'The result of a payment',
    needs: '--webhook',
    values: [
      ['final', 'The result does not change later.'],
      ['late', 'A declined or expired payment can be paid later. A webhook is sent for each result.'],
      [
        'reordered',
        'A declined or expired payment can be paid later. The webhook of the earlier result arrives last.',
      ],
    ],
  },
  uploads: {
    question: 'repeatedUpload',
    about: 'An upload that is sent again with the same bytes',
    values: [
      ['stored', 'The upload adds another invoice.'],
      ['recognised', 'The upload gets the first response again.'],
    ],
  },
  forged: {
    question: 'paymentNotification',
    about: 'Forged webhooks',
    needs: '--webhook',
    values: [
      [false, 'No forged webhooks are sent.'],
      [
        true,
        'Each webhook comes with forged webhooks that say paid, with the right amount. Their signature is missing, or wrong in different ways.',
      ],
    ],
  },
  network: {
    question: 'responseDelay',
    about: 'The network between merchant and service',
    values: [
      ['ok', 'Each response arrives at once.'],
      [
        'lost-response',
        'The first response for each referenceId and each file is lost after the service has acted.',
      ],
      [
        'gateway',
        'The first response for each referenceId is the 502 of a gateway, after the service has acted.',
      ],
      [
        'rate-limited',
        'The first request for each referenceId is refused with HTTP 429 and `Retry-After: 1`.',
      ],
      ['slow', 'Each response takes 0.3 seconds or more.'],
      [
        'outage',
        'The service acts on the first request for each referenceId. For three seconds from this request, all responses for the referenceId are lost.',
      ],
      [
        'hang',
        'The service acts on the first request for each referenceId, and does not respond for up to 20 seconds.',
      ],
      [
        'redirect',
        'The first request for each referenceId gets HTTP 307 to another address, at which the mock would approve it.',
      ],
    ],
  },
};

export const dimensionNames = Object.keys(dimensions) as readonly DimensionName[];

/** The values of a dimension with their sentences. The first value is the baseline. */
export function valuesOf(name: DimensionName): readonly (readonly [Scenario[DimensionName], string])[] {
  return dimensions[name].values;
}

/** The scenario with the first value of every dimension. */
export const baselineScenario = Object.freeze(
  Object.fromEntries(dimensionNames.map((name) => [name, valuesOf(name)[0]?.[0]])),
) as unknown as Scenario;
