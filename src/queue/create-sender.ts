import { isDate } from 'node:util/types';
import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { systemRuntime, type Runtime } from '../http/runtime.js';
import { repeatUnknownOf } from '../options/repeat-unknown.js';
import { isKeyless } from '../protocol/endpoints.js';
import { aFunction } from '../protocol/field-rules.js';
import { ignoreErrors, isRecord } from '../values/untrusted-values.js';
import { JobFailure } from './job-failure.js';
import { earlierRuns } from './job-history.js';
import type { JobResult, JobStore, SenderOptions } from './job-types.js';
import { loadedFile } from './load-file.js';
import { clientOf, failureOf, isSentOnce, parseJob, sendJob, type QueuedJob } from './send-job.js';

const isClient = (value: unknown) => isRecord(value) || typeof value === 'function';
const notClient = 'must be a client, or a function of the job that returns one';

export const senderRules = z
  .strictObject(
    {
      client: z.optional(z.custom<NonNullable<SenderOptions['client']>>(isClient, notClient)),
      lender: z.optional(z.custom<NonNullable<SenderOptions['lender']>>(isClient, notClient)),
      loadFile: z.optional(aFunction<NonNullable<SenderOptions['loadFile']>>()),
    },
    'must be an object',
  )
  .check(
    z.refine(({ client, lender }) => client !== undefined || lender !== undefined, {
      path: ['client'],
      message: 'is required when there is no lender: pass one of them',
    }),
  );

/** The end of a job that is sent once. Only a new job without `mayHaveBeenSent` sends it. */
const perhapsSent =
  'an earlier run or job may have sent it, and it is not sent twice. Look it up at the service, three minutes after its ' +
  'last run at the earliest. If it is not there, remove the job and add it again without mayHaveBeenSent.';

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
  // Anything else, such as the result of a statement, confirms nothing.
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
 * import { createSender, type CheckedJob, type JobHistory } from 'installment-payments/queue';
 * import type { Pool } from 'pg';
 *
 * const send = createSender({ client: new InstallmentClient() });
 * const sql = `UPDATE jobs SET history = $3, locked_until = now() + interval '1 minute' WHERE id = $1 AND runs = $2`;
 *
 * // The row that a claim returned: `UPDATE jobs SET runs = runs + 1, locked_until = … RETURNING *`.
 * export function run(database: Pool, row: CheckedJob & { history: JobHistory | null; runs: number }) {
 *   const store = async (known: JobHistory) => {
 *     const until = new Date(Date.now() + 60_000); // read before the statement
 *     const { rowCount } = await database.query(sql, [row.id, row.runs, known]);
 *     return rowCount === 1 && until;
 *   };
 *   return send(row, { history: row.history, mark: store, keep: store });
 * }
 * ```
 * @param options - The clients, and how a file is loaded.
 * @returns A function of a job that {@link createJob} made, its store and a signal. It resolves to the service's response,
 * and rejects with a {@link JobFailure}.
 * @throws ConfigurationError that names the option which is missing or malformed.
 */
export function createSender(options: SenderOptions) {
  const send = senderWith(checkOptions(senderRules, options), systemRuntime);
  // Its result is annotated: a service that emits declarations could not name what is inferred.
  return (
    job: QueuedJob,
    store: JobStore,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<JobResult> => send(job, store, signal);
}

/** The sender of checked options. Tests turn the clock themselves; `problem` is a queue's own reason to refuse a job. */
export function senderWith(options: SenderOptions, runtime: Runtime) {
  return async (job: QueuedJob, store: JobStore, signal?: AbortSignal, problem?: string) => {
    const known = earlierRuns(store.history, job.data);
    if (known.outcome === 'accepted') return known.answer;
    const earlier = known.outcome;
    try {
      if (problem !== undefined) throw new JobFailure('CONFIGURATION', problem, { isFinal: true });
      const checked = parseJob(job);
      const client = await clientOf(checked, options);
      const isOnce = isSentOnce(checked) || (!isKeyless(checked.name) && !repeatUnknownOf(client));
      if (earlier === 'unknown' && isOnce)
        throw new JobFailure('MAY_HAVE_BEEN_SENT', perhapsSent, { outcome: 'unknown', isFinal: true });
      const file = await loadedFile(checked, options.loadFile, signal, runtime);
      const sendBefore = await mark(store);
      // In later runs the queue retries, so that a job does not send three times as often as it has runs. What is sent
      // once is never retried by the client: while it waits, the marker says that the request may have been sent.
      const isRetriedByQueue = isOnce || isKeyless(checked.name) || store.history;
      try {
        const answer = await sendJob(checked, client, file, {
          signal,
          sendBefore,
          // Absent for a first run: another job or process may have sent the same request, so nothing is vouched for.
          ...(earlier === 'unknown' && { mayHaveBeenSent: true }),
          ...(isRetriedByQueue && { maxRetries: 0 }),
        });
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
