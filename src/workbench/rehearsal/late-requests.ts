import { orderNamedIn } from '../findings/journal-queries.js';
import type { JournalEntry } from '../../mock/observation.js';

/** Requests of an earlier scenario that came after its run had ended. */
export interface LateRequests {
  /** The references of these requests. */
  readonly references: readonly string[];
  /** The `settleMs` that is long enough to wait for them, in milliseconds. */
  readonly settleMs: number;
}

// The next run can be slower, and users pass whole seconds.
const marginFactor = 1.2;
const roundedToMs = 1000;

/**
 * Tracks the references of all scenarios, and the time of the last event for each. A request is late, and is not
 * counted in a later scenario, if its reference or its order belongs to an earlier scenario. If a test uses the same
 * references in each scenario, nothing is late.
 */
export class LateRequestTracker {
  /** The time of the last event for each reference and each order, in milliseconds. */
  readonly #lastMs = new Map<string, number>();
  /** The longest silence before each late request, by reference. A shorter wait would miss the request. */
  readonly #silenceMs = new Map<string, number>();
  /** The references and orders of earlier scenarios. */
  readonly #earlier = new Set<string>();
  /** The names of the orders that the rehearsal has placed. */
  readonly #orderNames: string[] = [];
  /** The references that the first scenario initiated. */
  #firstInitiated: ReadonlySet<string> | undefined;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Begins a scenario. `orderNames` are its orders, if the rehearsal calls the checkout. */
  beginScenario(orderNames: readonly string[]): void {
    this.#orderNames.push(...orderNames);
  }

  /** Records a request or a webhook when it happens, with its reference and the body of a request. */
  note(referenceId: string, body = ''): void {
    const nowMs = this.nowMs();
    const order = orderNamedIn({ referenceId, body }, this.#orderNames) ?? referenceId;
    // A new reference also belongs to the earlier scenario if its order does.
    if (this.#earlier.has(order) && !this.#lastMs.has(referenceId)) this.#earlier.add(referenceId);
    if (this.#earlier.has(referenceId)) {
      const lastMs = this.#lastMs.get(referenceId) ?? this.#lastMs.get(order) ?? nowMs;
      this.#silenceMs.set(referenceId, Math.max(nowMs - lastMs, this.#silenceMs.get(referenceId) ?? 0));
    }
    for (const each of [referenceId, order]) this.#lastMs.set(each, nowMs);
  }

  /** The references of these requests that are not late. */
  inTime(requests: readonly JournalEntry[]): readonly string[] {
    const lateReferences = this.lateIn(requests)?.references ?? [];
    return referencesOf(requests).filter((each) => !lateReferences.includes(each));
  }

  /** True if a reference is late in a run of these requests. */
  isLate(referenceId: string, requests: readonly JournalEntry[]): boolean {
    return this.#earlier.has(referenceId) && !this.#isReusedBy(requests);
  }

  /** The references of these requests that are late; undefined if there are none. */
  lateIn(requests: readonly JournalEntry[]): LateRequests | undefined {
    const references = referencesOf(requests).filter((each) => this.isLate(each, requests));
    if (references.length === 0) return undefined;
    const silenceMs = Math.max(...references.map((each) => this.#silenceMs.get(each) ?? 0));
    return { references, settleMs: Math.ceil((silenceMs * marginFactor) / roundedToMs) * roundedToMs };
  }

  /** Ends a scenario. Later requests for its references are late. */
  endScenario(requests: readonly JournalEntry[]): void {
    this.#firstInitiated ??= new Set(referencesOf(requests.filter(isInitiated)));
    for (const each of this.#lastMs.keys()) this.#earlier.add(each);
  }

  /**
   * True if the run uses the references of the first scenario again. Such a run begins with a reference of the first
   * scenario. A shop that uses new references begins with a new reference, even if a slow job still uploads the
   * invoices of earlier orders.
   */
  #isReusedBy(requests: readonly JournalEntry[]): boolean {
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
