import { observeRefusals, observeUploads } from './observe-refusals.js';
import { assumedInFlight, observeFirstResponse, observeInFlight, observeRepeat } from './observe-repeats.js';
import { observeExactBytes, observeOffset, observePart } from './observe-signature.js';
import type { Observed } from './observed.js';
import { assumedOffset, type Transcript } from './transcript.js';

/** The result of a probe for one question that the specification leaves open. */
export interface Observation {
  readonly id: ObservationId;
  readonly state: 'seen' | 'not_seen';
  readonly value?: unknown;
  /** The behaviour that this package assumes by default. */
  readonly assumed: unknown;
  /** A description of what was observed, or of the reason why nothing was observed. */
  readonly observed: string;
  /** The options to set because of the difference, by their paths in `client` and `mock` of the file. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** True if the value differs from the assumption, and the client and the mock have no option for the difference. */
  readonly noOption?: true;
  /** The numbers of the requests that show the value. */
  readonly evidence: readonly number[];
}

interface Row {
  readonly assumed: unknown;
  readonly options: readonly string[];
  readonly observe: (transcript: Transcript) => Observed;
}

const wire = (name: string) => [`client.wire.${name}`, `mock.wire.${name}`];

const observationRows = {
  'signature-encoding': {
    assumed: 'hex',
    options: wire('signatureEncoding'),
    observe: observePart('signatureEncoding'),
  },
  'secret-key-encoding': {
    assumed: 'utf8',
    options: wire('secretKeyEncoding'),
    observe: observePart('secretKeyEncoding'),
  },
  'exact-bytes': { assumed: true, options: [], observe: observeExactBytes },
  'absent-fields': {
    assumed: 'empty',
    options: wire('absentFields'),
    observe: observePart('absentFields', 'uploadInvoice'),
  },
  'request-time-offset': {
    assumed: assumedOffset,
    options: wire('requestTimeOffset'),
    observe: observeOffset,
  },
  repeat: { assumed: 'replay', options: ['mock.scenario.repeat'], observe: observeRepeat },
  'repeat-in-flight': { assumed: assumedInFlight, options: [], observe: observeInFlight },
  'first-response': {
    assumed: 'approved',
    options: ['mock.scenario.firstResponse'],
    observe: observeFirstResponse,
  },
  refusals: { assumed: 200, options: ['mock.scenario.refusals'], observe: observeRefusals },
  'uploads-before-payment': { assumed: 'refused', options: ['mock.uploads'], observe: observeUploads },
} as const satisfies Readonly<Record<string, Row>>;

export type ObservationId = keyof typeof observationRows;

/** Judges a transcript, with one observation for each question. */
export function observationsOf(transcript: Transcript): readonly Observation[] {
  return Object.entries<Row>(observationRows).map(([id, { assumed, options, observe }]) => {
    const { value, observed, evidence = [], option = value, isEquivalent = false } = observe(transcript);
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

/** True if an option must be set, or if no option exists for a difference. */
export function isDifference({ set, noOption }: Observation): boolean {
  return set !== undefined || noOption === true;
}

/** The options for all differences, as the client and the mock accept them. */
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
    let branch: Tree = options;
    for (const name of names) branch = (branch[name] ??= {}) as Tree;
    branch[last] = value;
  }
  return options;
}
