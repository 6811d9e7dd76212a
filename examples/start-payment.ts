/**
 * Starts the payment of an order once: whether a customer submits twice, two processes do so at the same time, a process
 * dies or is suspended, the answer is lost, or the service does not recognise a repeated request. checkout.ts and
 * checkout-express.ts use it.
 *
 * An attempt is a row of your database, stored before it is sent. examples/postgres/attempts.ts has the statements: there
 * `claim` is one UPDATE, so only one of two processes gets the row, and the end of a call is stored only for the claim
 * that it belongs to, unless it is a payment.
 *
 * A claim does not stop a process that has one: it may be suspended, and wake after a person has concluded that there is
 * no payment. So it takes the time before its claim, and the client sends nothing once that is a minute ago.
 *
 * A job calls `startPayment` for each row that is `sending` or `unknown`, at growing intervals. A person looks up those
 * that are `look up`, or that the job has sent ten times, and concludes three minutes after the last claim at the earliest.
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

/** Nothing is sent later than this after a claim, however long the process was suspended. */
const sendWithinMs = 60_000;
/** Longer than that and a call (`totalTimeoutMs`): until then another process may still wait for its answer. */
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
  const sendBefore = new Date(Date.now() + sendWithinMs); // read before the claim
  if (!claim(attempt)) return attempt.progress;
  const { sends } = attempt;
  const isFirst = sends === 1;
  try {
    const replay = isFirst ? {} : { mayHaveBeenSent: true };
    const { paymentUrl } = await client.initiatePayment(attempt.request, { ...replay, sendBefore });
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
  // After TIMEOUT nothing was sent, and another claim may send it.
  return error.retryable || error.code === 'TIMEOUT' ? { state: 'new', error } : { state: 'refused', error };
}
