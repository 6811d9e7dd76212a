import { isDate } from 'node:util/types';
import * as z from 'zod/mini';
import { headerNames } from '../../protocol/headers.js';
import type { IncomingRequest } from '../common/exchange.js';
import { checked } from '../../errors/usage-error.js';
import { objectError } from '../../validation/rules.js';
import { withTimeLimit } from '../../values/time-limit.js';
import type { Changes } from './changes.js';
import { bytesOf, KeptBytes } from './kept-bytes.js';
import type { JournalEntry, JournalMatch, MockJournal } from './journal-types.js';
import type { Mutable } from './store-types.js';

/** True if the service has responded and the sender did not receive the response. */
export function isAnswerLost({ httpStatus, answer }: JournalEntry): boolean {
  return httpStatus !== undefined && (answer === 'lost' || answer === 'abandoned');
}

/** An entry that the mock can change. */
export type OpenEntry = Mutable<JournalEntry>;

const keptHeaders = headerNames(({ journal }) => journal !== undefined);

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function matchesPart(value: unknown, pattern: unknown): boolean {
  if (Object.is(value, pattern)) return true;
  // `instanceof` does not work here: in Jest, a test's dates come from another realm.
  if (isDate(value) || isDate(pattern)) {
    return isDate(value) && isDate(pattern) && value.getTime() === pattern.getTime();
  }
  if (!isObject(value) || !isObject(pattern)) return false;
  return Object.entries(pattern).every(([key, part]) => matchesPart(Reflect.get(value, key), part));
}

function isMatch(entry: JournalEntry, match: JournalMatch): boolean {
  return typeof match === 'function' ? match(entry) : matchesPart(entry, match);
}

/** Describes an entry for a message, such as `initiatePayment ORDER-1 APPROVED`. */
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

const waitOptions = z.strictObject(
  {
    timeoutMs: z._default(
      z.union([z.number(), z.literal(Infinity)], 'must be a number of milliseconds'),
      2000,
    ),
  },
  objectError('{ timeoutMs: 5000 }'),
);

const entriesInMessage = 10;

function arrivals(entries: readonly JournalEntry[]): string {
  if (entries.length === 0) return 'No request arrived.';
  const last = entries.slice(-entriesInMessage).map(summary);
  const count = entries.length;
  const which = count > last.length ? `. The last ${last.length} are` : '';
  return `${count} request${count === 1 ? '' : 's'} arrived${which}: ${last.join('; ')}.`;
}

/** All requests in the order of arrival. If there are more than the limit, the oldest entries are dropped. */
export class Journal implements MockJournal {
  // A reset creates a new list, and does not empty this list: the error of a `waitFor` that the reset ends lists the
  // requests from before the reset.
  #entries: JournalEntry[] = [];
  #nextId = 1;
  // The entries since the last reset, including dropped entries. Only the changes of these entries are reported.
  #sinceReset = new WeakSet<JournalEntry>();

  constructor(
    private readonly mostKept: number,
    private readonly now: () => Date,
    private readonly changes: Changes,
    private readonly kept = new KeptBytes(),
  ) {}

  all(): readonly JournalEntry[] {
    return [...this.#entries];
  }

  get(id: number): JournalEntry | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  find(match: JournalMatch): JournalEntry | undefined {
    return this.#entries.find((entry) => isMatch(entry, match));
  }

  filter(match: JournalMatch): readonly JournalEntry[] {
    return this.#entries.filter((entry) => isMatch(entry, match));
  }

  async waitFor(
    match: JournalMatch,
    options: { readonly timeoutMs?: number | undefined } = {},
  ): Promise<JournalEntry> {
    const { timeoutMs } = checked(waitOptions, 'waitFor', options);
    const wanted: JournalMatch = typeof match === 'function' ? match : { completed: true, ...match };
    const present = this.find(wanted);
    if (present) return present;
    const entries = this.#entries;
    const failure = (reason: string) => new Error(`${reason}. ${arrivals(entries)}`);
    let unsubscribe: (() => void) | undefined;
    const arrival = () =>
      new Promise<JournalEntry>((resolve, reject) => {
        unsubscribe = this.changes.subscribe((change) => {
          if (change.kind === 'reset') reject(failure('The mock was reset during waitFor'));
          if (change.kind !== 'request') return;
          try {
            if (!isMatch(change.entry, wanted)) return;
            resolve(change.entry);
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
          unsubscribe?.();
        });
      });
    const result = await withTimeLimit(timeoutMs, undefined, arrival);
    unsubscribe?.();
    if (result.ended === 'done') return result.value;
    throw result.ended === 'failed' ? result.error : failure(`No request matched within ${timeoutMs} ms`);
  }

  arrive(request: IncomingRequest, operation?: Pick<JournalEntry, 'operation' | 'own'>): OpenEntry {
    const headers: Record<string, string> = {};
    for (const name of keptHeaders) {
      const value = request.header(name);
      if (value !== undefined) headers[name] = value;
    }
    const entry: OpenEntry = {
      id: this.#nextId++,
      at: this.now(),
      ...operation,
      method: request.method,
      path: request.path,
      headers,
      acted: false,
      replay: false,
      scripted: false,
      completed: false,
    };
    this.#sinceReset.add(entry);
    this.#entries.push(entry);
    const [oldest] = this.#entries;
    if (oldest && this.#entries.length > this.mostKept) {
      this.#entries.shift();
      this.kept.release(oldest);
    }
    this.changed(entry);
    return entry;
  }

  /** Notifies subscribers that an entry has changed, unless the mock was reset after the entry arrived. */
  changed(entry: JournalEntry): void {
    if (this.#sinceReset.has(entry)) this.changes.emit({ kind: 'request', entry });
  }

  complete(entry: OpenEntry, durationMs: number): void {
    entry.completed = true;
    entry.durationMs = durationMs;
    entry.completedAt = this.now();
    if (this.#entries.includes(entry)) this.kept.keep(entry, bytesOf(entry), () => this.#drop(entry));
    this.changed(entry);
  }

  #drop(entry: JournalEntry): void {
    this.#entries = this.#entries.filter((each) => each !== entry);
  }

  /** Records that the sender had closed the connection before the response. */
  abandon(entry: OpenEntry): void {
    entry.answer = 'abandoned';
    this.changed(entry);
  }

  reset(): void {
    this.#entries = [];
    this.#sinceReset = new WeakSet();
    this.#nextId = 1;
  }
}
