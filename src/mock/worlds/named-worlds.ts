import { tableOf } from '../../values/table-of.js';
import { worldQuestions, type OpenQuestion, type WorldQuestionName } from '../common/open-questions.js';
import { dimensions, type DimensionName, type RehearsalFlag, type World } from './dimensions.js';

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

interface Row {
  /** The first value gives the sentence, the open question and the flag, unless the row has its own; others make it happen. */
  readonly world: Partial<World>;
  readonly question?: WorldQuestionName;
  readonly isDefault?: boolean;
  readonly needs?: RehearsalFlag;
}

/** Requests are repeated where an answer was lost, so a world of repeats loses answers too. */
const lost = { network: 'lost-answer' } as const;

const rows = tableOf<Row>()({
  'lost-answer': { world: lost },
  'repeat-duplicate': { world: { repeat: 'duplicate', ...lost } },
  'repeat-invalid': { world: { repeat: 'invalid', ...lost } },
  'repeat-conflict': { world: { repeat: 'conflict', ...lost } },
  'repeat-processing': { world: { repeat: 'processing', ...lost } },
  'processing-first': { world: { firstAnswer: 'processing' } },
  'refusals-by-kind': { world: { refusals: 'by-kind' } },
  'sparse-answers': { world: { answers: 'sparse' } },
  'extra-fields': { world: { answers: 'extra' } },
  gateway: { world: { network: 'gateway' } },
  'rate-limited': { question: 'rateLimits', world: { network: 'rate-limited' } },
  slow: { world: { network: 'slow' } },
  'repeat-busy': { world: { repeat: 'busy', ...lost } },
  'notification-early': { world: { notification: 'early' } },
  'notification-twice': { world: { notification: 'twice' } },
  'notification-together': { world: { notification: 'together' } },
  'notification-pending-first': { world: { notification: 'pending-first' } },
  'notification-unknown-status': { world: { notification: 'unknown-status' } },
  'notification-never': { world: { notification: 'never' }, isDefault: false },
  'notification-once': { world: { notification: 'once' }, isDefault: false },
  'repeat-another': { world: { repeat: 'another', ...lost }, isDefault: false },
  hang: { world: { network: 'hang' }, isDefault: false },
  'written-otherwise': { world: { writing: 'otherwise' } },
  strange: { world: { events: 'strange' } },
  'settled-late': { world: { settlement: 'late' } },
  reordered: { world: { settlement: 'reordered' } },
  forged: { world: { forged: true } },
  'redirect-opened': { world: { customer: 'opens-redirects' }, needs: '--order-url' },
  'uploads-recognised': { world: { uploads: 'recognised', ...lost } },
  outage: { world: { network: 'outage' } },
  redirected: { world: { network: 'redirect' } },
  // A payment that was declined may still be paid: else the older link would be worth nothing.
  'older-link': {
    question: 'paymentStates',
    world: { customer: 'older-link', settlement: 'late' },
    needs: '--checkout',
  },
  'clicked-twice': { world: { customer: 'clicks-twice' }, question: 'repeatedKey', needs: '--checkout' },
  'clicked-later': { world: { customer: 'clicks-later' }, question: 'repeatedKey', needs: '--checkout' },
  // The notification reaches a process that has none of the memory of the one that sent the payment.
  restarted: {
    question: 'notificationDelivery',
    world: { customer: 'after-restart' },
    needs: '--restart',
  },
  'basket-changed': {
    question: 'paymentStates',
    world: { customer: 'changes-basket' },
    needs: '--checkout-changed',
  },
});

/** The name of a world of {@link worlds}. */
export type WorldName = 'plain' | keyof typeof rows;

function namedWorld(name: WorldName, { world, isDefault = true, ...own }: Row): NamedWorld {
  const [of = 'repeat'] = Object.keys(world) as DimensionName[];
  const { about, values, question, needs } = { ...dimensions[of], ...own };
  const sentence = `${about}: ${values.find(([value]) => value === world[of])?.[1]}`;
  return { name, sentence, world, question: worldQuestions[question], isDefault, needs };
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
