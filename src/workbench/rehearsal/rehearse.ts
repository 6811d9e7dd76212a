import * as z from 'zod/mini';
import { checkOptions } from '../../errors/check-options.js';
import { ConfigurationError } from '../../errors/errors.js';
import { callback, objectError, oneOf } from '../../protocol/field-rules.js';
import { createMockService } from '../create-mock-service.js';
import { MockUsageError } from '../../errors/usage-error.js';
import type { MockOptions } from '../../mock/observation.js';
import type { ScenarioName } from '../../mock/scenarios/named-scenarios.js';
import type { RehearsedMerchant } from './rehearsal-settings.js';
import { chooseScenarios, rehearsalJournalLimit, runScenarios } from './run-scenarios.js';
import { problemOfBaseline, type RehearsalReport } from './scenario-report.js';
import { customers, type RehearsedCustomer } from './visit-steps.js';

/** Options of {@link rehearse}. All are optional. */
export interface RehearsalOptions {
  /** The scenarios besides `baseline`, by name. @default those of `scenarios` whose `isDefault` is true */
  readonly scenarios?: readonly ScenarioName[] | undefined;
  /**
   * How customers end payments: once the merchant has the paymentUrl, or has not asked for it for `settleMs`. In the
   * scenarios `settled-late` and `reordered` they decline first, then pay. `'none'` leaves it to the test: `mock.settle`.
   * @default 'none'
   */
  readonly customer?: RehearsedCustomer | undefined;
  /** How long nothing may arrive before a run counts as ended, in milliseconds. @default 500 */
  readonly settleMs?: number | undefined;
  /**
   * Whether the merchant counts an order as paid; it has 5 seconds to answer. It is asked after each run for each reference,
   * and in the baseline also before the payment ends, when it must be false.
   * @default not asked
   */
  readonly paid?: ((referenceId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * How often the merchant has acted on a paid order, such as the number of its parcels. It is asked with `paid`, and must
   * not be higher than in the baseline.
   * @default not asked
   */
  readonly once?: ((referenceId: string) => number | Promise<number>) | undefined;
  /** Options of the mock, such as `webhook`. @default the defaults of `createMockService` */
  readonly mock?: Omit<MockOptions, 'scenario'> | undefined;
}

const optionsSchema = z.strictObject(
  {
    scenarios: z.optional(z.readonly(z.array(z.string(), 'must be an array of names of scenarios'))),
    customer: z.optional(oneOf(customers)),
    settleMs: z.optional(
      z.int('must be an integer of 0 or more').check(z.gte(0, 'must be an integer of 0 or more')),
    ),
    paid: z.optional(callback()),
    once: z.optional(callback()),
    // Checked by `createMockService`.
    mock: z.optional(z.unknown()),
  },
  objectError('{ scenarios, customer }'),
);

/** @throws ConfigurationError for an invalid option */
function checkedOptions(options: RehearsalOptions): RehearsalOptions {
  checkOptions(optionsSchema, options);
  if (options.once && !options.paid)
    throw new ConfigurationError('once', 'needs paid: it is asked of orders that count as paid');
  return options;
}

/**
 * Runs a merchant's own test against the mock in each scenario, compares the runs, and reports what a merchant should not
 * do:
 * `installment-payments rehearse` as a function. A scenario is a way in which a service may answer where the specification
 * is silent, or falls short of it: something that it might do, not something that it is known to do.
 *
 * A backend that stays up should take new references in each scenario: a request for one of an earlier scenario is late and
 * counts nowhere. A test that takes the same references in each scenario is recognised by that.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { rehearse, samplePaymentRequest } from 'installment-payments/mock';
 *
 * const report = await rehearse(
 *   async ({ mock, scenario }) => {
 *     const client = new InstallmentClient(mock.clientOptions());
 *     await client.initiatePayment(samplePaymentRequest({ referenceId: `${scenario}-1` }));
 *   },
 *   { scenarios: ['lost-response', 'rate-limited'] },
 * );
 * console.log(report.ok); // true
 * ```
 * @param merchant - Takes orders with its own code. A failure in another scenario than the baseline is reported, and is not
 *   an error; a scenario in which it creates fewer payments is not judged.
 * @throws MockUsageError if the code fails in the baseline, or sends nothing there: nothing can be compared.
 * @throws ConfigurationError for an invalid option.
 */
export async function rehearse(
  merchant: RehearsedMerchant,
  options: RehearsalOptions = {},
): Promise<RehearsalReport> {
  if (typeof merchant !== 'function')
    throw new ConfigurationError('rehearse', 'must be given a function that takes orders');
  const {
    scenarios: names,
    customer = 'none',
    settleMs = 500,
    paid,
    once,
    mock: mockOptions = {},
  } = checkedOptions(options);
  const mock = createMockService({ journalLimit: rehearsalJournalLimit, ...mockOptions });
  const { webhook } = mockOptions;
  const settings = {
    merchant,
    mock,
    mockOptions,
    customer,
    settleMs,
    signal: new AbortController().signal,
    page: paid && (async (ref: string) => ({ paid: await paid(ref), count: await once?.(ref) })),
    origins: webhook ? [new URL(webhook.url).origin] : [],
    headers: {},
  };
  try {
    const report = await runScenarios(settings, chooseScenarios(names));
    const problem = problemOfBaseline(report.scenarios);
    if (problem === undefined) return report;
    throw new MockUsageError(`rehearse: nothing can be compared with the baseline: ${problem}.`);
  } finally {
    mock.reset();
  }
}
