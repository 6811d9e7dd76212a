import { reasonOf } from '../../values/reason-of.js';
import { pause, responseWithin } from '../../values/time-limit.js';
import { isGenuine, recordsFor } from '../findings/journal-queries.js';
import type { PageAnswer, PageCheck, RunRecord } from '../findings/record.js';
import type { MockService } from '../workbench-types.js';

/** Reads the merchant's order page, until the signal fires. */
export type OrderPage = (referenceId: string, signal: AbortSignal) => Promise<PageAnswer>;

const pageLimitMs = 5000;
const againMs = 250;

/** The checks of the merchant's order page in one run. No other code reads the page. */
export class PageChecks {
  #all: PageCheck[] = [];

  constructor(
    private readonly mock: MockService,
    private readonly page: OrderPage | undefined,
    private readonly limitMs = pageLimitMs,
  ) {}

  get all(): readonly PageCheck[] {
    return this.#all;
  }

  async check(moment: PageCheck['moment'], referenceId: string): Promise<void> {
    const pageCheck = await this.#checkOf(moment, referenceId);
    if (pageCheck) this.#all.push(pageCheck);
  }

  async #checkOf(moment: PageCheck['moment'], referenceId: string): Promise<PageCheck | undefined> {
    const { page } = this;
    if (!page) return undefined;
    const answer = await responseWithin(this.limitMs, undefined, (signal) => page(referenceId, signal)).catch(
      (error: unknown): PageAnswer => ({ paid: false, problem: reasonOf(error) }),
    );
    const payments = recordsFor({ referenceId }, this.mock.payments.all());
    return { referenceId, moment, isPaid: payments.some(({ status }) => status === 'paid'), ...answer };
  }

  /**
   * Checks each order at the end. This replaces earlier checks at the end. A shop can count an order after its
   * response, so the page is read again while it does not show a paid order, or shows no number for `--once`. Returns
   * the time of the slowest order, in milliseconds.
   */
  async checkAtTheEnd(references: readonly string[], limitMs: number, signal: AbortSignal): Promise<number> {
    const started = performance.now();
    let countedAfterMs = 0;
    this.#all = this.#all.filter(({ moment }) => moment !== 'end');
    const checkOne = async (referenceId: string) => {
      for (let times = 0; ; times += 1) {
        const pageCheck = await this.#checkOf('end', referenceId);
        if (!pageCheck || signal.aborted) return;
        const passedMs = performance.now() - started;
        // The shop can ship an order after it counts the order as paid.
        const isCounted = pageCheck.paid && pageCheck.uncounted === undefined;
        if (isCounted && times > 0) countedAfterMs = Math.max(countedAfterMs, passedMs);
        const isUncounted =
          pageCheck.isPaid && !isCounted && pageCheck.problem === undefined && this.#mayKnow(referenceId);
        if (!isUncounted || passedMs + againMs > limitMs) return this.#all.push(pageCheck);
        await pause(againMs, signal);
      }
    };
    await Promise.all(references.map(checkOne));
    return countedAfterMs;
  }

  /** False if all webhooks of an order were refused, so that the shop cannot have learned that it is paid. */
  #mayKnow(referenceId: string): boolean {
    const deliveries = recordsFor({ referenceId }, this.mock.webhooks.all()).filter(isGenuine);
    return deliveries.length === 0 || deliveries.some(({ status }) => status === 'delivered');
  }

  /** Reads the numbers of earlier checks again, because the shop might still have worked on these orders. */
  async readCountsAgain(pageChecks: readonly PageCheck[]): Promise<readonly PageCheck[]> {
    return Promise.all(
      pageChecks.map(async (pageCheck) => {
        if (pageCheck.count === undefined) return pageCheck;
        const again = await this.#checkOf(pageCheck.moment, pageCheck.referenceId);
        return { ...pageCheck, count: Math.max(pageCheck.count, again?.count ?? 0) };
      }),
    );
  }
}

/**
 * True if the order page counts no order as paid, although some are paid. Then more time would not help in another
 * scenario.
 */
export function isNeverCounted({ pageChecks }: Pick<RunRecord, 'pageChecks'>): boolean {
  const paid = pageChecks.filter(({ moment, isPaid }) => moment === 'end' && isPaid);
  return paid.length > 0 && paid.every((pageCheck) => !pageCheck.paid);
}

/** True if the order page was requested and could never be read. */
export function isUnread(pageChecks: readonly PageCheck[]): boolean {
  return pageChecks.length > 0 && pageChecks.every(({ problem }) => problem !== undefined);
}
