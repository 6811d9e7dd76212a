import { isDate } from 'node:util/types';
import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { ignoreErrors } from '../errors/ignore-errors.js';
import { systemRuntime, type Runtime } from '../http/runtime.js';
import { isKeyless } from '../protocol/endpoints.js';
import { aFunction } from '../protocol/field-rules.js';
import { printable } from '../protocol/issues.js';
import { isRecord } from '../values/untrusted-values.js';
import { JobFailure } from './job-failure.js';
import { earlierRuns } from './job-history.js';
import type { CheckedJob, JobResult, JobStore, SenderOptions } from './job-types.js';
import { loadedFile } from './load-file.js';
import { clientOf, failureOf, isOnceWith, parseJob, sendJob, type QueuedJob } from './send-job.js';

const isClient = (value: unknown) => isRecord(value) || typeof value === 'function';
const notClient = 'must be a client, or a function of the job that returns one';

export const senderRules = {
  client: z.optional(z.custom<NonNullable<SenderOptions['client']>>(isClient, notClient)),
  lender: z.optional(z.custom<NonNullable<SenderOptions['lender']>>(isClient, notClient)),
  loadFile: z.optional(aFunction<NonNullable<SenderOptions['loadFile']>>()),
};

export function requireClient<T extends SenderOptions>(rules: z.ZodMiniType<T>): z.ZodMiniType<T> {
  return rules.check(
    z.refine(({ client, lender }) => client !== undefined || lender !== undefined, {
      path: ['client'],
      message: 'is required when there is no lender: pass one of them',
    }),
  );
}

interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Refuses the job for reasons of its queue, before anything is sent. */
  readonly check?: () => void | Promise<void>;
}

/** Sends a job: see {@link createSender}. */
type Send = (job: QueuedJob, store: JobStore, options?: RunOptions) => Promise<JobResult>;

/** Ends a job whose request may have been sent and is sent once. Only a new job without the option sends it. */
function perhapsSent({ name, data }: CheckedJob): JobFailure {
  const { referenceId } = data.request;
  const subject = typeof referenceId === 'string' ? `${name} ${referenceId}` : name;
  const why = data.mayHaveBeenSent
    ? 'the job was added with mayHaveBeenSent: true'
    : 'an earlier run of the job may have sent it';
  const advice =
    'it is not sent twice. Look it up at the service, two minutes after its last run at the earliest. If it is not ' +
    'there, remove the job and add it again without mayHaveBeenSent.';
  const text = printable(`${subject}: ${why}, and ${advice}`);
  return new JobFailure('MAY_HAVE_BEEN_SENT', text, { outcome: 'unknown', isFinal: true });
}

/** Stores the marker. Returns the time after which another run may own the job, where the store knows one. */
async function mark(store: JobStore): Promise<Date | undefined> {
  let owned: Date | boolean;
  try {
    owned = await store.mark({ outcome: 'unknown' });
  } catch (cause) {
    if (cause instanceof JobFailure) throw cause;
    throw new JobFailure('LOCK_LOST', 'the queue did not respond. Nothing was sent.', { cause });
  }
  if (owned === true) return undefined;
  if (isDate(owned) && !Number.isNaN(owned.getTime())) return owned;
  throw new JobFailure('LOCK_LOST', 'another worker may have the job. Nothing was sent.');
}

/**
 * Makes a function that sends a job over any store: a row of your database, or what a queue keeps with a job. It may be
 * killed or suspended at any point. Right before each send it marks the job, and sends only while this run owns it. A
 * payment or receipt that may have been sent is sent again under the same key, unless its job or client has
 * `repeatUnknown: false`; an upload or allocation is not, and fails with `unknown MAY_HAVE_BEEN_SENT`.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createSender, type JobHistory } from 'installment-payments/queue';
 * import type { Pool } from 'pg';
 *
 * const send = createSender({ client: new InstallmentClient() });
 *
 * // A claim was `UPDATE jobs SET runs = runs + 1, locked_until = now() + interval '1 minute' … RETURNING *`.
 * interface Claimed { id: string; name: string; data: unknown; history: JobHistory | null; runs: number }
 *
 * export function run(database: Pool, { id, name, data, history, runs }: Claimed) {
 *   const store = async (known: JobHistory) => {
 *     const until = new Date(Date.now() + 60_000); // read before the statement
 *     const sql = `UPDATE jobs SET history = $3, locked_until = now() + interval '1 minute' WHERE id = $1 AND runs = $2`;
 *     const { rowCount } = await database.query(sql, [id, runs, known]);
 *     return rowCount === 1 && until;
 *   };
 *   return send({ id, name, data }, { history, mark: store, keep: store });
 * }
 * ```
 * @param options - The clients, and how a file is loaded.
 * @returns A function of a job that {@link createJob} made, its store and a signal. It resolves to the service's answer,
 * and rejects with a {@link JobFailure}.
 * @throws ConfigurationError that names the option which is missing or malformed.
 */
export function createSender(
  options: SenderOptions,
): (
  job: { readonly id: string; readonly name: string; readonly data: unknown },
  store: JobStore,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<JobResult> {
  const rules = z.strictObject(senderRules, 'must be an object');
  const send = senderWith(checkOptions(requireClient(rules), options), systemRuntime);
  return (job, store, { signal } = {}) => send(job, store, { signal });
}

/** The sender of checked options. Tests turn the clock themselves. */
export function senderWith(options: SenderOptions, runtime: Runtime): Send {
  return async (job, store, { signal, check } = {}) => {
    const known = earlierRuns(store.history, job.data);
    if ('answer' in known) return known.answer;
    const { outcome: earlier } = known;
    // Absent for a first run: another job or process may have sent the same request, so nothing is vouched for.
    const mayHaveBeenSent = earlier === 'unknown' && { mayHaveBeenSent: true };
    try {
      await check?.();
      const checked = parseJob(job);
      const client = await clientOf(checked, options);
      const isOnce = isOnceWith(client, checked);
      if (mayHaveBeenSent && isOnce) throw perhapsSent(checked);
      const file = await loadedFile(checked, options.loadFile, signal, runtime);
      const sendBefore = await mark(store);
      const isRepeatedByClient = !isOnce && !isKeyless(checked.name) && !store.history;
      try {
        const terms = { signal, ...mayHaveBeenSent, ...(sendBefore && { sendBefore }), isRepeatedByClient };
        const answer = await sendJob(checked, client, file, terms);
        await ignoreErrors(() => store.keep({ outcome: 'accepted', answer }));
        return answer;
      } catch (error) {
        const failure = failureOf(error, checked, isOnce).after(earlier);
        // If it cannot be stored, the marker stands, which claims less.
        if (failure.outcome !== 'unknown') await ignoreErrors(() => store.keep({ outcome: failure.outcome }));
        throw failure;
      }
    } catch (error) {
      throw error instanceof JobFailure ? error.after(earlier) : error;
    }
  };
}
