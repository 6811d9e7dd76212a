import type { JournalEntry } from '../../mock/state/journal-types.js';

/** Requests of an earlier world that came only after its run had ended. */
export interface Late {
  /** Of requests that came after their world. */
  readonly references: readonly string[];
  /** The `settleMs` that waits for them, in milliseconds. */
  readonly settleMs: number;
}

// The next run may be slower, and people pass whole seconds.
const marginFactor = 1.2;
const roundedToMs = 1000;

/**
 * The references of all worlds, and when anything last happened to each. A request for one of an earlier world is late, and
 * must not count in a later world. A test that takes the same references in each world has nothing that is late.
 */
export class KnownReferences {
  /** When anything last happened to each reference, in milliseconds. */
  readonly #lastMs = new Map<string, number>();
  /** The longest silence before something came for each late reference: no shorter wait is enough for it. */
  readonly #silenceMs = new Map<string, number>();
  /** The references of earlier worlds. */
  #earlier: ReadonlySet<string> = new Set();
  /** The references that the first world initiated. */
  #firstInitiated: ReadonlySet<string> | undefined;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Call this with the reference of each request and webhook, as it happens. */
  note(referenceId: string): void {
    const nowMs = this.nowMs();
    if (this.#earlier.has(referenceId)) {
      const silenceMs = nowMs - (this.#lastMs.get(referenceId) ?? nowMs);
      this.#silenceMs.set(referenceId, Math.max(silenceMs, this.#silenceMs.get(referenceId) ?? 0));
    }
    this.#lastMs.set(referenceId, nowMs);
  }

  /** The references of these requests that are not late. */
  inTime(requests: readonly JournalEntry[]): readonly string[] {
    const late = this.lateIn(requests)?.references ?? [];
    return referencesOf(requests).filter((each) => !late.includes(each));
  }

  /** The references of these requests that are late; undefined if there are none. */
  lateIn(requests: readonly JournalEntry[]): Late | undefined {
    if (this.#isReusedBy(requests)) return undefined;
    const references = referencesOf(requests).filter((each) => this.#earlier.has(each));
    if (references.length === 0) return undefined;
    const silenceMs = Math.max(...references.map((each) => this.#silenceMs.get(each) ?? 0));
    return { references, settleMs: Math.ceil((silenceMs * marginFactor) / roundedToMs) * roundedToMs };
  }

  /** Ends a world: what comes for its references from now on is late. */
  endWorld(requests: readonly JournalEntry[]): void {
    this.#firstInitiated ??= new Set(referencesOf(requests.filter(isInitiated)));
    this.#earlier = new Set(this.#lastMs.keys());
  }

  /**
   * True if the run takes the references of the first world again. Then it begins with one of them. A shop that takes new
   * references begins with a new one, also where a slow job still uploads the invoices of the orders before.
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
