import { reasonOf } from '../../values/reason-of.js';
import { pause, responseWithin } from '../../values/time-limit.js';
import { isGenuine, recordsFor } from '../findings/journal-queries.js';
import type { OrderPageState, PageCheck, RunRecord } from '../findings/record.js';
import type { MockService } from '../workbench-types.js';

/** Reads the order page of the merchant for a payment. The signal stops the reading. */
export type OrderPage = (referenceId: string, signal: AbortSignal) => Promise<OrderPageState>;

const pageLimitMs = 5000;
const repeatMs = 250;

/** The checks of the merchant's order page in one run. */
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

  /** Checks the page, if there is one, and keeps the check. */
  async check(moment: PageCheck['moment'], referenceId: string): Promise<void> {
    const pageCheck = await this.#readPage(moment, referenceId);
    if (pageCheck) this.#all.push(pageCheck);
  }

  async #readPage(moment: PageCheck['moment'], referenceId: string): Promise<PageCheck | undefined> {
    const { page } = this;
    if (!page) return undefined;
    const state = await responseWithin(this.limitMs, undefined, (signal) => page(referenceId, signal)).catch(
      (error: unknown): OrderPageState => ({ showsPaid: false, problem: reasonOf(error) }),
    );
    const payments = recordsFor({ referenceId }, this.mock.payments.all());
    return {
      referenceId,
      moment,
      isPaidAtService: payments.some(({ status }) => status === 'paid'),
      ...state,
    };
  }

  /**
   * Runs the final check of each reference. These checks replace the final checks of an earlier round. A shop can
   * process a webhook after it has responded, so the page of a paid order is read again until it is complete. A page is
   * complete when it shows the order as paid and the number for `--once`. Returns the longest time, in milliseconds,
   * that a page needed to become complete. Pages that were complete at the first read do not count.
   */
  async runFinalChecks(references: readonly string[], limitMs: number, signal: AbortSignal): Promise<number> {
    const started = performance.now();
    let slowestMs = 0;
    this.#all = this.#all.filter(({ moment }) => moment !== 'final');
    const checkOne = async (referenceId: string) => {
      for (let times = 0; ; times += 1) {
        const pageCheck = await this.#readPage('final', referenceId);
        if (!pageCheck || signal.aborted) return;
        const passedMs = performance.now() - started;
        // The shop can ship an order some time after it shows the order as paid.
        const isComplete = pageCheck.showsPaid && pageCheck.onceProblem === undefined;
        if (isComplete && times > 0) slowestMs = Math.max(slowestMs, passedMs);
        const canBecomeComplete =
          pageCheck.isPaidAtService &&
          !isComplete &&
          pageCheck.problem === undefined &&
          this.#canKnowPayment(referenceId);
        if (!canBecomeComplete || passedMs + repeatMs > limitMs) return this.#all.push(pageCheck);
        await pause(repeatMs, signal);
      }
    };
    await Promise.all(references.map(checkOne));
    return slowestMs;
  }

  /** False if the shop refused all webhooks for a payment. The shop then cannot know that the payment is paid. */
  #canKnowPayment(referenceId: string): boolean {
    const deliveries = recordsFor({ referenceId }, this.mock.webhooks.all()).filter(isGenuine);
    return deliveries.length === 0 || deliveries.some(({ status }) => status === 'delivered');
  }

  /** Reads the numbers for `--once` of earlier checks again, because the shop might have changed them later. */
  async readOnceNumbersAgain(pageChecks: readonly PageCheck[]): Promise<readonly PageCheck[]> {
    return Promise.all(
      pageChecks.map(async (pageCheck) => {
        if (pageCheck.onceNumber === undefined) return pageCheck;
        const again = await this.#readPage(pageCheck.moment, pageCheck.referenceId);
        return { ...pageCheck, onceNumber: Math.max(pageCheck.onceNumber, again?.onceNumber ?? 0) };
      }),
    );
  }
}

/** True if orders were paid, and the order page showed none of them as paid. */
export function neverShowsPaid({ pageChecks }: Pick<RunRecord, 'pageChecks'>): boolean {
  const paid = pageChecks.filter(({ moment, isPaidAtService }) => moment === 'final' && isPaidAtService);
  return paid.length > 0 && paid.every((pageCheck) => !pageCheck.showsPaid);
}

/** True if the order page was requested, and could not be read in any check. */
export function isNeverReadable(pageChecks: readonly PageCheck[]): boolean {
  return pageChecks.length > 0 && pageChecks.every(({ problem }) => problem !== undefined);
}
