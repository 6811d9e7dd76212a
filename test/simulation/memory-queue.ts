import type { JobQueue } from '../../src/bullmq/enqueue.js';
import type { ProcessedJob } from '../../src/bullmq/job-types.js';
import type { JobArguments } from '../../src/queue/index.js';
import { jobOutcome, type JobProcessor } from '../../src/bullmq/index.js';
import { backoffWith } from '../../src/bullmq/worker-options.js';
import type { Outcome } from '../../src/index.js';
import type { Process, Timeline } from './timeline.js';

type Job = Omit<JobArguments, 'id'> & {
  timestamp: number;
  state: 'waiting' | 'active' | 'delayed' | 'completed' | 'failed';
  progress: unknown;
  attemptsStarted: number;
  attemptsMade: number;
  returnvalue: unknown;
  failedReason?: string;
  finishedOn?: number;
  token?: string;
};

const lockMs = 30_000;
const pollsEachMs = 1_000;

/**
 * A queue in memory with the semantics of BullMQ: what a run writes on its way is stored whoever has the lock, and what it
 * ends with only for the holder. A job whose worker was killed goes to another one once its lock has ended.
 */
export class MemoryQueue implements JobQueue {
  readonly jobs = new Map<string, Job>();
  readonly #backoff: ReturnType<typeof backoffWith>;
  #tokens = 0;

  constructor(
    private readonly timeline: Timeline,
    /** A job ended for good. */
    private readonly ended: (job: Job, outcome: Outcome) => void,
    /** How likely a living worker is to lose a lock, now. */
    private readonly risk: () => number,
  ) {
    this.#backoff = backoffWith(timeline.random);
  }

  async add(
    name: JobArguments['name'],
    data: JobArguments['data'],
    opts: JobArguments['opts'],
  ): Promise<Job> {
    const known = this.jobs.get(opts.jobId);
    if (known) return known;
    const job: Job = {
      ...structuredClone({ name, data, opts }),
      timestamp: this.timeline.nowMs,
      state: 'waiting',
      progress: 0,
      attemptsStarted: 0,
      attemptsMade: 0,
      returnvalue: null,
    };
    this.jobs.set(opts.jobId, job);
    return Promise.resolve(job);
  }

  getJob(id: string): Promise<Job | undefined> {
    return Promise.resolve(this.jobs.get(id));
  }

  getJobState(id: string): Promise<string> {
    return Promise.resolve(this.jobs.get(id)?.state ?? 'unknown');
  }

  /** Lets the queue lose a job, as a Redis without persistence does. */
  forget(id: string): void {
    this.timeline.note('forgot', id);
    this.jobs.delete(id);
  }

  /** Runs a failed job again, as BullMQ's `job.retry()` does. */
  retry(job: Job): void {
    this.timeline.note('retried', job.opts.jobId);
    delete job.failedReason;
    delete job.finishedOn;
    job.state = 'waiting';
  }

  /** A worker, which takes every job that waits. */
  work(process: Process, processor: JobProcessor): void {
    const poll = () => {
      if (!process.isAlive) return;
      for (const job of this.jobs.values())
        if (job.state === 'waiting') void this.#run(job, process, processor);
      this.timeline.after(pollsEachMs, poll);
    };
    poll();
  }

  async #run(job: Job, process: Process, processor: JobProcessor): Promise<void> {
    const { timeline } = this;
    const token = `token-${String((this.#tokens += 1))}`;
    Object.assign(job, { state: 'active', token });
    job.attemptsStarted += 1;
    const release = () => {
      if (job.token === token) Object.assign(job, { state: 'waiting', token: undefined });
    };
    process.onKill(() => timeline.after(lockMs, release));
    // A worker whose event loop is blocked does not renew its lock, and goes on afterwards.
    if (timeline.chance(this.risk())) timeline.after(timeline.between(1, 20_000), release);
    const { id, ...seen } = structuredClone({ ...job, id: job.opts.jobId });
    const handed: ProcessedJob = {
      ...seen,
      id,
      updateProgress: (progress) =>
        process.step('updateProgress', () => void (job.progress = structuredClone(progress))),
      extendLock: (asked) => process.step('extendLock', () => (job.token === asked ? 1 : 0)),
    };
    timeline.note('run', id, job.attemptsStarted);
    let end: () => void;
    try {
      const returnvalue = JSON.parse(JSON.stringify(await processor(handed, token))) as unknown;
      end = () => Object.assign(job, { state: 'completed', returnvalue, finishedOn: timeline.nowMs });
    } catch (error) {
      end = () => this.#fail(job, error as Error);
    }
    await process.step('end', () => {
      if (job.token !== token) return;
      delete job.token;
      end();
      const outcome = jobOutcome(job);
      timeline.note('ran', id, job.state, outcome, job.failedReason?.split(':')[0]);
      if (outcome !== 'pending') this.ended(job, outcome);
    });
  }

  #fail(job: Job, error: Error): void {
    job.attemptsMade += 1;
    job.failedReason = error.message;
    const isRetried = error.name !== 'UnrecoverableError' && job.attemptsMade < job.opts.attempts;
    if (!isRetried) {
      Object.assign(job, { state: 'failed', finishedOn: this.timeline.nowMs });
      return;
    }
    job.state = 'delayed';
    const wakeMs = this.#backoff(job.attemptsMade, undefined, error, job);
    this.timeline.after(wakeMs, () => void (job.state = 'waiting'));
  }
}
