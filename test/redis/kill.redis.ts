import { setTimeout as wait } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { expect, test } from 'vitest';
import { createJob, jobOutcome, type JobOutcome, type NewJob } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { createMockService, type JournalEntry, type MockService } from '../../src/mock/index.js';
import { paymentRequest } from '../helpers/samples.js';
import { transaction } from '../helpers/lender-samples.js';
import { seed } from '../helpers/seed.js';
import { afterLines, childProgram, startFleet, until } from './fleet.js';
import { seededRandom } from './seeded-random.js';
import { versions } from './bullmq-versions.js';
import { startRedis } from './redis-server.js';

// Beyond the simulation: both versions of BullMQ on a real Redis, workers that SIGKILL ends, and the lender's jobs.
// KILL_SCALE=10 npm run test:redis -- kill
const scale = Number(process.env['KILL_SCALE'] ?? 1);
const counts = { initiatePayment: 120, uploadInvoice: 50, paymentReceipt: 70, repaymentAllocation: 30 };
// The lowest version has fewer jobs, and its workers die sooner.
const paces = [1, 0.5];
const lockMs = 1_500;
const workers = 3;

type Operation = keyof typeof counts;
interface Task {
  readonly operation: Operation;
  readonly reference: string;
  readonly job: NewJob;
}

function newJob(operation: Operation, reference: string): NewJob {
  switch (operation) {
    case 'initiatePayment':
      return { operation, request: paymentRequest({ referenceId: reference }) };
    case 'uploadInvoice':
      return { operation, request: { referenceId: reference }, file: 'invoice.pdf' };
    case 'paymentReceipt':
      return {
        operation,
        request: {
          contractNumber: 'CONTRACT-1',
          lenderTransactionCode: reference,
          receivedAmount: 1_500_000,
          receivedDatetime: new Date(),
          receivedStatus: 'SUCCESS',
        },
      };
    case 'repaymentAllocation':
      return {
        operation,
        request: {
          requestId: reference,
          contractNumber: 'CONTRACT-1',
          repaymentTransactions: [transaction({ lenderTransactionCode: 'ALLOCATED' })],
        },
      };
  }
}

function allTasks(random: () => number, share: number): Task[] {
  const tasks = Object.entries(counts).flatMap(([name, count]) =>
    Array.from({ length: count * share }, (_, index): Task => {
      const operation = name as Operation;
      const reference = `${operation}-${String(index)}`;
      return { operation, reference, job: newJob(operation, reference) };
    }),
  );
  return tasks
    .map((task) => ({ task, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ task }) => task);
}

const faults = ['connection-reset', 'empty-response', 'truncated-body', 'hang', 'html-502'] as const;
const phases = ['before', 'after'] as const;
const refusals = [
  { resultStatus: 'INVALID_REQUEST', httpStatus: 400 },
  { httpStatus: 429, body: {} },
  { httpStatus: 503, body: {} },
] as const;

/** Lines up what goes wrong with a part of the requests. Every request takes a while, so that workers die in it. */
function spoil(mock: MockService, tasks: readonly Task[], random: () => number): void {
  const oneOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  for (const { operation, reference: referenceId } of tasks) {
    const chance = random();
    if (chance < 0.25) mock.injectFault(operation, oneOf(faults), { referenceId, phase: oneOf(phases) });
    else if (chance < 0.4) mock.respondWith(operation, oneOf(refusals), { referenceId });
    else if (chance < 0.8)
      mock.injectFault(operation, { delayMs: Math.round(50 + 450 * random()) }, { referenceId });
  }
}

/** True for a request on which the service acted, whatever became of its answer. */
const hasActed = ({ completed, scripted, fault, faultPhase, resultStatus }: JournalEntry) =>
  completed &&
  !scripted &&
  resultStatus === 'APPROVED' &&
  !(typeof fault === 'string' && faultPhase === 'before');

const referenceOf = ({ operation, referenceId, lenderTransactionCode, requestId }: JournalEntry) =>
  operation === 'repaymentAllocation' ? requestId : (lenderTransactionCode ?? referenceId);

/** The service's record of one job. */
interface Told {
  readonly requests: number;
  /** How often it acted; an answer that it repeated for the same key does not count. */
  readonly acts: number;
  readonly keys: number;
}

/** The service's record of every job, by reference. */
function toldBy(entries: readonly JournalEntry[]): (reference: string) => Told {
  const byReference = new Map<string | undefined, JournalEntry[]>();
  for (const entry of entries) {
    const own = byReference.get(referenceOf(entry));
    if (own) own.push(entry);
    else byReference.set(referenceOf(entry), [entry]);
  }
  return (reference) => {
    const own = byReference.get(reference) ?? [];
    return {
      requests: own.length,
      acts: own.filter((entry) => hasActed(entry) && !entry.replay).length,
      keys: new Set(own.map(({ idempotencyKey }) => idempotencyKey)).size,
    };
  };
}

/** Why a job breaks a promise; undefined for one that does not. */
function brokenPromise(
  { operation }: Task,
  outcome: JobOutcome,
  { requests, acts, keys }: Told,
): string | undefined {
  if (outcome === 'pending') return 'has not ended';
  if (outcome === 'accepted' && acts === 0) return 'is lost';
  if (outcome === 'rejected' && acts > 0) return 'is rejected, and was done';
  if (outcome === 'not_sent' && requests > 0) return 'is not_sent, and was sent';
  // A receipt is stored once for its code, however often it arrives.
  if (acts > 1 && operation !== 'paymentReceipt') return 'was done twice';
  return keys > 1 ? 'was sent under two keys' : undefined;
}

interface Report {
  readonly broken: string[];
  readonly outcomes: Record<string, number>;
  readonly codes: Record<string, number>;
}

/** Compares how every job ended with what the service says of it. */
function report(
  ended: readonly Job[],
  tasks: ReadonlyMap<string, Task>,
  told: (reference: string) => Told,
): Report {
  const broken: string[] = [];
  const outcomes: Record<string, number> = {};
  const codes: Record<string, number> = {};
  const count = (counter: Record<string, number>, name: string) => (counter[name] = (counter[name] ?? 0) + 1);
  for (const job of ended) {
    const task = tasks.get(job.id ?? '');
    if (!task) throw new Error(`unknown job: ${String(job.id)}`);
    const outcome = jobOutcome(job);
    const problem = brokenPromise(task, outcome, told(task.reference));
    if (problem !== undefined) broken.push(`${task.reference} ${problem}: ${job.failedReason}`);
    count(outcomes, `${task.operation} ${outcome}`);
    if (outcome === 'accepted') continue;
    const code = /^(?:not_sent|rejected|unknown) ([A-Z_]+): /.exec(job.failedReason)?.[1];
    if (code === undefined) broken.push(`${task.reference} has no code: ${job.failedReason}`);
    else count(codes, code);
  }
  return { broken, outcomes, codes };
}

test.each(versions.map((version, index) => ({ ...version, pace: paces[index] ?? 1 })))(
  'no job is lost or done twice while its workers are killed at random: $version',
  { timeout: 180_000 },
  async ({ version, bullmq: { Queue }, alias, pace }) => {
    const startedMs = Date.now();
    const random = seededRandom(seed);
    await using redis = await startRedis();
    await using program = await childProgram('job-worker', alias);
    const mock = createMockService({ uploads: 'any', journalLimit: 20_000 });
    await using server = await mock.listen();
    const tasks = allTasks(random, pace * scale);
    const merchant = new InstallmentClient(mock.clientOptions());
    for (const { operation, reference } of tasks) {
      if (operation === 'uploadInvoice')
        await merchant.initiatePayment(paymentRequest({ referenceId: reference }));
    }
    const preparations = mock.journal.all().length;
    spoil(mock, tasks, random);

    const connection = { host: '127.0.0.1', port: redis.port };
    const queue = new Queue('payments', { connection });
    const taskOf = new Map<string, Task>();
    await queue.addBulk(
      tasks.map((task) => {
        const { name, data, opts } = createJob(task.job);
        taskOf.set(opts.jobId, task);
        return { name, data, opts: { ...opts, backoff: { ...opts.backoff, delay: 50 } } };
      }),
    );

    const environment = {
      REDIS_PORT: String(redis.port),
      SERVICE_URL: server.url,
      LOCK_MS: String(lockMs),
      BLOCKED_MS: String(lockMs + 1_000),
    };
    // A worker writes a line for each job that it takes, and is killed in the midst of some.
    const fleet = startFleet(
      workers,
      () => program.start(environment),
      async (child) => {
        await afterLines(child, (5 + 35 * random()) * pace);
        await wait(100 * random());
      },
    );
    try {
      const areEnded = async () => (await queue.getJobCountByTypes('completed', 'failed')) === tasks.length;
      await until(areEnded, 170_000, () => queue.getJobCounts());
    } finally {
      await fleet.stop();
    }
    const { kills } = fleet;

    const told = toldBy(mock.journal.all().slice(preparations));
    const { broken, ...counted } = report(await queue.getJobs(['completed', 'failed']), taskOf, told);
    await queue.close();
    console.log(
      JSON.stringify({ version, seed, kills, seconds: (Date.now() - startedMs) / 1000, ...counted }),
    );
    const total = Object.values(counted.outcomes).reduce((a, b) => a + b, 0);
    const uploads = tasks.filter(({ operation }) => operation === 'uploadInvoice');
    expect(broken).toEqual([]);
    expect(total).toBe(tasks.length);
    // The journal, from which all of this is known, agrees with what the service has stored.
    expect(mock.invoices.all().length).toBe(
      uploads.reduce((sum, { reference }) => sum + told(reference).acts, 0),
    );
    expect(kills).toBeGreaterThan(5);
  },
);
