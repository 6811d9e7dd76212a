import { tableOf } from '../common/table-of.js';
import { worldQuestions, type OpenQuestion, type WorldQuestionName } from '../common/open-questions.js';
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
  /** @internal A rehearsal without this flag does not judge the world. */
  readonly needs?: RehearsalFlag | undefined;
}

/** A flag of a rehearsal without which the point of some worlds cannot arise. */
export type RehearsalFlag = '--webhook' | '--order-url' | '--checkout';

interface Row {
  /** The dimension that gives the sentence and the open question; the others make it happen. */
  readonly of: DimensionName;
  /** The open question, where it is not the one of the dimension. */
  readonly question?: WorldQuestionName;
  readonly world: Partial<World>;
  readonly isDefault?: boolean;
  readonly needs?: RehearsalFlag;
}

/** Requests are repeated where an answer was lost, so a world of repeats loses answers too. */
const lost = { network: 'lost-answer' } as const;

const rows = tableOf<Row>()({
  'lost-answer': { of: 'network', world: lost },
  'repeat-duplicate': { of: 'repeat', world: { repeat: 'duplicate', ...lost } },
  'repeat-invalid': { of: 'repeat', world: { repeat: 'invalid', ...lost } },
  'repeat-conflict': { of: 'repeat', world: { repeat: 'conflict', ...lost } },
  'repeat-processing': { of: 'repeat', world: { repeat: 'processing', ...lost } },
  'processing-first': { of: 'firstAnswer', world: { firstAnswer: 'processing' } },
  'refusals-by-kind': { of: 'refusals', world: { refusals: 'by-kind' } },
  'sparse-answers': { of: 'answers', world: { answers: 'sparse' } },
  'extra-fields': { of: 'answers', world: { answers: 'extra' } },
  gateway: { of: 'network', world: { network: 'gateway' } },
  'rate-limited': { of: 'network', question: 'rateLimits', world: { network: 'rate-limited' } },
  slow: { of: 'network', world: { network: 'slow' } },
  'repeat-busy': { of: 'repeat', world: { repeat: 'busy', ...lost } },
  'notification-early': { of: 'notification', world: { notification: 'early' }, needs: '--webhook' },
  'notification-twice': { of: 'notification', world: { notification: 'twice' }, needs: '--webhook' },
  'notification-together': { of: 'notification', world: { notification: 'together' }, needs: '--webhook' },
  'notification-pending-first': {
    of: 'notification',
    world: { notification: 'pending-first' },
    needs: '--webhook',
  },
  'notification-unknown-status': {
    of: 'notification',
    world: { notification: 'unknown-status' },
    needs: '--webhook',
  },
  'notification-never': { of: 'notification', world: { notification: 'never' }, isDefault: false },
  'written-otherwise': { of: 'writing', world: { writing: 'otherwise' }, needs: '--webhook' },
  strange: { of: 'events', world: { events: 'strange' }, needs: '--webhook' },
  'settled-late': { of: 'settlement', world: { settlement: 'late' }, needs: '--webhook' },
  reordered: { of: 'settlement', world: { settlement: 'reordered' }, needs: '--webhook' },
  forged: { of: 'forged', world: { forged: true }, needs: '--webhook' },
  'redirect-opened': { of: 'customer', world: { customer: 'opens-redirects' }, needs: '--order-url' },
  'uploads-recognised': { of: 'uploads', world: { uploads: 'recognised', ...lost } },
  // A payment that was declined may still be paid: else the older link would be worth nothing.
  'older-link': {
    of: 'customer',
    question: 'paymentStates',
    world: { customer: 'older-link', settlement: 'late' },
    needs: '--checkout',
  },
  'clicked-twice': {
    of: 'customer',
    question: 'repeatedKey',
    world: { customer: 'clicks-twice' },
    needs: '--checkout',
  },
});

/** The name of a world of {@link worlds}. */
export type WorldName = 'plain' | keyof typeof rows;

function namedWorld(name: WorldName, { of, world, question, isDefault = true, needs }: Row): NamedWorld {
  const { about, values, question: general } = dimensions[of];
  const sentence = values.find(([value]) => value === world[of])?.[1] ?? '';
  return {
    name,
    sentence: `${about}: ${sentence}`,
    world,
    question: worldQuestions[question ?? general],
    isDefault,
    ...(needs && { needs }),
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
  { name: 'plain', sentence: "The mock's default for each question.", world: {}, isDefault: true },
  ...(Object.keys(rows) as (keyof typeof rows)[]).map((name) => namedWorld(name, rows[name])),
];
