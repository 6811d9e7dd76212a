/**
 * Starts the payment of an order once, whatever happens: a customer who submits twice, two processes, a crash, a lost
 * answer, and a service that does not recognise a repeated request. checkout.ts and checkout-express.ts use it.
 *
 * An attempt is a row of your database, stored before it is sent. There, `claim` is one statement, so only one of two
 * processes sends:
 *
 *   UPDATE attempts SET state = 'sending', sends = sends + 1, sent_at = now()
 *   WHERE reference_id = $1 AND sends < 10
 *     AND (state IN ('new', 'unknown') OR (state = 'sending' AND sent_at < now() - interval '2 minutes'))
 *   RETURNING request, sends
 *
 * and the end of a call is stored only for the claim that it belongs to, unless it is a payment: a process that was
 * suspended knows nothing of the calls in between.
 *
 *   UPDATE attempts SET state = $2, payment_url = $3, sends = CASE $2 WHEN 'new' THEN 0 ELSE sends END
 *   WHERE reference_id = $1
 *     AND (state = 'sending' AND sends = $4 OR $2 = 'started' AND state IN ('sending', 'unknown', 'look up'))
 *
 * For a service that acts again on a repeated key, claim no row that is `sending`, and give the client
 * `repeatUnknown: false`: what stays `sending` is looked up.
 *
 * A job calls `startPayment` for each row that is `sending` or `unknown`, at growing intervals. A person looks up those
 * that are `look up`, or that the job has sent ten times.
 */
import {
  isInstallmentError,
  type AnyInstallmentError,
  type InstallmentApi,
  type PaymentRequest,
} from 'installment-payments';

/** How far an attempt to pay came. */
export type Progress =
  /** Not sent, or refused for now. */
  | { readonly state: 'new'; readonly error?: AnyInstallmentError }
  /** Being sent by some process, or by one that died. */
  | { readonly state: 'sending' }
  /** The payment may exist. The same request may tell, later. */
  | { readonly state: 'unknown' }
  /** The payment may exist. Only the service can tell. */
  | { readonly state: 'look up' }
  | { readonly state: 'started'; readonly paymentUrl: string }
  /** By the documented meaning of the answer nothing was created. The next attempt has a reference of its own. */
  | { readonly state: 'refused'; readonly error: AnyInstallmentError };

export interface Attempt {
  /** The complete request: with merchantId, storeId and platformId, so that another default changes nothing later. */
  readonly request: PaymentRequest;
  sends: number;
  sentAt: number;
  progress: Progress;
}

/** Longer than a call takes (`totalTimeoutMs`): until then another process may still wait for its answer. */
const longestCallMs = 120_000;
const mostSends = 10;

export function newAttempt(request: PaymentRequest): Attempt {
  return { request, sends: 0, sentAt: 0, progress: { state: 'new' } };
}

/** Claims an attempt for sending; false while somebody else may be sending it, and once nothing is left to send. */
function claim(attempt: Attempt): boolean {
  const { sends, sentAt, progress } = attempt;
  const isWaiting = progress.state === 'new' || progress.state === 'unknown';
  const isAbandoned = progress.state === 'sending' && Date.now() - sentAt > longestCallMs;
  if (sends >= mostSends || !(isWaiting || isAbandoned)) return false;
  Object.assign(attempt, { progress: { state: 'sending' }, sends: sends + 1, sentAt: Date.now() });
  return true;
}

/** Sends an attempt that may be sent, and returns how far it came. */
export async function startPayment(
  client: Pick<InstallmentApi, 'initiatePayment'>,
  attempt: Attempt,
): Promise<Progress> {
  if (!claim(attempt)) return attempt.progress;
  const { sends } = attempt;
  const isFirst = sends === 1;
  try {
    const replay = isFirst ? {} : { mayHaveBeenSent: true };
    const { paymentUrl } = await client.initiatePayment(attempt.request, replay);
    attempt.progress = { state: 'started', paymentUrl };
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    // Somebody else has claimed it in the meantime: how this call ended is not how the attempt ends.
    if (attempt.sends !== sends || attempt.progress.state !== 'sending') return attempt.progress;
    attempt.progress = progressAfter(error, isFirst);
    if (attempt.progress.state === 'new') attempt.sends = 0;
  }
  return attempt.progress;
}

function progressAfter(error: AnyInstallmentError, isFirst: boolean): Progress {
  // Input that breaks a rule is not_sent in a replay too. It says nothing about the first request.
  if (!isFirst || error.outcome === 'unknown') return { state: error.retryable ? 'unknown' : 'look up' };
  return error.retryable ? { state: 'new', error } : { state: 'refused', error };
}
