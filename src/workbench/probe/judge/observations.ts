import { classifyRepeats, type RepeatPattern } from './classify-repeats.js';
import { acceptedForm, refusedIndented, type Accepted } from './signing.js';
import {
  answeredPair,
  existsLater,
  firstResponse,
  foreverMs,
  inFlightWords,
  sameLink,
  paymentsOf,
  repeatsOf,
  showsPayment,
  type Repeat,
} from './payments.js';
import { refusalsKind, refusalsOf, settableStatuses } from './refusals.js';
import {
  assumedOffset,
  isLink,
  isProcessing,
  isRefused,
  wordsOf,
  type Answered,
  type Attempt,
  type Transcript,
} from './transcript.js';

/** What a probe has seen of one question that the specification leaves open. */
export interface Observation {
  readonly id: ObservationId;
  readonly state: 'seen' | 'not_seen';
  readonly value?: unknown;
  /** What this package does by itself. */
  readonly assumed: unknown;
  /** What was observed, or what would show it. */
  readonly observed: string;
  /** The options that make the difference up, by their paths in `client` and `mock` of the file. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** There is a difference, and no option for it. */
  readonly noOption?: true;
  /** Numbers of requests. */
  readonly evidence: readonly number[];
}

/** What one of the rules below sees; without a value, `observed` says what would show it. */
interface Observed {
  readonly value?: unknown;
  readonly observed: string;
  readonly evidence?: readonly Attempt[];
  /** The value of the options, where it is another than that of the observation. */
  readonly option?: unknown;
  /** True where it differs from what is assumed in nothing that matters. */
  readonly isEquivalent?: boolean;
}

interface Row {
  readonly assumed: unknown;
  readonly options: readonly string[];
  readonly see: (transcript: Transcript) => Observed;
}

const wire = (name: string) => [`client.wire.${name}`, `mock.wire.${name}`];
const noForm: Observed = { observed: 'No form of the signature was answered otherwise than a wrong one.' };

/** Of an accepted form, the part that an option names. */
function seePart(name: keyof Accepted['form'], operation?: 'uploadInvoice') {
  return (transcript: Transcript): Observed => {
    const accepted = acceptedForm(transcript, operation);
    if (!accepted) return noForm;
    const { form, evidence } = accepted;
    const [right, control] = evidence.map(({ response }) => wordsOf(response));
    return { value: form[name], observed: `${right}; with a wrong signature ${control}`, evidence };
  };
}

function seeExactBytes(transcript: Transcript): Observed {
  const accepted = acceptedForm(transcript);
  if (!accepted) return noForm;
  const { form, evidence } = accepted;
  if (form.writing === 'indented')
    return { value: true, observed: 'JSON with tabs was accepted as it was signed', evidence };
  const refused = refusedIndented(transcript, accepted);
  if (!refused) return { observed: 'JSON with tabs would have to be refused as a wrong signature is.' };
  const observed = `JSON with tabs was refused as a wrong signature is, and ${form.writing} JSON accepted`;
  return { value: false, observed, evidence: [refused, ...evidence] };
}

function seeOffset(transcript: Transcript): Observed {
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
  // Of one payment, so that nothing else can be the reason.
  const refused = payments
    .filter((payment) => payment.some((each) => accepted.includes(each)))
    .flatMap((payment) => payment.filter(isRefused).filter(({ request }) => request.offset !== offset));
  if (offset === undefined || refused.length === 0)
    return { observed: 'A payment would have to be sent with two offsets.' };
  const observed = `Request-Time was refused at ${refused.map(({ request }) => request.offset).join(' and ')}`;
  return { value: offset, observed, evidence: [...refused, ...accepted] };
}

/** The first answer that all payments agree on, and the attempts that show it. */
function firstOf(transcript: Transcript): { kind?: 'approved' | 'processing'; evidence: Answered[] } {
  const payments = paymentsOf(transcript);
  const firsts = payments.flatMap((payment) => firstResponse(payment) ?? []);
  const pairs = payments.flatMap((payment) => answeredPair(payment) ?? []);
  const isAgreed = (is: (attempt: Attempt) => boolean) => firsts.length > 0 && firsts.every(is);
  if (isAgreed(isLink)) return { kind: 'approved', evidence: firsts };
  // A service that is overloaded may say so of a payment that it has not made.
  const isShown = payments.some(existsLater) || firsts.length > 1 || pairs.some(isProcessing);
  return isAgreed(isProcessing) && isShown ? { kind: 'processing', evidence: firsts } : { evidence: [] };
}

function seeFirst(transcript: Transcript): Observed {
  const { kind, evidence } = firstOf(transcript);
  const [first] = evidence;
  if (!kind || !first) return { observed: 'The first response for a payment would have to arrive.' };
  const before = kind === 'processing' ? ', although the payment exists' : '';
  return { value: kind, observed: wordsOf(first.response) + before, evidence };
}

/** What a row of the table below sees of the repeats of one payment. */
interface RepeatFacts {
  readonly payment: Transcript;
  readonly first: Repeat;
  readonly last: Repeat;
}

interface RepeatRow {
  readonly value?: string;
  /** What was observed, or without a value what would show it. */
  readonly observed: string | ((facts: RepeatFacts) => string);
  /** What the value takes besides the pattern, and what is missing without it. */
  readonly needs?: { readonly isMet: (facts: RepeatFacts) => boolean; readonly missing: string };
}

const responseTo = ({ attempt }: Repeat) => wordsOf(attempt.response);
const sameResponse = (value: string): RepeatRow => ({ value, observed: ({ first }) => responseTo(first) });

const repeatRows: Readonly<Record<RepeatPattern, RepeatRow>> = {
  none: { observed: 'No repeat was answered.' },
  mixed: { observed: 'Repeats were answered in several ways.' },
  'other query': {
    observed:
      'The links of one payment differ in their query alone, so it is unclear whether there are one or two payments: ask the service how many payments there are.',
  },
  another: { value: 'another', observed: 'a repeat gave another link' },
  replay: {
    value: 'replay',
    observed: 'a repeat gave the same link',
    needs: {
      isMet: ({ first }) => first.isPrompt,
      missing: 'A repeat gave the same link, but it was not answered within 1.5 s of the first request.',
    },
  },
  processing: {
    value: 'processing',
    observed: ({ last }) =>
      `a repeat was still answered with ${responseTo(last)} after ${Math.floor(last.afterMs / 1000)} s`,
    needs: {
      // Without a link, each repeat may have made another payment that is processed too.
      isMet: ({ payment, last }) => last.afterMs >= foreverMs && payment.some(isLink),
      missing: 'No repeat of a payment whose link is known was answered for some seconds.',
    },
  },
  busy: { value: 'busy', observed: ({ first }) => `${responseTo(first)} at first, then the link` },
  duplicate: sameResponse('duplicate'),
  invalid: sameResponse('invalid'),
  conflict: sameResponse('conflict'),
  other: sameResponse('other'),
};

function seeRepeat(transcript: Transcript): Observed {
  const payment = paymentsOf(transcript).find((each) => repeatsOf(each).length > 0) ?? [];
  const repeats = repeatsOf(payment);
  const { value, observed, needs } = repeatRows[classifyRepeats(repeats.map(({ kind }) => kind))];
  const [first, last] = [repeats.at(0), repeats.at(-1)];
  if (!first || !last) return { observed: String(observed) };
  const facts = { payment, first, last };
  if (needs?.isMet(facts) === false) return { observed: needs.missing };
  const words = typeof observed === 'string' ? observed : observed(facts);
  return {
    ...(value !== undefined && { value, evidence: repeats.map(({ attempt }) => attempt) }),
    observed: words,
  };
}

/** What the mock does with a request whose twin it is still processing. */
const assumedInFlight = 'REQUEST_PROCESSING';

function seeInFlight(transcript: Transcript): Observed {
  const payments = paymentsOf(transcript);
  const pair = payments.map(answeredPair).find((found) => found !== undefined);
  const value = pair && inFlightWords(pair, firstOf(transcript).kind);
  if (!pair || value === undefined)
    return { observed: 'Two requests at the same moment would both have to be answered.' };
  // As a later repeat is answered: an option of its own has that.
  const isAsLater = payments
    .flatMap(repeatsOf)
    .some(({ attempt: { response } }) => value === (response.resultStatus ?? wordsOf(response)));
  const isEquivalent = isAsLater || value === sameLink || value === assumedInFlight;
  return {
    value,
    observed: pair.map(({ response }) => wordsOf(response)).join(' and '),
    evidence: pair,
    isEquivalent,
  };
}

function seeRefusals(transcript: Transcript): Observed {
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
  // Without one that can be set, the difference has no option.
  return { value, observed, evidence, option: Object.keys(statuses).length > 0 ? statuses : 'other' };
}

function seeUploads(transcript: Transcript): Observed {
  const accepted = acceptedForm(transcript, 'uploadInvoice');
  const payments = paymentsOf(transcript).filter((payment) => payment.some(showsPayment));
  const paymentOf = ({ request }: Attempt) =>
    payments.find((payment) => payment.some((each) => each.request.referenceId === request.referenceId));
  const isWhole = ({ request: { operation, content, sender } }: Attempt) =>
    operation === 'uploadInvoice' && content === 'whole' && sender === 'right';
  const upload = accepted && transcript.find((each) => isWhole(each) && paymentOf(each));
  const payment = (upload && paymentOf(upload)) ?? [];
  // A refused reference says something only if the payment certainly exists.
  const isKnown = payment.some(isLink) || existsLater(payment);
  const values = { APPROVED: 'accepted', ...(isKnown && { INVALID_REFERENCE_ID: 'refused' }) };
  const value = new Map(Object.entries(values)).get(upload?.response?.resultStatus ?? '');
  if (!accepted || !upload?.response || value === undefined)
    return {
      observed:
        'No upload for a payment that exists and is not paid was approved, or refused for its reference.',
    };
  const evidence = [upload, ...accepted.evidence];
  return {
    value,
    observed: `for a payment that is not paid ${wordsOf(upload.response)}`,
    evidence,
    option: 'any',
  };
}

const rows = {
  'signature-encoding': {
    assumed: 'hex',
    options: wire('signatureEncoding'),
    see: seePart('signatureEncoding'),
  },
  'secret-key-encoding': {
    assumed: 'utf8',
    options: wire('secretKeyEncoding'),
    see: seePart('secretKeyEncoding'),
  },
  'exact-bytes': { assumed: true, options: [], see: seeExactBytes },
  'absent-fields': {
    assumed: 'empty',
    options: wire('absentFields'),
    see: seePart('absentFields', 'uploadInvoice'),
  },
  'request-time-offset': { assumed: assumedOffset, options: wire('requestTimeOffset'), see: seeOffset },
  repeat: { assumed: 'replay', options: ['mock.scenario.repeat'], see: seeRepeat },
  'repeat-in-flight': { assumed: assumedInFlight, options: [], see: seeInFlight },
  'first-response': { assumed: 'approved', options: ['mock.scenario.firstResponse'], see: seeFirst },
  refusals: { assumed: 200, options: ['mock.scenario.refusals'], see: seeRefusals },
  'uploads-before-payment': { assumed: 'refused', options: ['mock.uploads'], see: seeUploads },
} as const satisfies Readonly<Record<string, Row>>;

export type ObservationId = keyof typeof rows;

/** What a transcript shows, question by question. */
export function observationsOf(transcript: Transcript): readonly Observation[] {
  return Object.entries<Row>(rows).map(([id, { assumed, options, see }]) => {
    const { value, observed, evidence = [], option = value, isEquivalent = false } = see(transcript);
    const hasOption = options.length > 0 && option !== 'other';
    const difference = hasOption
      ? { set: Object.fromEntries(options.map((path) => [path, option])) }
      : { noOption: true as const };
    return {
      id: id as ObservationId,
      ...(value === undefined ? { state: 'not_seen' as const } : { state: 'seen' as const, value }),
      assumed,
      observed,
      ...(value !== undefined && value !== assumed && !isEquivalent && difference),
      evidence: [...new Set(evidence.map(({ number }) => number))].sort((a, b) => a - b),
    };
  });
}

/** True for something to set, and for a difference without an option. */
export function isDifference({ set, noOption }: Observation): boolean {
  return set !== undefined || noOption === true;
}

/** The options that make up all differences, as the client and the mock take them. */
export interface ServiceOptions {
  readonly client: Readonly<Record<string, unknown>>;
  readonly mock: Readonly<Record<string, unknown>>;
}

type Tree = Record<string, unknown>;

export function optionsOf(observations: readonly Observation[]): ServiceOptions {
  const options = { client: { wire: {} } as Tree, mock: {} as Tree };
  for (const [path, value] of observations.flatMap(({ set }) => Object.entries(set ?? {}))) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place: Tree = options;
    for (const name of names) place = (place[name] ??= {}) as Tree;
    place[last] = value;
  }
  return options;
}
