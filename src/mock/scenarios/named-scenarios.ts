import { tableOf } from '../../values/collections.js';
import { scenarioAssumptions, type Assumption, type ScenarioAssumptionName } from './assumptions.js';
import { dimensions } from './dimensions.js';
import type { DimensionName, RehearsalFlag, Scenario } from './scenario.js';

/** A scenario with a name. */
export interface NamedScenario {
  /** The name, such as `repeat-duplicate`. */
  readonly name: ScenarioName;
  /** How the scenario differs from the baseline. */
  readonly sentence: string;
  /** The values that differ from the baseline. */
  readonly scenario: Partial<Scenario>;
  /**
   * The question that the specification leaves open, and the assumption that this scenario replaces; absent in
   * `baseline`.
   */
  readonly question?: Assumption;
  /** True for a scenario that a rehearsal runs by default. */
  readonly isDefault: boolean;
  /** @internal The flag without which a rehearsal does not judge the scenario. */
  readonly needs?: RehearsalFlag | undefined;
}

interface Row {
  /**
   * The values that differ from the baseline. The first key is the dimension that the scenario is about: the sentence,
   * `question` and `needs` of the scenario come from this dimension in the table `dimensions`. The other keys only
   * create the situation in which this dimension matters.
   */
  readonly scenario: Partial<Scenario>;
  /** Replaces the `question` of the first dimension. */
  readonly question?: ScenarioAssumptionName;
  readonly isDefault?: boolean;
  /** Replaces the `needs` of the first dimension. */
  readonly needs?: RehearsalFlag;
}

/** Merchants repeat a request only if its response is lost, so the scenarios about repeats also lose responses. */
const lost = { network: 'lost-response' } as const;

const rows = tableOf<Row>()({
  'lost-response': { scenario: lost },
  'repeat-duplicate': { scenario: { repeat: 'duplicate', ...lost } },
  'repeat-invalid': { scenario: { repeat: 'invalid', ...lost } },
  'repeat-conflict': { scenario: { repeat: 'conflict', ...lost } },
  'repeat-processing': { scenario: { repeat: 'processing', ...lost } },
  'processing-first': { scenario: { firstResponse: 'processing' } },
  'refusals-by-kind': { scenario: { refusals: 'by-kind' } },
  'sparse-responses': { scenario: { responses: 'sparse' } },
  'extra-fields': { scenario: { responses: 'extra' } },
  gateway: { scenario: { network: 'gateway' } },
  'rate-limited': { question: 'rateLimits', scenario: { network: 'rate-limited' } },
  slow: { scenario: { network: 'slow' } },
  'repeat-busy': { scenario: { repeat: 'busy', ...lost } },
  'notification-early': { scenario: { notification: 'early' } },
  'notification-twice': { scenario: { notification: 'twice' } },
  'notification-together': { scenario: { notification: 'together' } },
  'notification-pending-first': { scenario: { notification: 'pending-first' } },
  'notification-unknown-status': { scenario: { notification: 'unknown-status' } },
  'notification-never': { scenario: { notification: 'never' }, isDefault: false },
  'notification-once': { scenario: { notification: 'once' }, isDefault: false },
  'repeat-another': { scenario: { repeat: 'another', ...lost }, isDefault: false },
  hang: { scenario: { network: 'hang' }, isDefault: false },
  'other-serialization': { scenario: { serialization: 'alternative' } },
  decoys: { scenario: { events: 'decoys' } },
  'settled-late': { scenario: { settlement: 'late' } },
  reordered: { scenario: { settlement: 'reordered' } },
  forged: { scenario: { forged: true } },
  'redirect-opened': { scenario: { customer: 'opens-redirects' }, needs: '--order-url' },
  'uploads-recognised': { scenario: { uploads: 'recognised', ...lost } },
  outage: { scenario: { network: 'outage' } },
  redirected: { scenario: { network: 'redirect' } },
  // `settlement: 'late'` lets the customer pay the declined payment later, with the older link.
  'older-link': {
    question: 'paymentStates',
    scenario: { customer: 'older-link', settlement: 'late' },
    needs: '--checkout',
  },
  'clicked-twice': { scenario: { customer: 'clicks-twice' }, question: 'repeatedKey', needs: '--checkout' },
  'clicked-later': { scenario: { customer: 'clicks-later' }, question: 'repeatedKey', needs: '--checkout' },
  // The webhook reaches a new process, which does not have the memory of the process that initiated the payment.
  restarted: {
    question: 'notificationDelivery',
    scenario: { customer: 'after-restart' },
    needs: '--restart',
  },
  'basket-changed': {
    question: 'paymentStates',
    scenario: { customer: 'changes-basket' },
    needs: '--checkout-changed',
  },
});

/** The name of a scenario in {@link scenarios}. */
export type ScenarioName = 'baseline' | keyof typeof rows;

function namedScenario(name: ScenarioName, { scenario, isDefault = true, ...replaced }: Row): NamedScenario {
  const [first = 'repeat'] = Object.keys(scenario) as DimensionName[];
  const { about, values, question, needs } = { ...dimensions[first], ...replaced };
  const sentence = `${about}: ${values.find(([value]) => value === scenario[first])?.[1]}`;
  return { name, sentence, scenario, question: scenarioAssumptions[question], isDefault, needs };
}

/**
 * The named scenarios. Each is an assumption about what a service might do.
 *
 * @example
 * ```ts
 * import { createMockService, scenarios } from 'installment-payments/mock';
 *
 * for (const { name, sentence, scenario } of scenarios) {
 *   const mock = createMockService({ scenario });
 *   console.log(name, sentence, mock.scenario());
 * }
 * ```
 */
export const scenarios: readonly NamedScenario[] = [
  { name: 'baseline', sentence: "The mock's default for each question.", scenario: {}, isDefault: true },
  ...(Object.keys(rows) as (keyof typeof rows)[]).map((name) => namedScenario(name, rows[name])),
];
