import * as z from 'zod/mini';
import { checkOptions } from '../../errors/check-options.js';
import { ConfigurationError } from '../../errors/errors.js';
import { aFunction, object, oneOf } from '../../protocol/field-rules.js';
import { createMockService } from '../create-mock-service.js';
import { MockUsageError } from '../../errors/usage-error.js';
import { judge, type Finding } from '../findings/rules.js';
import type { MockOptions } from '../../mock/observation.js';
import { worlds, type NamedWorld, type WorldName } from '../../mock/worlds/named-worlds.js';
import { resolveWorld } from '../../mock/worlds/resolve-world.js';
import { customers, type RehearsedCustomer } from './customers.js';
import { KnownReferences, type Late } from './known-references.js';
import { isUnread, reasonNotJudged, reasonNotToRun, wordsOf, type NotJudged } from './not-judged.js';
import { OrderLooks } from './order-looks.js';
import { comparableRun, reviewPlain } from './review-plain.js';
import { runWorld, type Rehearsal, type RehearsedMerchant, type WorldRun } from './run-world.js';
import { partnerOf, sharedRun, type CleanRun } from './shared-run.js';

/** Options of {@link rehearse}. All are optional. */
export interface RehearsalOptions {
  /** The worlds besides `plain`, by name. @default those of `worlds` whose `isDefault` is true */
  readonly worlds?: readonly WorldName[] | undefined;
  /**
   * How customers end payments: once the merchant has the paymentUrl, or has not asked for it for `settleMs`. In the
   * worlds `settled-late` and `reordered` they decline first, then pay. `'none'` leaves it to the test: `mock.settle`.
   * @default 'none'
   */
  readonly customer?: RehearsedCustomer | undefined;
  /** How long nothing may arrive before a run counts as ended, in milliseconds. @default 500 */
  readonly settleMs?: number | undefined;
  /**
   * Whether the merchant counts an order as paid; it has 5 seconds to answer. It is asked after each run for each reference,
   * and in the plain world also before the payment ends, when it must be false.
   * @default not asked
   */
  readonly paid?: ((referenceId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * How often the merchant has acted on a paid order, such as the number of its parcels. It is asked with `paid`, and must
   * not be higher than in the plain world.
   * @default not asked
   */
  readonly once?: ((referenceId: string) => number | Promise<number>) | undefined;
  /** Options of the mock, such as `webhook`. @default the defaults of `createMockService` */
  readonly mock?: Omit<MockOptions, 'world'> | undefined;
}

/** The result of one world. */
export interface WorldReport {
  /** Such as `lost-answer`. */
  readonly name: string;
  /** Number of requests to the service. */
  readonly requests: number;
  /** Number of payments that were created. */
  readonly payments: number;
  /** How long the run took, in milliseconds, the wait at its end included. */
  readonly durationMs: number;
  /** Why the merchant's code failed or was ended; absent if it ended by itself without an error. */
  readonly commandFailed?: string;
  /**
   * Why the absence of findings proves nothing here; absent if it does. `flag`: the point of the world cannot arise without
   * this, a flag of the command line such as `--webhook`, or an upload.
   */
  readonly notJudged?: NotJudged;
  /** References of earlier worlds whose requests came only now, and count nowhere, and the `settleMs` that waits for them. */
  readonly late?: Late;
  /** The world in whose run this one was judged: it was in both worlds at once. */
  readonly sameRunAs?: string;
  /** In the plain world: the amount of each payment, in đồng. */
  readonly amounts?: readonly number[];
  /** The most expensive first. */
  readonly findings: readonly Finding[];
}

/** The result of a rehearsal. */
export interface RehearsalReport {
  /** True if no finding is an error, every world was judged, those aside that want a flag, and no request came late. */
  readonly ok: boolean;
  /** In the order of the runs; `plain` is the first. */
  readonly worlds: readonly WorldReport[];
  /** The findings of all worlds. */
  readonly findings: readonly Finding[];
}

/** So large that the judge sees every request. */
export const rehearsalJournalLimit = 100_000;

/** The plain world, then those with a name. It throws for an unknown name. */
export function chooseWorlds(names: readonly string[] | undefined): readonly NamedWorld[] {
  for (const name of names ?? []) resolveWorld(name);
  return worlds.filter(({ name, isDefault }) => name === 'plain' || (names?.includes(name) ?? isDefault));
}

/** Runs each world in turn. Only the plain world is in the report if nothing can be compared with it. */
export async function runWorlds(
  settings: Omit<Rehearsal, 'known'>,
  chosen: readonly NamedWorld[],
  onReport: (report: WorldReport, done: number) => void = () => undefined,
): Promise<RehearsalReport> {
  const { signal } = settings;
  const comparison = new Comparison({ ...settings, known: new KnownReferences() }, chosen);
  const reports: WorldReport[] = [];
  for (const named of chosen) {
    const report = await comparison.reportOn(named);
    if (signal.aborted) break;
    onReport(report, reports.push(report));
    if (problemOfPlain(reports) !== undefined) break;
  }
  const findings = reports.flatMap((report) => report.findings);
  const isWhole = !signal.aborted && reports.every(isWholeReport);
  return { ok: isWhole && !hasError(findings), worlds: reports, findings };
}

/** True if everything was judged that can be with these flags. What came late was not, be it right or wrong. */
function isWholeReport({ notJudged: why, late }: WorldReport): boolean {
  return late === undefined && (why === undefined || 'flag' in why);
}

/** Runs worlds, and compares each with the plain one, which is the first. */
class Comparison {
  #plain: WorldRun | undefined;
  readonly #clean: CleanRun[] = [];

  constructor(
    private readonly rehearsal: Rehearsal,
    private readonly chosen: readonly NamedWorld[],
  ) {}

  async reportOn(named: NamedWorld): Promise<WorldReport> {
    const missing = this.#missing(named);
    if (missing !== undefined)
      return { name: named.name, requests: 0, payments: 0, durationMs: 0, notJudged: missing, findings: [] };
    const shared = sharedRun(named, this.#clean);
    if (shared) {
      const [sameRunAs = ''] = shared.names;
      return { ...this.#judge(named, shared.run), durationMs: 0, sameRunAs };
    }
    return (await this.#runWithPartner(named)) ?? this.#runAlone(named);
  }

  #missing(named: NamedWorld): NotJudged | undefined {
    return this.#plain && reasonNotToRun(named, this.rehearsal, this.#plain);
  }

  async #runAlone(named: NamedWorld): Promise<WorldReport> {
    const run = await this.#run(named);
    const report = this.#judge(named, run);
    this.#plain ??= comparableRun(run);
    return report;
  }

  /** Undefined if the world has no partner, or one of both has a finding. */
  async #runWithPartner(named: NamedWorld): Promise<WorldReport | undefined> {
    const partner = partnerOf(named, this.chosen);
    // A command may name its orders after the world, so it takes each only once.
    const isCommand = typeof this.rehearsal.merchant === 'function';
    if (!partner || isCommand || this.#missing(partner)) return undefined;
    const world = { ...named.world, ...partner.world };
    const run = await this.#run({ ...named, world });
    const reports = [named, partner].map((each) => this.#judge(each, run));
    if (!reports.every(isClean)) return undefined;
    this.#clean.push({ names: [named.name, partner.name], run });
    return reports[0];
  }

  async #run({ name, world }: NamedWorld): Promise<WorldRun> {
    const { mock, mockOptions, page } = this.rehearsal;
    // Over what `probe` has seen, if it has: that is the plain world then.
    mock.reset({ world: { ...resolveWorld(mockOptions.world), ...world } });
    const run = await runWorld(this.rehearsal, name, this.#plain);
    this.#plain &&= await reviewPlain(this.#plain, run, new OrderLooks(mock, page));
    return run;
  }

  #judge(named: NamedWorld, run: WorldRun): WorldReport {
    return judgeRun(named, run, this.rehearsal, this.#plain);
  }
}

function isClean({ findings, notJudged: why, late }: WorldReport): boolean {
  return findings.length === 0 && why === undefined && late === undefined;
}

function judgeRun(named: NamedWorld, run: WorldRun, rehearsal: Rehearsal, plain?: WorldRun): WorldReport {
  const { requests, payments, durationMs, failure, late } = run;
  const problem = reasonNotJudged(named, run, rehearsal, plain);
  // A run that was stopped may go on sending: then a longer wait does not help.
  const isTooFast = late !== undefined && late.settleMs > rehearsal.settleMs;
  // Where the address of the page is wrong, it shows nothing about the orders.
  const looks = plain === undefined && isUnread(run.looks) ? [] : run.looks;
  return {
    name: named.name,
    requests: requests.length,
    payments: payments.length,
    durationMs: Math.round(durationMs),
    ...(plain === undefined && { amounts: payments.map(({ request }) => request.amount.value) }),
    ...(failure !== undefined && { commandFailed: failure }),
    ...(problem !== undefined && { notJudged: problem }),
    ...(isTooFast && { late }),
    findings: judge(named.name, { ...run, looks }, plain),
  };
}

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

/** Why nothing can be compared with the plain world; undefined if it can, or if it has errors of its own. */
export function problemOfPlain([plain]: readonly WorldReport[]): string | undefined {
  const isWrong = plain?.commandFailed === undefined && hasError(plain?.findings ?? []);
  return isWrong || plain?.notJudged === undefined ? undefined : wordsOf(plain.notJudged);
}

const optionsSchema = z.strictObject(
  {
    worlds: z.optional(z.readonly(z.array(z.string(), 'must be an array of names of worlds'))),
    customer: z.optional(oneOf(customers)),
    settleMs: z.optional(
      z.int('must be an integer of 0 or more').check(z.gte(0, 'must be an integer of 0 or more')),
    ),
    paid: z.optional(aFunction()),
    once: z.optional(aFunction()),
    // Checked by `createMockService`.
    mock: z.optional(z.unknown()),
  },
  object('{ worlds, customer }'),
);

/** @throws ConfigurationError for an invalid option */
function checked(options: RehearsalOptions): RehearsalOptions {
  checkOptions(optionsSchema, options);
  if (options.once && !options.paid)
    throw new ConfigurationError('once', 'needs paid: it is asked of orders that count as paid');
  return options;
}

/**
 * Runs a merchant's own test against the mock in each world, compares the runs, and reports what a merchant should not do:
 * `installment-payments rehearse` as a function. A world is a way in which a service may answer where the specification is
 * silent, or falls short of it: something that it might do, not something that it is known to do.
 *
 * A backend that stays up should take new references in each world: a request for one of an earlier world is late and
 * counts nowhere. A test that takes the same references in each world is recognised by that.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { rehearse, samplePaymentRequest } from 'installment-payments/mock';
 *
 * const report = await rehearse(
 *   async ({ mock, world }) => {
 *     const client = new InstallmentClient(mock.clientOptions());
 *     await client.initiatePayment(samplePaymentRequest({ referenceId: `${world}-1` }));
 *   },
 *   { worlds: ['lost-answer', 'rate-limited'] },
 * );
 * console.log(report.ok); // true
 * ```
 * @param merchant - Takes orders with its own code. A failure in another world than the plain one is reported, and is not
 *   an error; a world in which it creates fewer payments is not judged.
 * @throws MockUsageError if the code fails in the plain world, or sends nothing there: nothing can be compared.
 * @throws ConfigurationError for an invalid option.
 */
export async function rehearse(
  merchant: RehearsedMerchant,
  options: RehearsalOptions = {},
): Promise<RehearsalReport> {
  if (typeof merchant !== 'function')
    throw new ConfigurationError('rehearse', 'must be given a function that takes orders');
  const {
    worlds: names,
    customer = 'none',
    settleMs = 500,
    paid,
    once,
    mock: mockOptions = {},
  } = checked(options);
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
    const report = await runWorlds(settings, chooseWorlds(names));
    const problem = problemOfPlain(report.worlds);
    if (problem === undefined) return report;
    throw new MockUsageError(`rehearse: nothing can be compared with the plain world: ${problem}.`);
  } finally {
    mock.reset();
  }
}
