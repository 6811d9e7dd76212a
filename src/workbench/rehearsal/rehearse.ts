import * as z from 'zod/mini';
import { checkOptions } from '../../errors/check-options.js';
import { ConfigurationError } from '../../errors/errors.js';
import { callback, objectError, oneOf } from '../../validation/rules.js';
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
   * The action of the simulated customers for each payment, once the merchant has the paymentUrl, or has not
   * requested it for `settleMs`. In the scenarios `settled-late` and `reordered` they decline first, then pay. With
   * `'none'`, the test ends the payments itself, with `mock.settle`.
   * @default 'none'
   */
  readonly customer?: RehearsedCustomer | undefined;
  /** A run ends after this time without a request, in milliseconds. @default 500 */
  readonly settleMs?: number | undefined;
  /**
   * Returns true if the merchant counts an order as paid, within 5 seconds. It is called after each run for each
   * reference, and again while it returns false for a paid order. In the baseline, and in scenarios with webhooks or
   * redirects before the payment ends, it is also called before the end, when it must return false.
   * @default not asked
   */
  readonly paid?: ((referenceId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * Returns how often the merchant has acted on a paid order, such as the number of shipments. It is called together
   * with `paid`, and the number must not be higher than in the baseline.
   * @default not asked
   */
  readonly once?: ((referenceId: string) => number | Promise<number>) | undefined;
  /** Options of the mock, such as `webhook`. @default the defaults of `createMockService` */
  readonly mock?: Omit<MockOptions, 'scenario'> | undefined;
}

const optionsSchema = z.strictObject(
  {
    scenarios: z.optional(z.readonly(z.array(z.string(), 'must be an array of scenario names'))),
    customer: z.optional(oneOf(customers)),
    settleMs: z.optional(
      z.int('must be an integer of 0 or more').check(z.gte(0, 'must be an integer of 0 or more')),
    ),
    paid: z.optional(callback()),
    once: z.optional(callback()),
    // `createMockService` checks this option.
    mock: z.optional(z.unknown()),
  },
  objectError('{ scenarios, customer }'),
);

/** Checks the options. @throws ConfigurationError for an invalid option */
function checkedOptions(options: RehearsalOptions): RehearsalOptions {
  checkOptions(optionsSchema, options);
  if (options.once && !options.paid)
    throw new ConfigurationError('once', 'needs paid: the number exists only for orders that count as paid');
  return options;
}

/**
 * Runs a merchant's own test against the mock in each scenario, compares the runs, and reports the mistakes. This is
 * the function behind `installment-payments rehearse`. A scenario is one way in which a service might behave if the
 * specification does not say, or in which it does less than the specification says. No service is known to behave
 * this way.
 *
 * A backend that stays up should use new references in each scenario, because a late request for a reference of an
 * earlier scenario is not counted. If a test uses the same references in each scenario, the rehearsal detects that.
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
 * @param merchant - Places orders with its own code. A failure in a scenario is reported, and is not an error, except
 * in the baseline. A scenario in which it creates fewer payments than in the baseline is not judged.
 * @throws MockUsageError if the code fails in the baseline, or sends nothing there: nothing can be compared.
 * @throws ConfigurationError for an invalid option.
 */
export async function rehearse(
  merchant: RehearsedMerchant,
  options: RehearsalOptions = {},
): Promise<RehearsalReport> {
  if (typeof merchant !== 'function')
    throw new ConfigurationError('rehearse', 'must be called with a function that places orders');
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
