import type { SenderOptions } from '../queue/job-types.js';

/** The part of BullMQ's `Job` that the processor uses. */
export interface ProcessedJob {
  readonly id?: string | undefined;
  readonly name: string;
  readonly data: unknown;
  readonly opts: { readonly backoff?: unknown; readonly repeat?: unknown; readonly removeOnFail?: unknown };
  readonly timestamp: number;
  /** How often a worker has taken the job, this run included. */
  readonly attemptsStarted: number;
  /** The record that earlier runs have written. */
  readonly progress: unknown;
  /** How some of the earlier runs failed. */
  readonly stacktrace?: unknown;
  updateProgress(progress: string | boolean | number | object): Promise<unknown>;
  /** Resolves to 1 if this worker still has the lock. */
  extendLock(token: string, durationMs: number): Promise<unknown>;
}

/** Options of `createProcessor`. At least one client is needed. */
export interface ProcessorOptions extends SenderOptions {
  /**
   * How many replicas of Redis must have a marker before its request is sent. The processor waits for them, a quarter of
   * the lock's duration at most; without them it sends nothing (`NOT_REPLICATED`) and the job is tried again. With as many
   * as there are replicas, a failover forgets no marker. It needs an ioredis connection to one Redis, not to a Cluster.
   * @default none: a failover may forget the last markers, and what they stood for may be sent twice
   */
  readonly replicas?: number | undefined;
}
