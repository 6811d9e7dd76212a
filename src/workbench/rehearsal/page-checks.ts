import { reasonOf } from '../../values/reason-of.js';
import { pause, responseWithin } from '../../values/time-limit.js';
import { isGenuine, recordsFor } from '../findings/evidence.js';
import type { PageCheck, PageAnswer } from '../findings/record.js';
import type { MockService } from '../types.js';

/** Reads the merchant's order page, until the signal fires. */
export type OrderPage = (referenceId: string, signal: AbortSignal) => Promise<PageAnswer>;

const pageLimitMs = 5000;
const againMs = 250;

/** The checks of one run of the merchant's order page: the only place that asks it. */
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
   * Looks at each order at the end; earlier looks of this kind no longer count. A shop may count later than it answers: one that does not count a paid order yet is
   * asked again, and so is one whose page has no number for `--once` yet. Returns how long the slowest took, in milliseconds.
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
        // It may ship later than it counts.
        const isCounted = pageCheck.paid && pageCheck.uncounted === undefined;
        if (isCounted && times > 0) countedAfterMs = Math.max(countedAfterMs, passedMs);
        const isLate =
          pageCheck.isPaid && !isCounted && pageCheck.problem === undefined && this.#mayKnow(referenceId);
        if (!isLate || passedMs + againMs > limitMs) return this.#all.push(pageCheck);
        await pause(againMs, signal);
      }
    };
    await Promise.all(references.map(checkOne));
    return countedAfterMs;
  }

  /** False for an order whose every notification was refused: no wait makes it paid. */
  #mayKnow(referenceId: string): boolean {
    const deliveries = recordsFor({ referenceId }, this.mock.webhooks.all()).filter(isGenuine);
    return deliveries.length === 0 || deliveries.some(({ status }) => status === 'delivered');
  }

  /** The checks of an earlier run with the numbers of today: the shop may still have been at work on its orders. */
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
