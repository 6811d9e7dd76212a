import type { ErrorStatus } from '../../protocol/result-statuses.js';

/**
 * Status values of a webhook that are not documented. The last two contain the letters PAID, so a careless shop counts
 * them as paid.
 */
export const unknownStatuses = ['AWAITING_REVIEW', 'UNPAID', 'PARTIALLY_PAID'] as const;

/**
 * The behaviour of the mock in points that the specification leaves open. Each value is an assumption about what a
 * service might do, not a fact about the service. The first value of each dimension is the baseline.
 */
export interface Scenario {
  /**
   * The response to a repeated request with the same Idempotency-Key. `'conflict'` is HTTP 409 without a resultStatus,
   * `'busy'` is HTTP 422 for a while, and `'another'` creates a second payment with the same `referenceId`.
   */
  readonly repeat: 'replay' | 'duplicate' | 'invalid' | 'conflict' | 'processing' | 'busy' | 'another';
  /**
   * The first response to a request that creates a payment. `'processing'` is REQUEST_PROCESSING, although the
   * payment exists.
   */
  readonly firstResponse: 'approved' | 'processing';
  /**
   * The HTTP status of a refusal. With `'by-kind'`, the HTTP status depends on the resultStatus. An object contains the
   * HTTP statuses of some result statuses, such as `{ INVALID_SIGNATURE: 401 }`. All others then have HTTP 200.
   */
  readonly refusals: 200 | 'by-kind' | Readonly<Partial<Record<ErrorStatus, number>>>;
  /**
   * The fields of a response to a merchant: all documented fields, the fewest possible (`'sparse'`), or undocumented
   * fields too (`'extra'`).
   */
  readonly responses: 'full' | 'sparse' | 'extra';
  /**
   * How the webhook of a settled payment is sent. `'after'`: when the payment is settled. `'early'`: before the
   * mock responds to the initiate request, or to the customer on the payment page. `'once'`: as with `'early'`, but in
   * a single attempt. `'twice'`: again after its delivery. `'together'`: twice at the same time. `'never'`: not at all.
   * `'pending-first'`: after a webhook whose status is not final. `'unknown-status'`: after webhooks whose status is
   * not documented.
   */
  readonly notification:
    | 'after'
    | 'early'
    | 'twice'
    | 'together'
    | 'never'
    | 'pending-first'
    | 'unknown-status'
    | 'once';
  /** The serialization of the JSON of a webhook. */
  readonly serialization: 'compact' | 'alternative';
  /**
   * The webhooks of a payment that is declined or expires. `'own'`: only the payment's own webhook. `'decoys'`: decoys
   * before that webhook. These decoys are signed webhooks that say paid, each with one wrong fact.
   */
  readonly events: 'own' | 'decoys';
  /** What customers do, besides paying. Only a rehearsal simulates customers. */
  readonly customer:
    | 'pays'
    | 'opens-redirects'
    | 'older-link'
    | 'clicks-twice'
    | 'clicks-later'
    | 'after-restart'
    | 'changes-basket';
  /**
   * Whether a payment that was declined or has expired can be paid later, and in which order both webhooks are sent.
   */
  readonly settlement: 'final' | 'late' | 'reordered';
  /** Whether an upload that is sent again with the same bytes adds an invoice, or gets the first response again. */
  readonly uploads: 'stored' | 'recognised';
  /** Whether each webhook is accompanied by forged webhooks that say paid. */
  readonly forged: boolean;
  /**
   * The network between merchant and service. `'lost-response'`, `'gateway'` and `'hang'`: the first response for each
   * payment is lost, is HTTP 502, or does not arrive for a long time. `'outage'`: all responses for a payment are lost
   * for a while. `'rate-limited'` and `'redirect'`: the first request for each payment gets HTTP 429 or a redirect.
   * `'slow'`: each response is slow.
   */
  readonly network:
    | 'ok'
    | 'lost-response'
    | 'gateway'
    | 'rate-limited'
    | 'slow'
    | 'outage'
    | 'hang'
    | 'redirect';
}

/** The name of a dimension, such as `repeat`. */
export type DimensionName = keyof Scenario;

/** A flag of a rehearsal. Scenarios that need a flag are not judged without this flag. */
export type RehearsalFlag = '--webhook' | '--order-url' | '--checkout' | '--checkout-changed' | '--restart';
