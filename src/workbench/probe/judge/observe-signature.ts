import type { Observed } from './observed.js';
import { paymentsOf } from './payment-attempts.js';
import { acceptedForm, refusedIndented, type Accepted } from './signing.js';
import { isLink, isProcessing, isRefused, responseText, type Transcript } from './transcript.js';

const noForm: Observed = {
  observed: 'No form of the signature got a response that differs from the response to a wrong signature.',
};

/** Observes the part of an accepted form that an option names. */
export function observePart(name: keyof Accepted['form'], operation?: 'uploadInvoice') {
  return (transcript: Transcript): Observed => {
    const accepted = acceptedForm(transcript, operation);
    if (!accepted) return noForm;
    const { form, evidence } = accepted;
    const [right, control] = evidence.map(({ response }) => responseText(response));
    return { value: form[name], observed: `${right}; with a wrong signature ${control}`, evidence };
  };
}

export function observeExactBytes(transcript: Transcript): Observed {
  const accepted = acceptedForm(transcript);
  if (!accepted) return noForm;
  const { form, evidence } = accepted;
  if (form.writing === 'indented')
    return { value: true, observed: 'JSON with tabs was accepted as it was signed', evidence };
  const refused = refusedIndented(transcript, accepted);
  if (!refused)
    return { observed: 'JSON with tabs was not refused with the same response as a wrong signature.' };
  const observed = `JSON with tabs was refused like a wrong signature, and ${form.writing} JSON was accepted`;
  return { value: false, observed, evidence: [refused, ...evidence] };
}

export function observeOffset(transcript: Transcript): Observed {
  const payments = paymentsOf(transcript);
  const accepted = payments.flat().filter((each) => isLink(each) || isProcessing(each));
  const offsets = [...new Set(accepted.map(({ request }) => request.offset))];
  if (offsets.length > 1)
    return {
      value: 'any',
      observed: `Request-Time was accepted at ${offsets.join(' and ')}`,
      evidence: accepted,
      isEquivalent: true,
    };
  const [offset] = offsets;
  // The same payment was accepted at `offset` and refused at another offset, so the offset must be the reason.
  const refused = payments
    .filter((payment) => payment.some((each) => accepted.includes(each)))
    .flatMap((payment) => payment.filter(isRefused).filter(({ request }) => request.offset !== offset));
  if (offset === undefined || refused.length === 0)
    return { observed: 'No payment was sent with two offsets.' };
  const observed = `Request-Time was refused at ${refused.map(({ request }) => request.offset).join(' and ')}`;
  return { value: offset, observed, evidence: [...refused, ...accepted] };
}
