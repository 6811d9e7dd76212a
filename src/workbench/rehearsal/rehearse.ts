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
  /**
   * The scenarios besides `baseline`, by name.
   * @default the scenarios that are marked `isDefault` in the exported list `scenarios`
   */
  readonly scenarios?: readonly ScenarioName[] | undefined;
  /**
   * The action of the simulated customer of each payment. The customer acts soon after the merchant has received the
   * paymentUrl; in the scenarios `notification-early` and `notification-once`, before that. If the merchant does not
   * receive the paymentUrl, the customer acts `settleMs` (at least 100 ms) after the merchant's last request for the
   * payment; in the scenario `outage`, later by the duration of the outage. In the scenarios `settled-late` and
   * `reordered`, the customer first declines, then pays. With `'none'`, the test settles the payments itself, with
   * `mock.settle`. In the scenario `decoys`, the customer always declines, whatever the value of this option is.
   * @default 'none'
   */
  readonly customer?: RehearsedCustomer | undefined;
  /**
   * A scenario ends after this time without a request, a webhook or an action of a customer, in milliseconds.
   * @default 500
   */
  readonly settleMs?: number | undefined;
  /**
   * Returns true if the merchant counts the payment with this `referenceId` as paid. This function must respond within
   * 5 seconds. At the end of each scenario, it is called for each `referenceId` that the merchant has sent, even if the
   * service has created no payment for it. While the function returns false for a paid payment, it is called again. In
   * two cases, it is also called before the customer pays, and must then return false: in the baseline, and in
   * scenarios that send webhooks or open redirects before the customer pays.
   * @default the merchant's orders are not checked
   */
  readonly paid?: ((referenceId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * Returns how often the merchant has acted on a paid order, such as the number of shipments. This function is called
   * together with `paid`. The number must not be higher than in the baseline.
   * @default the number is not checked
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
    throw new ConfigurationError('once', 'needs the option paid, because both functions are called together');
  return options;
}

/**
 * Runs a merchant's own test against the mock in each scenario, compares the runs, and reports the mistakes of the
 * merchant's code. The command `installment-payments rehearse` does the same for a command or a checkout. The scenarios
 * are hypothetical: each shows a behaviour that the specification leaves open, or a service that does less than the
 * specification says. No service is known to behave like any of them.
 *
 * A backend that runs permanently should use new referenceIds in each scenario. The rehearsal then recognises late
 * requests of an earlier scenario, and ignores them. If a test uses the same referenceIds in every scenario, the
 * rehearsal cannot recognise late requests, so it ignores no request.
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
 * @param merchant - Places orders with the merchant's own code. If the code fails in a scenario other than the
 * baseline, the report says so, but the failure alone is not a finding. A scenario in which the code creates fewer
 * payments than in the baseline is inconclusive, and the report is not `ok`.
 * @throws MockUsageError if nothing can be compared with the baseline, for example because the code fails or sends no
 * request there.
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
    page:
      paid &&
      (async (referenceId: string) => ({
        showsPaid: await paid(referenceId),
        onceNumber: await once?.(referenceId),
      })),
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
