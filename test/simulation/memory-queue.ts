import type { JobQueue } from '../../src/bullmq/enqueue.js';
import type { ProcessedJob } from '../../src/bullmq/job-store.js';
import type { JobArguments } from '../../src/queue/index.js';
import { jobOutcome, type JobProcessor } from '../../src/bullmq/index.js';
import { backoffWith } from '../../src/bullmq/worker-options.js';
import type { Outcome } from '../../src/index.js';
import type { Failover } from './merchant.js';
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
  jobs = new Map<string, Job>();
  /** The connections to the store, which a failover breaks. */
  #stream = {};
  #isReplicaBehind = false;
  readonly #backoff: ReturnType<typeof backoffWith>;
  #tokens = 0;

  constructor(
    private readonly timeline: Timeline,
    /** A job ended for good. */
    private readonly ended: (job: Job, outcome: Outcome) => void,
    /** How likely a living worker is to lose a lock, now. */
    private readonly risk: () => number,
    failovers: readonly Failover[],
  ) {
    this.#backoff = backoffWith(timeline.random);
    for (const { fromMs, atMs } of failovers) {
      timeline.after(fromMs, () => {
        const replica = structuredClone(this.jobs);
        this.#isReplicaBehind = true;
        timeline.after(atMs - fromMs, () => this.#failOver(replica));
      });
    }
  }

  /** Takes the jobs of the replica: what was written since is forgotten, and nobody holds a lock any more. */
  #failOver(replica: Map<string, Job>): void {
    this.timeline.note('failed over');
    this.#isReplicaBehind = false;
    this.#stream = {};
    this.jobs = replica;
    for (const job of replica.values()) {
      delete job.token;
      if (job.state === 'active') this.#wakeAfter(lockMs, job, 'active');
      if (job.state === 'delayed') this.#wakeAfter(lockMs, job, 'delayed');
    }
  }

  #wakeAfter(ms: number, job: Job, from: Job['state']): void {
    this.timeline.after(ms, () => {
      if (job.state === from && job.token === undefined) job.state = 'waiting';
    });
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
      for (const job of this.jobs.values())
        if (job.state === 'waiting') void this.#run(job, process, processor);
      process.after(pollsEachMs, poll);
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
    // A worker that sleeps does not renew its lock.
    process.onSuspend(() => timeline.after(lockMs, () => process.isSuspended && release()));
    // A worker whose event loop is blocked does not renew its lock, and goes on afterwards.
    if (timeline.chance(this.risk())) timeline.after(timeline.between(1, 20_000), release);
    const { id, ...seen } = structuredClone({ ...job, id: job.opts.jobId });
    /** The job in the store, which may have failed over. */
    const stored = () => this.jobs.get(id) ?? job;
    const handed: ProcessedJob & { readonly queue: unknown } = {
      ...seen,
      id,
      queue: { client: this.#clientOf(process) },
      updateProgress: (progress) =>
        process.step('updateProgress', () => void (stored().progress = structuredClone(progress))),
      extendLock: (asked) => process.step('extendLock', () => (stored().token === asked ? 1 : 0)),
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
      // Another one since a failover, or since it was lost.
      if (this.jobs.get(id) !== job || job.token !== token) return;
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
    this.#wakeAfter(this.#backoff(job.attemptsMade, undefined, error, job), job, 'delayed');
  }

  /** The part of an ioredis client that says what the replicas have. */
  #clientOf(process: Process) {
    const stream = () => this.#stream;
    return {
      get stream() {
        return stream();
      },
      wait: async (_replicas: number, limitMs: number) => {
        const reached = await process.step('wait', () => (this.#isReplicaBehind ? 0 : 1));
        if (reached === 0) await new Promise<void>((resolve) => process.after(limitMs, resolve));
        return reached;
      },
    };
  }
}
