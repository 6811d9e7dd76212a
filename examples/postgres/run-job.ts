/** One run of a job: claimed in its row, sent once its row says so, and ended there. */
import type { Payment } from 'installment-payments';
import { JobFailure, type createSender, type JobHistory } from 'installment-payments/queue';
import type { Pool } from 'pg';

const claim = `
WITH claimed AS (
  UPDATE payment_jobs AS job
  SET token = gen_random_uuid(), runs = runs + 1, locked_until = now() + $2 * interval '1 millisecond'
  WHERE id = $1 AND ended IS NULL AND coalesce(locked_until < now(), true) AND (
    name <> 'initiatePayment' OR EXISTS (
      SELECT FROM payment_attempts AS attempt JOIN orders ON orders.id = order_id
      WHERE attempt.reference_id = job.reference_id AND state IN ('new', 'sending', 'unknown')
        AND paid_at IS NULL AND cancelled_at IS NULL
    )
  )
  RETURNING id, reference_id, name, data, history, token
), sending AS (
  UPDATE payment_attempts SET state = 'sending', sends = sends + 1, sent_at = now()
  FROM claimed WHERE payment_attempts.reference_id = claimed.reference_id AND name = 'initiatePayment'
)
SELECT * FROM claimed`;

const store = `
UPDATE payment_jobs SET history = $3, locked_until = now() + $4 * interval '1 millisecond'
WHERE id = $1 AND token = $2`;

const end = `
WITH ended AS (
  UPDATE payment_jobs SET ended = CASE WHEN $4 THEN $3 END, locked_until = NULL
  WHERE id = $1 AND token = $2 RETURNING reference_id, name
)
UPDATE payment_attempts SET
  state = CASE WHEN name <> 'initiatePayment' THEN state ELSE $5 END,
  payment_url = coalesce($6, payment_url),
  looked_up_at = CASE WHEN $5 = 'look up' THEN now() ELSE looked_up_at END,
  invoice = CASE WHEN name <> 'uploadInvoice' OR NOT $4 THEN invoice WHEN $3 = 'accepted' THEN 'stored' ELSE 'look up' END
FROM ended
WHERE payment_attempts.reference_id = ended.reference_id
  AND (name <> 'initiatePayment' OR state IN ('sending', 'unknown') OR $5 = 'started' AND state = 'look up')`;

interface Claimed {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly history: JobHistory | null;
  readonly token: string;
}

const states = {
  not_sent: ['refused', 'new'],
  rejected: ['refused', 'new'],
  unknown: ['look up', 'unknown'],
} as const;

/** Runs a job. Returns in how many seconds it is to be run again, if at all. */
export async function runJob(
  database: Pool,
  send: ReturnType<typeof createSender>,
  jobId: string,
  claimMs = 60_000,
): Promise<number | undefined> {
  const { rows } = await database.query<Claimed>(claim, [jobId, claimMs]);
  const [claimed] = rows;
  if (!claimed) {
    // Another run may own it, and die. What has ended, was looked up or is paid is not run again.
    const { rowCount } = await database.query(
      'SELECT FROM payment_jobs WHERE id = $1 AND ended IS NULL AND locked_until >= now()',
      [jobId],
    );
    return rowCount === 1 ? claimMs / 1000 : undefined;
  }
  const { id, name, data, history, token } = claimed;
  const write = async (known: JobHistory) => {
    const until = new Date(Date.now() + claimMs); // read before the statement
    const { rowCount } = await database.query(store, [id, token, known, claimMs]);
    return rowCount === 1 && until;
  };
  try {
    const { result } = await send({ id, name, data }, { history, mark: write, keep: write });
    const { paymentUrl = null } = result as Partial<Payment>;
    await database.query(end, [id, token, 'accepted', true, 'started', paymentUrl]);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    const { outcome, isFinal, retryAfterMs = 5_000 } = error;
    await database.query(end, [id, token, outcome, isFinal, states[outcome][isFinal ? 0 : 1], null]);
    return isFinal ? undefined : retryAfterMs / 1000;
  }
  return undefined;
}
