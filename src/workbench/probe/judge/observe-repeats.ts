import { classifyRepeats, type RepeatPattern } from './classify-repeats.js';
import type { Observed } from './observed.js';
import {
  answeredPair,
  existsLater,
  firstResponse,
  foreverMs,
  inFlightResponse,
  paymentsOf,
  repeatsOf,
  sameLink,
  type Repeat,
} from './payment-attempts.js';
import {
  isLink,
  isProcessing,
  responseText,
  type Answered,
  type Attempt,
  type Transcript,
} from './transcript.js';

/** The first response, if it is the same for all payments, and the attempts that got this response. */
function firstOf(transcript: Transcript): { kind?: 'approved' | 'processing'; evidence: Answered[] } {
  const payments = paymentsOf(transcript);
  const firsts = payments.flatMap((payment) => firstResponse(payment) ?? []);
  const pairs = payments.flatMap((payment) => answeredPair(payment) ?? []);
  const isAgreed = (is: (attempt: Attempt) => boolean) => firsts.length > 0 && firsts.every(is);
  if (isAgreed(isLink)) return { kind: 'approved', evidence: firsts };
  // An overloaded service might respond REQUEST_PROCESSING without having created a payment. So a single such response
  // is not enough.
  const isShown = payments.some(existsLater) || firsts.length > 1 || pairs.some(isProcessing);
  return isAgreed(isProcessing) && isShown ? { kind: 'processing', evidence: firsts } : { evidence: [] };
}

export function observeFirstResponse(transcript: Transcript): Observed {
  const { kind, evidence } = firstOf(transcript);
  const [first] = evidence;
  if (!kind || !first) return { observed: 'No first response for a payment arrived.' };
  const before = kind === 'processing' ? ', although the payment exists' : '';
  return { value: kind, observed: responseText(first.response) + before, evidence };
}

/** The repeats of one payment, for the rows of the table below. */
interface RepeatFacts {
  readonly payment: Transcript;
  readonly first: Repeat;
  readonly last: Repeat;
}

interface RepeatRow {
  readonly value?: string;
  /** Describes what was observed, or, without a value, why nothing was observed. */
  readonly observed: string | ((facts: RepeatFacts) => string);
  /** A condition of the value besides the pattern, and the description if the condition is not met. */
  readonly needs?: { readonly isMet: (facts: RepeatFacts) => boolean; readonly missing: string };
}

const responseTo = ({ attempt }: Repeat) => responseText(attempt.response);
const sameResponse = (value: string): RepeatRow => ({ value, observed: ({ first }) => responseTo(first) });

const repeatRows: Readonly<Record<RepeatPattern, RepeatRow>> = {
  none: { observed: 'No repeat got a response.' },
  mixed: { observed: 'Repeats got different kinds of responses.' },
  'other query': {
    observed:
      'The links of one payment differ only in their query, so it is unclear whether there are one or two payments. Ask the provider.',
  },
  another: { value: 'another', observed: 'the response to a repeat contained another link' },
  replay: {
    value: 'replay',
    observed: 'the response to a repeat contained the same link',
    needs: {
      isMet: ({ first }) => first.isPrompt,
      missing:
        'The response to a repeat contained the same link, but did not arrive within 1.5 s of the first request.',
    },
  },
  processing: {
    value: 'processing',
    observed: ({ last }) =>
      `the response to a repeat was ${responseTo(last)} even after ${Math.floor(last.afterMs / 1000)} s`,
    needs: {
      // Without a link, each repeat might have created another payment that is processed too.
      isMet: ({ payment, last }) => last.afterMs >= foreverMs && payment.some(isLink),
      missing:
        'No repeat got a response some seconds after the first request for a payment whose link is known.',
    },
  },
  busy: { value: 'busy', observed: ({ first }) => `${responseTo(first)} at first, then the link` },
  duplicate: sameResponse('duplicate'),
  invalid: sameResponse('invalid'),
  conflict: sameResponse('conflict'),
  other: sameResponse('other'),
};

export function observeRepeat(transcript: Transcript): Observed {
  const payment = paymentsOf(transcript).find((each) => repeatsOf(each).length > 0) ?? [];
  const repeats = repeatsOf(payment);
  const { value, observed, needs } = repeatRows[classifyRepeats(repeats.map(({ kind }) => kind))];
  const [first, last] = [repeats.at(0), repeats.at(-1)];
  if (!first || !last) return { observed: String(observed) };
  const facts = { payment, first, last };
  if (needs?.isMet(facts) === false) return { observed: needs.missing };
  const text = typeof observed === 'string' ? observed : observed(facts);
  return {
    ...(value !== undefined && { value, evidence: repeats.map(({ attempt }) => attempt) }),
    observed: text,
  };
}

/** The response of the mock to a request while it processes the same request. */
export const assumedInFlight = 'REQUEST_PROCESSING';

export function observeInFlight(transcript: Transcript): Observed {
  const payments = paymentsOf(transcript);
  const pair = payments.map(answeredPair).find((found) => found !== undefined);
  const value = pair && inFlightResponse(pair, firstOf(transcript).kind);
  if (!pair || value === undefined)
    return {
      observed: 'Two requests were sent at the same moment, and at least one of them got no response.',
    };
  // If a later repeat got the same response, the option `repeat` already covers this response.
  const isAsLater = payments
    .flatMap(repeatsOf)
    .some(({ attempt: { response } }) => value === (response.resultStatus ?? responseText(response)));
  const isEquivalent = isAsLater || value === sameLink || value === assumedInFlight;
  return {
    value,
    observed: pair.map(({ response }) => responseText(response)).join(' and '),
    evidence: pair,
    isEquivalent,
  };
}
