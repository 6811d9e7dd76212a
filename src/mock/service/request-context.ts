import type { Operation } from '../../protocol/endpoints.js';
import type { Diagnosis } from '../diagnosis/types.js';
import type { Answer, Incoming } from './delivery.js';
import { isDelay, type NamedFault } from '../controls/faults.js';
import type { Parts } from './parts.js';
import type { DrawnFault } from '../controls/script.js';

/** The words by which a request is known, as far as they could be read. */
export interface Subject {
  readonly merchantId?: string | undefined;
  readonly referenceId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly lenderTransactionCode?: string | undefined;
  readonly requestId?: string | undefined;
}

/** What a handler decided: the answer, and what the journal notes of it. */
export interface Verdict {
  readonly answer: Answer;
  readonly resultStatus?: string | undefined;
  readonly resultMsg?: string | undefined;
  readonly replay?: boolean;
  readonly scripted?: boolean;
  readonly diagnosis?: Diagnosis | undefined;
}

/** One request while a handler works on it. */
export class Exchange {
  #paused = false;

  constructor(
    readonly operation: Operation,
    readonly incoming: Incoming,
    readonly subject: Subject,
    readonly parts: Parts,
    /** Fires when the mock is reset; a request from before must not touch the state that comes after. */
    readonly ended: AbortSignal,
    private readonly drawn: DrawnFault | undefined,
  ) {}

  /** The fault that strikes in a phase, lateness aside. */
  faultIn(phase: DrawnFault['phase']): NamedFault | undefined {
    const { drawn } = this;
    return drawn?.phase === phase && !isDelay(drawn.fault) ? drawn.fault : undefined;
  }

  /** Waits, if the request was to be delayed before the service acts. Handlers call it right before they act. */
  async pauseBeforeActing(): Promise<void> {
    if (this.drawn?.phase === 'before') await this.#pause();
  }

  /** Waits, if the request was to be delayed and has not been. */
  async pauseBeforeAnswering(): Promise<void> {
    if (this.drawn) await this.#pause();
  }

  async #pause(): Promise<void> {
    const fault = this.drawn?.fault;
    if (this.#paused || fault === undefined || !isDelay(fault)) return;
    this.#paused = true;
    await this.parts.delay(fault.delayMs, this.ended);
    this.ended.throwIfAborted();
  }

  /** The words that a scripted answer or a fault may be tied to. */
  get references(): readonly (string | undefined)[] {
    return referencesOf(this.subject);
  }
}

export function referencesOf(subject: Subject): readonly (string | undefined)[] {
  return [subject.referenceId, subject.lenderTransactionCode, subject.requestId];
}
