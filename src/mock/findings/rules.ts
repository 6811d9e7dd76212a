import { tableOf } from '../common/table-of.js';
import type { Sighting } from './evidence.js';
import * as payment from './payment-rules.js';
import type { RunRecord } from './record.js';
import { uploadAgain, uploadUnconfirmed } from './upload-rules.js';
import * as webhook from './webhook-rules.js';

/** A rule that merchants should keep in every world. */
export interface Rule {
  /** `'error'`: money or an invoice is at stake. `'warning'`: worth a look. */
  readonly level: 'error' | 'warning';
  /** Why it matters, in one sentence. */
  readonly why: string;
  /** How to mend it. */
  readonly fix: string;
  /** The cases in one run; a rule that compares reads the run in the plain world too. */
  readonly find: (run: RunRecord, plain?: RunRecord) => Sighting[];
}

/** Every rule, the most expensive first. A rule claims only facts that the mock can see. */
export const rules = tableOf<Rule>()({
  'two-payments': {
    level: 'error',
    why: 'A customer can be charged twice for one order.',
    fix: 'Retry the same request a few times, with the same referenceId and Idempotency-Key; then look it up. What the service does with a repeated key is not documented. After a declined payment, offer another attempt only once its time is over: it may still be paid.',
    find: payment.twoPayments,
  },
  'new-reference-after-unknown': {
    level: 'error',
    why: 'The payment whose response was lost may exist, so the customer may have two.',
    fix: 'Store the referenceId before the first call, and use another one only after the service has definitely rejected the first.',
    find: payment.newReferenceAfterUnknown,
  },
  'new-key': {
    level: 'error',
    why: 'A service that identifies requests by their key may treat the second one as another request.',
    fix: 'Send the key of the first attempt with every retry; with InstallmentClient, leave idempotencyKey out or store it with the order.',
    find: payment.newKey,
  },
  'key-reused': {
    level: 'error',
    why: 'The service may respond with the payment of the other body, or refuse a valid one.',
    fix: 'Store the whole request before the first call and retry exactly that; give another order another key.',
    find: payment.keyReused,
  },
  'repeats-for-ever': {
    level: 'error',
    why: 'So many retries burden the service, and the order is never settled.',
    fix: 'Wait longer before each retry. After a limit, have someone on your team look the payment up.',
    find: payment.repeatsForEver,
  },
  'upload-again': {
    level: 'error',
    why: 'A referenceId has three invoices at most, and a repeated upload may use up two of them.',
    fix: 'After a lost response, do not upload again: look the invoice up at the service, or ask it.',
    find: uploadAgain,
  },
  'upload-unconfirmed': {
    level: 'error',
    why: 'The specification has merchants upload only after the payment is confirmed.',
    fix: 'Upload when a signed notification, or a status query, says that the payment is paid. The redirect proves nothing.',
    find: uploadUnconfirmed,
  },
  'forged-accepted': {
    level: 'error',
    why: 'Anyone who knows the address can have goods sent without paying.',
    fix: 'Verify the signature over the exact bytes before anything else, respond with 401 if it is wrong or missing, and accept nothing while the secret key is missing or empty.',
    find: webhook.forgedAccepted,
  },
  'paid-not-counted': {
    level: 'error',
    why: 'The customer has paid, and the order is not processed.',
    fix: 'Count an order as paid whenever a signed notification says so, also after it was declined, expired or pending. Let nothing overwrite that: a notification may arrive before the response to your own call. Respond to an unknown order with an error, so that the notification may be delivered again. If the page is right, see --order-url ({ref} is the reference of the attempt) and --paid.',
    find: webhook.paidNotCounted,
  },
  'unpaid-counted': {
    level: 'error',
    why: 'Goods are sent that nobody has paid for.',
    fix: 'Count an order as paid only by a signed notification whose status, reference, amount, currency and merchant are those of the stored request, or by a status query. If the page does not say paid, --paid matches too much.',
    find: webhook.unpaidCounted,
  },
  'redirect-believed': {
    level: 'error',
    why: 'Anybody can open an address: goods are sent that nobody has paid for.',
    fix: 'Let the redirect show the state of the order and change nothing. Count it as paid by a signed notification.',
    find: webhook.redirectBelieved,
  },
  'counted-twice': {
    level: 'error',
    why: 'Goods go out, or credit is given, once for each notification.',
    fix: 'Change the state of the order and do what follows from it in one transaction, and only where it was not paid before.',
    find: webhook.countedTwice,
  },
  'two-links-paid': {
    level: 'warning',
    why: 'The customer has paid twice, and one payment has to be refunded.',
    fix: 'Count the order once, and have someone on your team refund the second payment.',
    find: payment.twoLinksPaid,
  },
  'no-key': {
    level: 'warning',
    why: 'The specification recommends a key for safe retries; without one, a retry may be refused as a duplicate.',
    fix: 'Send an Idempotency-Key with each initiate request; InstallmentClient does.',
    find: payment.noKey,
  },
  'answer-abandoned': {
    level: 'warning',
    why: 'The payment may exist, and nobody knows its paymentUrl; after HTTP 429 the order is lost.',
    fix: 'Retry the same request, or look the payment up, before you cancel the order.',
    find: payment.answerAbandoned,
  },
  'retry-after-ignored': {
    level: 'warning',
    why: 'A service that limits its callers may refuse them for longer.',
    fix: 'Wait for as long as Retry-After says.',
    find: payment.retryAfterIgnored,
  },
  'request-time-off': {
    level: 'warning',
    why: 'A service may refuse requests whose time is too old or in the future.',
    fix: 'Send Request-Time in the time zone of the service, by a clock that is synchronised.',
    find: payment.requestTimeOff,
  },
  'notification-refused': {
    level: 'warning',
    why: 'A notification that is never accepted is lost in the end.',
    fix: 'Respond with 2xx once the notification is stored. See the log of the backend.',
    find: webhook.notificationRefused,
  },
  'order-odd': {
    level: 'warning',
    why: 'The customer may be asked for a wrong amount, or cannot pay in time.',
    fix: 'Amounts are in đồng and times in milliseconds. Check the code that makes the order.',
    find: payment.orderOdd,
  },
});

/** The name of a rule. */
export type RuleName = keyof typeof rules;
