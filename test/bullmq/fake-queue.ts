import { jobOutcome, workerOptions, type JobOutcome } from '../../src/bullmq/index.js';
import type { ProcessedJob } from '../../src/bullmq/job-types.js';
import type { JobArguments } from '../../src/queue/index.js';
import type { JobProcessor } from '../../src/bullmq/index.js';

/** Where a run can be interrupted: each is a step of a run, or of what it calls. */
export const steps = [
  'picked up',
  'file loaded',
  'marker written',
  'lock confirmed',
  'request arrived',
  'service acted',
  'answer received',
  'answer kept',
] as const;

export type Step = (typeof steps)[number];

/** Called when a run reaches a step. A promise that never resolves is a process that was killed. */
export type Gate = (step: Step) => Promise<void>;

/** The stored fields of a job. A run sees copies of them. */
interface Stored {
  state: 'wait' | 'active' | 'completed' | 'failed';
  progress: unknown;
  /** How often a worker has taken the job. */
  attemptsStarted: number;
  attemptsMade: number;
  finishedOn?: number;
  returnvalue: unknown;
  failedReason?: string;
  lock?: string;
}

/**
 * One job with the semantics of BullMQ 6.7: what a run writes on its way is stored whoever holds the lock, and what it
 * ends with only for the holder, in one step.
 */
export class FakeQueue {
  readonly stored: Stored = {
    state: 'wait',
    progress: 0,
    attemptsStarted: 0,
    attemptsMade: 0,
    returnvalue: null,
  };
  readonly #job: JobArguments;
  #tokens = 0;

  constructor(job: JobArguments) {
    this.#job = JSON.parse(JSON.stringify(job)) as JobArguments;
  }

  get outcome(): JobOutcome {
    return jobOutcome(this.stored);
  }

  get isFinished(): boolean {
    return this.stored.finishedOn !== undefined;
  }

  /** A worker takes the job and runs it to its end, if the gate lets it. */
  async run(processor: JobProcessor, gate: Gate = () => Promise.resolve()): Promise<void> {
    if (this.stored.state !== 'wait') throw new Error(`the job is ${this.stored.state}`);
    const token = `token-${String((this.#tokens += 1))}`;
    Object.assign(this.stored, { state: 'active', lock: token });
    this.stored.attemptsStarted += 1;
    const kept = new Set<string>();
    const { data, name, opts } = structuredClone(this.#job);
    const job: ProcessedJob & { readonly queue: object } = {
      id: opts.jobId,
      name,
      data,
      opts,
      progress: structuredClone(this.stored.progress),
      timestamp: 1,
      attemptsStarted: this.stored.attemptsStarted,
      queue: { opts: { ...workerOptions, lockDuration: 30_000 } },
      updateProgress: async (progress) => {
        const { outcome } = progress as { outcome: string };
        const isKept = outcome !== 'unknown';
        if (isKept) {
          kept.add(outcome);
          await gate('answer received');
        }
        this.stored.progress = JSON.parse(JSON.stringify(progress));
        await gate(isKept ? 'answer kept' : 'marker written');
      },
      extendLock: async (asked) => {
        const isHeld = this.stored.lock === asked;
        if (isHeld) await gate('lock confirmed');
        return isHeld ? 1 : 0;
      },
    };
    await gate('picked up');
    const end = await processor(job, token).then(
      (returnvalue) => () => this.#complete(returnvalue),
      (error: unknown) => () => this.#fail(error as Error),
    );
    if (kept.size === 0) await gate('answer received');
    if (this.stored.lock === token) end();
  }

  /** The lock ends and nobody renewed it: the job goes to the next worker, whatever the last one still does. */
  stall(): void {
    if (this.stored.state !== 'active') throw new Error(`the job is ${this.stored.state}`);
    Object.assign(this.stored, { state: 'wait', lock: undefined });
  }

  /** As a dead-letter view does it: the reason goes, the progress stays. */
  retryByHand(): void {
    if (!this.isFinished) throw new Error('the job has not ended');
    Object.assign(this.stored, {
      state: 'wait',
      finishedOn: undefined,
      failedReason: undefined,
      returnvalue: null,
    });
    this.stored.attemptsMade = 0;
  }

  #complete(returnvalue: unknown): void {
    const kept: unknown = JSON.parse(JSON.stringify(returnvalue));
    Object.assign(this.stored, { state: 'completed', finishedOn: 1, returnvalue: kept, lock: undefined });
  }

  #fail(error: Error): void {
    const { attempts } = this.#job.opts;
    this.stored.attemptsMade += 1;
    const isRetried = error.name !== 'UnrecoverableError' && this.stored.attemptsMade < attempts;
    Object.assign(this.stored, {
      state: isRetried ? 'wait' : 'failed',
      failedReason: error.message,
      lock: undefined,
      ...(!isRetried && { finishedOn: 1 }),
    });
  }
}
