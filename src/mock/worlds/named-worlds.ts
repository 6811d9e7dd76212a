import { tableOf } from '../../values/table-of.js';
import { openQuestions, type OpenQuestion, type OpenQuestionName } from '../../protocol/open-questions.js';
import { dimensions, type DimensionName, type World } from './dimensions.js';

/** A world with a name. */
export interface NamedWorld {
  /** Such as `repeat-duplicate`. */
  readonly name: WorldName;
  /** How it differs from the mock's own answers. */
  readonly sentence: string;
  /** The values that are not the mock's own. */
  readonly world: Partial<World>;
  /** The point that the specification leaves open and this world answers differently; absent in `plain`. */
  readonly question?: OpenQuestion;
  /** True for a world that a rehearsal tries by default. */
  readonly isDefault: boolean;
}

interface Row {
  /** The dimension that gives the sentence and the open question; the others make it happen. */
  readonly of: DimensionName;
  /** The open question, where it is not the one of the dimension. */
  readonly question?: OpenQuestionName;
  readonly world: Partial<World>;
  readonly isDefault?: boolean;
}

/** Requests are repeated where an answer was lost, so a world of repeats loses answers too. */
const lost = { weather: 'lost-answer' } as const;

const rows = tableOf<Row>()({
  'lost-answer': { of: 'weather', world: lost },
  'repeat-duplicate': { of: 'repeat', world: { repeat: 'duplicate', ...lost } },
  'repeat-invalid': { of: 'repeat', world: { repeat: 'invalid', ...lost } },
  'repeat-conflict': { of: 'repeat', world: { repeat: 'conflict', ...lost } },
  'repeat-processing': { of: 'repeat', world: { repeat: 'processing', ...lost } },
  'processing-first': { of: 'firstAnswer', world: { firstAnswer: 'processing' } },
  'refusals-by-kind': { of: 'refusals', world: { refusals: 'by-kind' } },
  'sparse-answers': { of: 'answers', world: { answers: 'sparse' } },
  'extra-fields': { of: 'answers', world: { answers: 'extra' } },
  gateway: { of: 'weather', world: { weather: 'gateway' } },
  'rate-limited': { of: 'weather', question: 'rateLimits', world: { weather: 'rate-limited' } },
  slow: { of: 'weather', world: { weather: 'slow' } },
  'notification-early': { of: 'notification', world: { notification: 'early' } },
  'notification-twice': { of: 'notification', world: { notification: 'twice' } },
  'notification-together': { of: 'notification', world: { notification: 'together' } },
  'notification-never': { of: 'notification', world: { notification: 'never' }, isDefault: false },
  'settled-late': { of: 'settlement', world: { settlement: 'late' } },
  reordered: { of: 'settlement', world: { settlement: 'reordered' } },
  forged: { of: 'forged', world: { forged: true } },
  'uploads-recognised': { of: 'uploads', world: { uploads: 'recognised', ...lost } },
});

/** The name of a world of {@link worlds}. */
export type WorldName = 'plain' | keyof typeof rows;

function namedWorld(name: WorldName, { of, world, question, isDefault = true }: Row): NamedWorld {
  const { about, values, question: general } = dimensions[of];
  const sentence = values.find(([value]) => value === world[of])?.[1] ?? '';
  return {
    name,
    sentence: `${about}: ${sentence}`,
    world,
    question: openQuestions[question ?? general],
    isDefault,
  };
}

/**
 * The worlds that have a name: each is what a service might do, by a decision of this package.
 *
 * @example
 * ```ts
 * import { createMockService, worlds } from 'installment-payments/mock';
 *
 * for (const { name, sentence, world } of worlds) {
 *   const mock = createMockService({ world });
 *   console.log(name, sentence, mock.world());
 * }
 * ```
 */
export const worlds: readonly NamedWorld[] = [
  { name: 'plain', sentence: "The mock's own answer to each question.", world: {}, isDefault: true },
  ...(Object.keys(rows) as (keyof typeof rows)[]).map((name) => namedWorld(name, rows[name])),
];
