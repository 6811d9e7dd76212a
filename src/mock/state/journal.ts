import { isDate } from 'node:util/types';
import { ConfigurationError } from '../../errors/errors.js';
import type { Operation } from '../../protocol/endpoints.js';
import type { Changes } from './changes.js';
import type { Incoming } from '../service/delivery.js';
import type { JournalEntry, JournalMatch } from './journal-types.js';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An entry that the core still writes to. */
export type OpenEntry = Mutable<JournalEntry>;

/** Characters kept of a body; the rest is counted only. */
const keptCharacters = 16 * 1024;

// An allow-list: a signature or a credential of any kind never gets in.
const keptHeaders = [
  'content-type',
  'content-length',
  'client-id',
  'request-time',
  'idempotency-key',
  'user-agent',
  'accept',
  'host',
] as const;

/** The start of a text. Copied: a mere slice would keep the whole of it alive. */
function startOf(text: string, characters: number): string {
  return text.length <= characters ? text : Buffer.from(text.slice(0, characters)).toString();
}

/** As much of a text as the journal keeps. */
export function keptText(text: string): string {
  return startOf(text, keptCharacters);
}

/** The starts of a form's texts, as many as fit. */
export function keptFields(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  let left = keptCharacters;
  const kept = Object.entries(fields).map(([name, text]) => {
    const start = startOf(text, left);
    left -= start.length;
    return [name, start] as const;
  });
  return Object.fromEntries(kept);
}

function matchesPart(value: unknown, pattern: unknown): boolean {
  if (Object.is(value, pattern)) return true;
  // By what they are, not by their class: Jest has a class of its own.
  if (isDate(value) || isDate(pattern)) {
    return isDate(value) && isDate(pattern) && value.getTime() === pattern.getTime();
  }
  if (typeof value !== 'object' || value === null || typeof pattern !== 'object' || pattern === null) {
    return false;
  }
  return Object.entries(pattern).every(([key, part]) => matchesPart(Reflect.get(value, key), part));
}

/** Whether an entry is what a match describes. */
export function isMatch(entry: JournalEntry, match: JournalMatch): boolean {
  return typeof match === 'function' ? match(entry) : matchesPart(entry, match);
}

/** `initiatePayment ORDER-1 APPROVED`: an entry in short, for messages. */
function summary(entry: JournalEntry): string {
  const { operation, method, path, referenceId, lenderTransactionCode, requestId } = entry;
  const state = entry.resultStatus ?? (entry.completed ? 'no result' : 'not completed');
  return [
    operation ?? `${method} ${path.slice(0, 80)}`,
    referenceId ?? lenderTransactionCode ?? requestId,
    state,
  ]
    .filter(Boolean)
    .join(' ');
}

const entriesInMessage = 10;
// A timer further away than this fires at once.
const longestTimerMs = 2 ** 31 - 1;

interface Waiter {
  readonly accepts: (entry: JournalEntry) => boolean;
  readonly resolve: (entry: JournalEntry) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Every request, in order of arrival: written when it arrives, completed when it ends. The oldest entries go first
 * once there are more than the limit.
 */
export class Journal {
  readonly #entries: JournalEntry[] = [];
  #nextId = 1;
  readonly #waiters = new Set<Waiter>();
  readonly #open = new Set<OpenEntry>();

  constructor(
    private readonly limit: number,
    private readonly now: () => Date,
    private readonly changes: Changes,
  ) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new ConfigurationError('journalLimit', 'must be a whole number greater than 0');
    }
  }

  /** All entries that are kept, oldest first. */
  all(): readonly JournalEntry[] {
    return [...this.#entries];
  }

  /** The entry with an ID, as long as it is kept. */
  get(id: number): JournalEntry | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  /** The first entry that matches. */
  find(match: JournalMatch): JournalEntry | undefined {
    return this.#entries.find((entry) => isMatch(entry, match));
  }

  /** The entries that match, oldest first. */
  filter(match: JournalMatch): readonly JournalEntry[] {
    return this.#entries.filter((entry) => isMatch(entry, match));
  }

  /**
   * The first entry that matches, at once or as soon as there is one. A match that is an object means a completed
   * request unless it says `completed: false`; a function sees entries as they arrive and again as they complete.
   *
   * @param options - `timeoutMs`: how long to wait, in milliseconds. Default 2000.
   * @throws Error that lists what did arrive, when the time is up or the mock is reset.
   */
  waitFor(
    match: JournalMatch,
    { timeoutMs = 2000 }: { readonly timeoutMs?: number } = {},
  ): Promise<JournalEntry> {
    const wanted: JournalMatch = typeof match === 'function' ? match : { completed: true, ...match };
    const accepts = (entry: JournalEntry) => isMatch(entry, wanted);
    return new Promise((resolve, reject) => {
      const present = this.#entries.find(accepts);
      if (present) {
        resolve(present);
        return;
      }
      const settle = () => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        accepts,
        resolve: (entry) => {
          settle();
          resolve(entry);
        },
        reject: (reason) => {
          settle();
          reject(reason);
        },
      };
      const timer = setTimeout(
        () => {
          const after = `No request matched within ${String(timeoutMs)} ms`;
          waiter.reject(new Error(`${after}. ${this.#arrivals()}`));
        },
        Math.min(timeoutMs, longestTimerMs),
      );
      this.#waiters.add(waiter);
    });
  }

  #arrivals(): string {
    if (this.#entries.length === 0) return 'Nothing arrived.';
    const last = this.#entries.slice(-entriesInMessage).map(summary);
    const count = this.#entries.length;
    return `${String(count)} arrived${count > last.length ? ', the last of them' : ''}: ${last.join('; ')}.`;
  }

  /** Writes a request down as it arrives. */
  arrive(incoming: Incoming, operation: Operation | undefined): OpenEntry {
    const headers: Record<string, string> = {};
    for (const name of keptHeaders) {
      const value = incoming.header(name);
      if (value !== undefined) headers[name] = value;
    }
    const entry: OpenEntry = {
      id: this.#nextId++,
      at: this.now(),
      ...(operation && { operation }),
      method: incoming.method,
      path: incoming.path,
      headers,
      replay: false,
      scripted: false,
      completed: false,
    };
    this.#open.add(entry);
    this.#entries.push(entry);
    if (this.#entries.length > this.limit) this.#entries.shift();
    this.tell(entry);
    return entry;
  }

  /** Tells those who watch or wait that an entry was written to; nobody waits for one from before a reset. */
  tell(entry: OpenEntry): void {
    if (!this.#open.has(entry)) return;
    this.changes.emit({ kind: 'request', entry });
    for (const waiter of this.#waiters) {
      try {
        if (waiter.accepts(entry)) waiter.resolve(entry);
      } catch (error) {
        waiter.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  complete(entry: OpenEntry, durationMs: number): void {
    entry.completed = true;
    entry.durationMs = durationMs;
    this.tell(entry);
    this.#open.delete(entry);
  }

  reset(): void {
    for (const waiter of this.#waiters) {
      waiter.reject(new Error(`The mock was reset while waiting for a request. ${this.#arrivals()}`));
    }
    this.#entries.length = 0;
    this.#open.clear();
    this.#nextId = 1;
  }
}
