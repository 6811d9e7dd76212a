import { orderNamedIn } from '../findings/journal-queries.js';
import type { JournalEntry } from '../../mock/observation.js';

/** Requests for orders of earlier scenarios that arrived after their own scenario had ended. */
export interface LateRequests {
  /** The references of these requests. */
  readonly references: readonly string[];
  /** The `settleMs` that would have been long enough for these requests, in milliseconds. */
  readonly settleMs: number;
}

// The next rehearsal can be slower, and users prefer whole seconds.
const marginFactor = 1.2;
const roundToMs = 1000;

/**
 * Tracks the references of all scenarios, and the time of the last change for each reference. A request is late if its
 * reference or its order belongs to an earlier scenario. Late requests are ignored. If a test uses the same references
 * in each scenario, no request is late.
 */
export class LateRequestTracker {
  /** The time of the last change for each reference and each order, in milliseconds. */
  readonly #lastChangeMs = new Map<string, number>();
  /**
   * For each reference, the longest silence before one of its late requests, in milliseconds. With a `settleMs` above
   * this time, the scenario would have waited for the request.
   */
  readonly #longestSilenceMs = new Map<string, number>();
  /** The references and orders of earlier scenarios. */
  readonly #ofEarlierScenarios = new Set<string>();
  /** The names of the orders that the rehearsal has placed. */
  readonly #orderNames: string[] = [];
  /** The references of the initiate requests in the first scenario. */
  #firstInitiated: ReadonlySet<string> | undefined;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Begins a scenario. `orderNames` are the names of its orders, if the rehearsal calls the checkout. */
  beginScenario(orderNames: readonly string[]): void {
    this.#orderNames.push(...orderNames);
  }

  /** Records a change of a request, webhook or payment with this reference. `body` is the body of a request. */
  record(referenceId: string, body = ''): void {
    const nowMs = this.nowMs();
    const order = orderNamedIn({ referenceId, body }, this.#orderNames) ?? referenceId;
    // If an order belongs to an earlier scenario, a new reference for that order belongs to that scenario too.
    if (this.#ofEarlierScenarios.has(order) && !this.#lastChangeMs.has(referenceId))
      this.#ofEarlierScenarios.add(referenceId);
    if (this.#ofEarlierScenarios.has(referenceId)) {
      const lastMs = this.#lastChangeMs.get(referenceId) ?? this.#lastChangeMs.get(order) ?? nowMs;
      this.#longestSilenceMs.set(
        referenceId,
        Math.max(nowMs - lastMs, this.#longestSilenceMs.get(referenceId) ?? 0),
      );
    }
    for (const each of [referenceId, order]) this.#lastChangeMs.set(each, nowMs);
  }

  /** Returns the references of these requests, without late references. */
  referencesNotLate(requests: readonly JournalEntry[]): readonly string[] {
    const lateReferences = this.lateRequestsIn(requests)?.references ?? [];
    return referencesOf(requests).filter((each) => !lateReferences.includes(each));
  }

  /**
   * True if this reference belongs to an earlier scenario. Always false if these requests show that the run uses the
   * references of the first scenario again.
   */
  isLateReference(referenceId: string, requests: readonly JournalEntry[]): boolean {
    return this.#ofEarlierScenarios.has(referenceId) && !this.#usesSameReferences(requests);
  }

  /** Returns the late requests among these requests; undefined if none is late. */
  lateRequestsIn(requests: readonly JournalEntry[]): LateRequests | undefined {
    const references = referencesOf(requests).filter((each) => this.isLateReference(each, requests));
    if (references.length === 0) return undefined;
    const neededMs = Math.max(...references.map((each) => this.#longestSilenceMs.get(each) ?? 0));
    return { references, settleMs: Math.ceil((neededMs * marginFactor) / roundToMs) * roundToMs };
  }

  /** Ends a scenario. From now on, requests for its references are late. */
  endScenario(requests: readonly JournalEntry[]): void {
    this.#firstInitiated ??= new Set(referencesOf(requests.filter(isInitiated)));
    for (const each of this.#lastChangeMs.keys()) this.#ofEarlierScenarios.add(each);
  }

  /**
   * True if the first initiate request has a reference of the first scenario: the run uses the same references again.
   * Uploads are not compared, because a slow job can upload invoices of earlier orders in any run.
   */
  #usesSameReferences(requests: readonly JournalEntry[]): boolean {
    const first = requests.find(isInitiated)?.referenceId;
    return first !== undefined && this.#firstInitiated?.has(first) === true;
  }
}

function referencesOf(requests: readonly JournalEntry[]): readonly string[] {
  return [...new Set(requests.flatMap(({ referenceId }) => referenceId ?? []))];
}

function isInitiated({ operation, referenceId }: JournalEntry): boolean {
  return operation === 'initiatePayment' && referenceId !== undefined;
}
