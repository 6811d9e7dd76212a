import type { Observed } from './observed.js';
import { existsLater, paymentsOf, showsPayment } from './payment-attempts.js';
import { refusalsKind, refusalsOf, settableStatuses } from './refusal-statuses.js';
import { acceptedForm } from './signing.js';
import { isLink, responseText, type Attempt, type Transcript } from './transcript.js';

export function observeRefusals(transcript: Transcript): Observed {
  const evidence = refusalsOf(transcript);
  const kinds = new Set(evidence.map(({ response }) => response.resultStatus));
  if (kinds.size < 3) return { observed: 'Fewer than three kinds of refusals were seen.' };
  const value = refusalsKind(evidence);
  const seen = new Set(
    evidence.map(({ response: { resultStatus, httpStatus } }) => `${resultStatus} HTTP ${httpStatus}`),
  );
  const observed = [...seen].join(', ');
  if (value !== 'other') return { value, observed, evidence };
  const statuses = settableStatuses(evidence);
  // If none of the statuses can be set, there is no option for the difference.
  return { value, observed, evidence, option: Object.keys(statuses).length > 0 ? statuses : 'other' };
}

export function observeUploads(transcript: Transcript): Observed {
  const accepted = acceptedForm(transcript, 'uploadInvoice');
  const payments = paymentsOf(transcript).filter((payment) => payment.some(showsPayment));
  const paymentOf = ({ request }: Attempt) =>
    payments.find((payment) => payment.some((each) => each.request.referenceId === request.referenceId));
  const isWhole = ({ request: { operation, content, sender } }: Attempt) =>
    operation === 'uploadInvoice' && content === 'whole' && sender === 'right';
  const upload = accepted && transcript.find((each) => isWhole(each) && paymentOf(each));
  const payment = (upload && paymentOf(upload)) ?? [];
  // A refused reference proves something only if the payment certainly exists.
  const isKnown = payment.some(isLink) || existsLater(payment);
  const values = { APPROVED: 'accepted', ...(isKnown && { INVALID_REFERENCE_ID: 'refused' }) };
  const value = new Map(Object.entries(values)).get(upload?.response?.resultStatus ?? '');
  if (!accepted || !upload?.response || value === undefined)
    return {
      observed:
        'No upload for an existing, unpaid payment was approved or was refused because of its reference.',
    };
  const evidence = [upload, ...accepted.evidence];
  return {
    value,
    observed: `${responseText(upload.response)} for the upload of a payment that is not paid`,
    evidence,
    option: 'any',
  };
}
