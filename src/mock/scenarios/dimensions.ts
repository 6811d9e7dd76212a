import type { ErrorStatus } from '../../protocol/result-statuses.js';
import type { ScenarioAssumptionName } from './assumptions.js';

/** Words of a notification that nobody documented. The last two have the word for paid in them. */
export const unknownStatuses = ['AWAITING_REVIEW', 'UNPAID', 'PARTIALLY_PAID'] as const;

/**
 * How the mock answers what the specification leaves open. Each value is an assumption about what a
 * service might do, and none is a fact about the service. The first value of each is the mock's own.
 */
export interface Scenario {
  /**
   * The same request under a known Idempotency-Key. `'conflict'` is HTTP 409 without a resultStatus, `'busy'` 422 for a
   * while; `'another'` creates another payment under the same reference.
   */
  readonly repeat: 'replay' | 'duplicate' | 'invalid' | 'conflict' | 'processing' | 'busy' | 'another';
  /** The first response to a request that creates a payment. `'processing'` is REQUEST_PROCESSING, although it exists. */
  readonly firstResponse: 'approved' | 'processing';
  /**
   * The HTTP status of a refusal. `'by-kind'` depends on the resultStatus; an object has the statuses of some, such as
   * `{ INVALID_SIGNATURE: 401 }`, and the others have 200.
   */
  readonly refusals: 200 | 'by-kind' | Readonly<Partial<Record<ErrorStatus, number>>>;
  /** The fields of a response to a merchant. `'sparse'` has the least, `'extra'` has some that nobody documented. */
  readonly responses: 'full' | 'sparse' | 'extra';
  /**
   * When a payment has ended, the notification is sent after the response, before it, twice, twice at once, never, or in a
   * single try before the response; or others come first, which are not final or have a status that nobody documented.
   */
  readonly notification:
    'after' | 'early' | 'twice' | 'together' | 'never' | 'pending-first' | 'unknown-status' | 'once';
  /** The serialization of the JSON of a notification. */
  readonly serialization: 'compact' | 'alternative';
  /** Whether signed notifications that do not belong to the order come before one of a payment that is not paid. */
  readonly events: 'own' | 'decoys';
  /** The behaviour of customers besides paying. Only a rehearsal plays them. */
  readonly customer:
    | 'pays'
    | 'opens-redirects'
    | 'older-link'
    | 'clicks-twice'
    | 'clicks-later'
    | 'after-restart'
    | 'changes-basket';
  /** Whether a payment that was declined or has expired may still be paid, and in which order both are announced. */
  readonly settlement: 'final' | 'late' | 'reordered';
  /** An upload that is sent again with the same bytes is one more invoice, or is answered as the first was. */
  readonly uploads: 'stored' | 'recognised';
  /** Whether each notification comes with forged ones that say paid. */
  readonly forged: boolean;
  /**
   * On the way, the first response for a reference is lost, a 502, or never comes; all responses for it are lost for a while;
   * its first request gets HTTP 429 or a redirect; or each response is slow.
   */
  readonly network:
    'ok' | 'lost-response' | 'gateway' | 'rate-limited' | 'slow' | 'outage' | 'hang' | 'redirect';
}

/** The name of a dimension, such as `repeat`. */
export type DimensionName = keyof Scenario;

/** A flag of a rehearsal without which the point of some scenarios cannot arise. */
export type RehearsalFlag = '--webhook' | '--order-url' | '--checkout' | '--checkout-changed' | '--restart';

/** One way in which services may differ. */
interface Dimension<Value> {
  /** The open question that its values answer. */
  readonly question: ScenarioAssumptionName;
  /** The behaviour that differs, as the beginning of a list. */
  readonly about: string;
  /** The values with a sentence for each; the first is the mock's own. */
  readonly values: readonly (readonly [value: Value, sentence: string])[];
  /** The values that are objects, of which there are too many for the list: one as it is written in code. */
  readonly object?: { readonly example: string; readonly sentence: string };
  /** A rehearsal without this flag does not judge its scenarios. */
  readonly needs?: RehearsalFlag;
}

/**
 * Every way in which the mock can answer differently. The checks of the option `scenario`, `--scenario`, the named
 * scenarios and the guide are made of this table. Each value is an assumption about what a service might do.
 */
export const dimensions: { readonly [Name in DimensionName]: Dimension<Scenario[Name]> } = {
  repeat: {
    question: 'repeatedKey',
    about: 'The same request under a known Idempotency-Key',
    values: [
      ['replay', 'It gets the stored response again.'],
      ['duplicate', 'It gets DUPLICATE_REFERENCE_ID.'],
      ['invalid', 'It gets INVALID_REQUEST.'],
      ['conflict', 'It gets HTTP 409, without a resultStatus.'],
      ['processing', 'It gets REQUEST_PROCESSING, however often it is retried.'],
      [
        'busy',
        'For 1.5 seconds after the first request it gets HTTP 422 and REQUEST_PROCESSING, then the stored response.',
      ],
      ['another', 'The service acts again: another payment under the same reference, with another link.'],
    ],
  },
  firstResponse: {
    question: 'refusals',
    about: 'The first response to a request that creates a payment',
    values: [
      ['approved', 'APPROVED, with the paymentUrl.'],
      ['processing', 'REQUEST_PROCESSING, although the payment exists; `repeat` says what a retry gets.'],
    ],
  },
  refusals: {
    question: 'httpStatus',
    about: 'The HTTP status of a refusal',
    values: [
      [200, 'Always 200, as for an approval.'],
      ['by-kind', 'It depends on the resultStatus: 401, 403, 404, 405, 409, 413, 422, 500 or 502, else 400.'],
    ],
    object: {
      example: '{ INVALID_SIGNATURE: 401 }',
      sentence: 'The object has it for some values of resultStatus; it is 200 for the others.',
    },
  },
  responses: {
    question: 'responseFields',
    about: 'The fields of a response to a merchant',
    values: [
      ['full', 'All documented fields; a refusal has no paymentUrl and no qrData.'],
      [
        'sparse',
        'Only resultStatus, and paymentUrl where a payment is approved: less than the specification requires of a payment.',
      ],
      ['extra', 'All documented fields, and some undocumented ones.'],
    ],
  },
  notification: {
    question: 'notificationDelivery',
    about: 'The notification of a payment that has ended',
    needs: '--webhook',
    values: [
      ['after', 'It is sent after the response, and again until it is acknowledged.'],
      [
        'early',
        'It is sent first; the response to the merchant or customer waits for it, for a second at most.',
      ],
      ['twice', 'It is sent again after it was delivered.'],
      ['together', 'It is sent twice at the same moment.'],
      ['never', 'It is never sent.'],
      ['pending-first', 'A signed one with a status that is not final arrives first, once.'],
      [
        'unknown-status',
        `Signed ones with undocumented statuses arrive first, once each: ${unknownStatuses.join(', ')}.`,
      ],
      [
        'once',
        'It is tried once, before the response to the merchant or customer, whatever the merchant responds.',
      ],
    ],
  },
  serialization: {
    question: 'paymentNotification',
    about: "The serialization of a notification's JSON",
    needs: '--webhook',
    values: [
      ['compact', 'Without white space, and with every letter as it is.'],
      [
        'alternative',
        'Its members are in another order, each colon has a space behind it, and letters beyond ASCII are escaped.',
      ],
    ],
  },
  events: {
    question: 'paymentNotification',
    about: 'Signed notifications that say paid, of a payment that is declined or expires',
    needs: '--webhook',
    values: [
      ['own', 'There are none.'],
      [
        'decoys',
        'Each arrives once, before the true one: with a lower amount, in USD, for an unknown reference, for another merchant. The customers of a rehearsal decline.',
      ],
    ],
  },
  customer: {
    question: 'redirects',
    about: 'The customers of a rehearsal',
    values: [
      ['pays', 'They do what `customer` says.'],
      [
        'opens-redirects',
        'They open the redirect URLs before anything is paid, also with parameters that look like success.',
      ],
      ['older-link', 'They decline, click in the shop again, and pay by the older link.'],
      [
        'clicks-twice',
        'They click twice at the same moment; the response to the first request for each reference takes 0.3 seconds.',
      ],
      ['clicks-later', 'They have the link, go back, click again later, and pay each link that they have.'],
      ['after-restart', 'They pay after the shop was restarted.'],
      [
        'changes-basket',
        'They have the link, change the basket so that it costs more, and pay the first link.',
      ],
    ],
  },
  settlement: {
    question: 'paymentStates',
    about: 'The end of a payment',
    needs: '--webhook',
    values: [
      ['final', 'A payment ends once.'],
      ['late', 'A payment that was declined or has expired may still be paid; both are announced.'],
      ['reordered', 'The same, and the notification of the earlier end arrives last.'],
    ],
  },
  uploads: {
    question: 'repeatedUpload',
    about: 'An upload that is sent again with the same bytes',
    values: [
      ['stored', 'It is one more invoice.'],
      ['recognised', 'It gets the response to the first one again.'],
    ],
  },
  forged: {
    question: 'paymentNotification',
    about: 'Forged notifications',
    needs: '--webhook',
    values: [
      [false, 'There are none.'],
      [
        true,
        'Each notification is accompanied by forged ones that say paid, with the right amount: without a signature, or with one of zeros, of another body, by another key, by an empty one, or with letters beyond ASCII.',
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
        'The first response for each reference and each file is lost after the service has acted.',
      ],
      [
        'gateway',
        'The first response for each reference is the 502 of a gateway after the service has acted.',
      ],
      [
        'rate-limited',
        'The first request for each reference is refused with HTTP 429 and `Retry-After: 1`: rate limits are not documented either.',
      ],
      ['slow', 'Each response takes 0.3 seconds or more.'],
      [
        'outage',
        'The service acts on the first request for each reference; its response, and all for that reference within three seconds, are lost.',
      ],
      [
        'hang',
        'The service acts on the first request for each reference, and does not respond until the merchant gives up, for 20 seconds at most.',
      ],
      [
        'redirect',
        'The first request for each reference gets HTTP 307 with another address, where the mock would approve it.',
      ],
    ],
  },
};

export const dimensionNames = Object.keys(dimensions) as readonly DimensionName[];

/** The values of a dimension with their sentences, the mock's own first. */
export function valuesOf(name: DimensionName): readonly (readonly [Scenario[DimensionName], string])[] {
  return dimensions[name].values;
}

/** The scenario of the mock's own answers. */
export const baselineScenario = Object.freeze(
  Object.fromEntries(dimensionNames.map((name) => [name, valuesOf(name)[0]?.[0]])),
) as unknown as Scenario;
