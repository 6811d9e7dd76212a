import type { Outcome } from '../../src/index.js';
import type { MockService } from '../../src/mock/index.js';
import type { Process, Timeline } from './timeline.js';

export type Operation = 'initiatePayment' | 'uploadInvoice';

interface Claim {
  readonly operation: Operation;
  readonly reference: string;
  readonly outcome: Outcome;
  /** The requests that it is about: of one process or of all, and up to the one that was the last when it was made. */
  readonly process: Process | undefined;
  readonly since: number;
  readonly until: number;
}

interface Request {
  readonly number: number;
  readonly operation: Operation;
  readonly reference: string;
  readonly process: Process;
}

/** Something that must end in time. */
interface Open {
  readonly what: string;
  readonly startedMs: number;
  readonly limitMs: number;
  readonly process?: Process;
  /** How long the process had been suspended before. */
  readonly suspendedMs: number;
}

/** Longer than the total limit of a call, with the steps around it. */
const longestCallMs = 46_000;
export const longestAnswerMs = 100_000;
/** Longer than the steps between the decision to pay and the call. */
const stepsMs = 100;

/** The order that a reference belongs to: the shop adds the number of the attempt. */
export const orderOf = (reference: string) => reference.replace(/-\d+$/, '');

/** Everything that was seen and claimed, and the promises that it breaks. */
export class Records {
  readonly violations: string[] = [];
  readonly #claims: Claim[] = [];
  readonly #acted: Request[] = [];
  readonly #firstCalled = new Map<string, number>();
  readonly #told = new Map<string, number>();
  readonly #paymentsOf = new Map<string, string[]>();
  readonly #open = new Set<Open>();
  #sent = 0;
  mock!: MockService;

  constructor(private readonly timeline: Timeline) {}

  violated(rule: string, detail: string): void {
    this.timeline.note('VIOLATION', rule, detail);
    this.violations.push(`${rule}: ${detail}`);
  }

  /** A request was sent. Returns its number. */
  sent(): number {
    return ++this.#sent;
  }

  acted(request: Request): void {
    this.#acted.push(request);
  }

  /** The merchant acknowledged a notification. */
  told(reference: string, status: string): void {
    if (status === 'paid' && !this.#told.has(reference)) this.#told.set(reference, this.timeline.nowMs);
  }

  /** True once the merchant has acknowledged that it is paid. */
  wasTold(reference: string): boolean {
    return this.#told.has(reference);
  }

  /** A payment changed at the service. */
  changed(reference: string): void {
    const order = orderOf(reference);
    const known = this.#paymentsOf.get(order) ?? [];
    if (known.includes(reference)) return;
    this.#paymentsOf.set(order, [...known, reference]);
    this.timeline.note('created', reference);
    const calledMs = this.#firstCalled.get(reference) ?? 0;
    for (const earlier of known) {
      const status = this.mock.payments.get(earlier)?.status;
      const wasKnown = (this.#told.get(earlier) ?? Infinity) < calledMs - stepsMs;
      if (status === 'pending' || (status === 'paid' && wasKnown))
        this.violated('two payments', `${reference} was created while ${earlier} was ${status}`);
    }
  }

  /** The references of an order's payments, oldest first. */
  referencesOf(order: string): readonly string[] {
    return this.#paymentsOf.get(order) ?? [];
  }

  get references(): readonly string[] {
    return [...this.#paymentsOf.values()].flat();
  }

  /** Waits for something that must end in time, unless its process is killed. */
  async watched<T>(
    what: string,
    work: Promise<T>,
    { process, limitMs }: { readonly process?: Process; readonly limitMs: number },
  ): Promise<T> {
    const suspendedMs = process?.suspendedMs ?? 0;
    const open: Open = {
      what,
      startedMs: this.timeline.nowMs,
      limitMs,
      suspendedMs,
      ...(process && { process }),
    };
    this.#open.add(open);
    try {
      return await work;
    } finally {
      this.#open.delete(open);
      const tookMs = this.timeline.nowMs - open.startedMs - ((process?.suspendedMs ?? 0) - suspendedMs);
      if (tookMs > limitMs) this.violated('slow', `${what} took ${tookMs.toFixed()} ms`);
    }
  }

  /** A call of the client. Where an earlier call may have been sent, it speaks of all that were sent. */
  async call<T>(
    operation: Operation,
    reference: string,
    {
      process,
      mayHaveBeenSent,
    }: { readonly process: Process; readonly mayHaveBeenSent?: boolean | undefined },
    work: () => Promise<T>,
  ): Promise<T> {
    const since = mayHaveBeenSent ? 0 : this.#sent;
    if (!this.#firstCalled.has(reference)) this.#firstCalled.set(reference, this.timeline.nowMs);
    const claim = (outcome: Outcome, code = '') => {
      this.timeline.note('call', operation, reference, outcome, code);
      const own = mayHaveBeenSent ? undefined : process;
      this.#claims.push({ operation, reference, outcome, process: own, since, until: this.#sent });
    };
    try {
      const call = { process, limitMs: longestCallMs };
      const result = await this.watched(`${operation} ${reference}`, work(), call);
      claim('accepted');
      return result;
    } catch (error) {
      const { outcome = 'none', code } = error as { outcome?: Outcome; code?: string };
      if (outcome === 'none') this.violated('no outcome', String(error));
      else claim(outcome, code);
      throw error;
    }
  }

  /** The outcome of a job that a merchant was told, whatever its runs said. */
  claimed(operation: Operation, reference: string, outcome: Outcome): void {
    this.#claims.push({ operation, reference, outcome, process: undefined, since: 0, until: this.#sent });
  }

  /** Judges the claims, once every request has arrived. */
  judge(): void {
    for (const { operation, reference, outcome, process, since, until } of this.#claims) {
      const acted = this.#acted.filter(
        (each) => each.operation === operation && each.reference === reference,
      );
      const made = acted.find(
        (each) => each.number > since && each.number <= until && (!process || process === each.process),
      );
      const what = `${operation} ${reference} was called ${outcome}`;
      if (made && (outcome === 'rejected' || outcome === 'not_sent'))
        this.violated('false outcome', `${what}, and request ${String(made.number)} was acted on`);
      if (acted.length === 0 && outcome === 'accepted')
        this.violated('false outcome', `${what}, and the service did nothing`);
    }
    for (const { what, process, startedMs, limitMs, suspendedMs } of this.#open)
      if (
        process?.isAlive !== false &&
        startedMs + limitMs + (process?.suspendedMs ?? 0) - suspendedMs < this.timeline.nowMs
      )
        this.violated('hangs', what);
  }
}
