import type { Runtime } from '../http/runtime.js';
import { JobFailure } from '../queue/job-failure.js';
import type { JobHistory, JobStore } from '../queue/job-types.js';
import { isSentOnce } from '../queue/send-job.js';
import { hasMethods, isRecord, jsonIn, numberAt, readProperty } from '../values/untrusted-values.js';

/** The part of BullMQ's `Job` that the processor uses. */
export interface ProcessedJob {
  readonly id?: string | undefined;
  readonly name: string;
  readonly data: unknown;
  readonly opts: { readonly backoff?: unknown; readonly removeOnFail?: unknown };
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

/** The options of the worker that runs a job. BullMQ's types hide them, and a job of another make has none. */
export function workerOptionsOf(job: ProcessedJob): unknown {
  return readProperty(readProperty(job, 'queue'), 'opts');
}

/*
 * The history of a job is its progress. BullMQ writes progress whoever holds the lock, so a run that was overtaken may
 * write late. Its marker makes the job look as if it may have been sent, which is safe. Its answer is true at any time.
 * Its certain outcome could replace the marker of a later run. For what is sent once this cannot do harm: a later run does
 * not send while the marker of an earlier one stands. For the rest, a certain outcome counts only if the run that wrote it
 * is the last one before this.
 */

interface Progress extends JobHistory {
  /** When the job was added: one that is removed and added again has the same ID. */
  readonly added: number;
  /** Which run wrote it, from 1. */
  readonly run: number;
}

/** An entry of a job's stack traces that a run left which may have been sent. */
const perhapsSent = /^\w+: (?:rejected|unknown) [A-Z_]+: /;

function historyOf(job: ProcessedJob): JobStore['history'] {
  const { progress, timestamp, attemptsStarted, stacktrace } = job;
  // BullMQ's own value for none is 0. Other code may have written it.
  if (progress === undefined || progress === null || progress === 0) {
    // In a sandboxed process it is the text of the list.
    const traces = typeof stacktrace === 'string' ? jsonIn(stacktrace) : stacktrace;
    const wasSent = Array.isArray(traces) && traces.some((trace) => perhapsSent.test(String(trace)));
    return wasSent ? 'lost' : undefined;
  }
  const { added, run, ...history } = progress as unknown as Progress;
  if (history.outcome === 'accepted') return history;
  return added === timestamp && (isSentOnce(job) || run === attemptsStarted - 1) ? history : 'lost';
}

/** The part of an ioredis client that says what its own connection has replicated. */
interface ReplicatedClient {
  /** The socket. Another one after a reconnect, on which WAIT says nothing about the writes before. */
  readonly stream: object;
  wait(replicas: number, limitMs: number): Promise<number>;
}

/** The client by which a job writes. BullMQ before 6 has it in the queue. */
async function replicatedClientOf(job: ProcessedJob): Promise<ReplicatedClient> {
  const queue = readProperty(job, 'queue');
  const client: unknown =
    (await readProperty(queue, 'client')) ?? (await readProperty(readProperty(queue, 'backend'), 'client'));
  const canTell = hasMethods(client, ['wait']) && isRecord(readProperty(client, 'stream'));
  if (canTell && readProperty(client, 'isCluster') !== true) return client as ReplicatedClient;
  const problem =
    'replicas needs a worker whose connection is an ioredis client of one Redis, not of a Cluster';
  throw new JobFailure('CONFIGURATION', problem, { isFinal: true });
}

/** The store of one run of a job: its progress and its lock. */
export function jobStore(
  job: ProcessedJob,
  token: string,
  replicas: number | undefined,
  { now }: Runtime,
): JobStore {
  const history = historyOf(job);
  // BullMQ's own default.
  const lockMs = numberAt(workerOptionsOf(job), 'lockDuration') ?? 30_000;
  const keep = (known: JobHistory) => {
    const progress: Progress = { added: job.timestamp, run: job.attemptsStarted, ...known };
    return job.updateProgress(progress);
  };
  // One after the other: a lock that is held once the marker is stored was held when it was written. So a run that was
  // overtaken before sends nothing, and one that is overtaken later has left its marker. Issued together, the second
  // command may come first: where Redis has to load a script, ioredis sends the first one again.
  const mark = async (known: JobHistory) => {
    await keep(known);
    const owned = new Date(now().getTime() + lockMs);
    return (await job.extendLock(token, lockMs)) === 1 && owned;
  };
  if (replicas === undefined) return { history, keep, mark };
  return {
    history,
    keep,
    mark: async (known) => {
      const client = await replicatedClientOf(job);
      const { stream } = client;
      const owned = await mark(known);
      if (!owned) return false;
      const reached = await client.wait(replicas, Math.floor(lockMs / 4)).catch(() => 0);
      const isSameConnection = client.stream === stream;
      if (isSameConnection && reached >= replicas) return owned;
      // This run still owns the job and sends nothing: its marker would stand for nothing. Over another connection, which
      // may lead to another master, the job may be another run's by now: what is written there stays.
      const before = history === 'lost' ? 'unknown' : (history?.outcome ?? 'not_sent');
      if (before !== 'unknown' && isSameConnection) await keep({ outcome: before }).catch(() => undefined);
      const problem = `the marker is not on ${replicas} replica${replicas > 1 ? 's' : ''} of Redis. Nothing was sent.`;
      throw new JobFailure('NOT_REPLICATED', problem);
    },
  };
}
