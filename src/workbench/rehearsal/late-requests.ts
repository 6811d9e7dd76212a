import { orderNamedIn } from '../findings/journal-queries.js';
import type { JournalEntry } from '../../mock/observation.js';

/** Requests of an earlier scenario that came only after its run had ended. */
export interface LateRequests {
  /** Of requests that came after their scenario. */
  readonly references: readonly string[];
  /** The `settleMs` that waits for them, in milliseconds. */
  readonly settleMs: number;
}

// The next run may be slower, and people pass whole seconds.
const marginFactor = 1.2;
const roundedToMs = 1000;

/**
 * The references of all scenarios, and when anything last happened to each. A request for one of an earlier scenario is
 * late, and must not count in a later scenario; so is one for another reference of an order that was clicked in an earlier
 * scenario. A test that takes the same references in each scenario has nothing that is late.
 */
export class LateRequestTracker {
  /** When anything last happened to each reference and each order, in milliseconds. */
  readonly #lastMs = new Map<string, number>();
  /** The longest silence before something came for each late reference: no shorter wait is enough for it. */
  readonly #silenceMs = new Map<string, number>();
  /** The references and orders of earlier scenarios. */
  readonly #earlier = new Set<string>();
  /** The names with which the rehearsal has clicked. */
  readonly #orderNames: string[] = [];
  /** The references that the first scenario initiated. */
  #firstInitiated: ReadonlySet<string> | undefined;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Begins a scenario with the names of its orders, if the rehearsal clicks for them. */
  beginScenario(orderNames: readonly string[]): void {
    this.#orderNames.push(...orderNames);
  }

  /** Call this with the reference of each request and webhook, as it happens, and the body of a request. */
  note(referenceId: string, body = ''): void {
    const nowMs = this.nowMs();
    const order = orderNamedIn({ referenceId, body }, this.#orderNames) ?? referenceId;
    // A new reference of an order of an earlier scenario is of that scenario too.
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

  /** True for a reference that is late in a run of these requests. */
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

  /** Ends a scenario: what comes for its references from now on is late. */
  endScenario(requests: readonly JournalEntry[]): void {
    this.#firstInitiated ??= new Set(referencesOf(requests.filter(isInitiated)));
    for (const each of this.#lastMs.keys()) this.#earlier.add(each);
  }

  /**
   * True if the run takes the references of the first scenario again. Then it begins with one of them. A shop that takes
   * new references begins with a new one, also where a slow job still uploads the invoices of the orders before.
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
