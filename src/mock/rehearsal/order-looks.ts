import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../values/reason-of.js';
import { recordsFor } from '../findings/evidence.js';
import type { Look, PageAnswer } from '../findings/record.js';
import type { MockService } from '../types.js';
import { wait } from './watch.js';

/** Reads the merchant's order page. */
export type OrderPage = (referenceId: string) => Promise<PageAnswer>;

/** The longest wait for an order page, in milliseconds. */
export const pageLimitMs = 5000;
const againMs = 250;

/** The looks of one run at the merchant's order page: the only place that asks it. */
export class OrderLooks {
  readonly all: Look[] = [];

  constructor(
    private readonly mock: MockService,
    private readonly page: OrderPage | undefined,
    private readonly limitMs = pageLimitMs,
  ) {}

  async look(moment: Look['moment'], referenceId: string): Promise<Look | undefined> {
    if (!this.page) return undefined;
    const answer = await this.#ask(this.page, referenceId);
    const ends = recordsFor({ referenceId }, this.mock.payments.all()).map(({ status }) => status === 'paid');
    // A page that shows a reference cannot be wrong about one of two merchants.
    if (new Set(ends).size > 1) return undefined;
    const look = { referenceId, moment, isPaid: ends[0] === true, ...answer };
    this.all.push(look);
    return look;
  }

  async #ask(page: OrderPage, referenceId: string): Promise<PageAnswer> {
    const over = new AbortController();
    const limit = pause(this.limitMs, undefined, over).then(() => {
      throw new Error(`no response within ${this.limitMs} ms`);
    });
    try {
      return await Promise.race([page(referenceId), limit]);
    } catch (error) {
      return { paid: false, problem: reasonOf(error) };
    } finally {
      over.abort();
    }
  }

  /**
   * Looks at each order at the end. A shop may count later than it answers: one that does not count a paid order yet is
   * asked again. Returns how long the slowest that counts took, in milliseconds.
   */
  async lookAtTheEnd(references: readonly string[], limitMs: number, signal: AbortSignal): Promise<number> {
    const started = performance.now();
    let countedAfterMs = 0;
    await Promise.all(
      [...new Set(references)].map(async (referenceId) => {
        for (let times = 0; !signal.aborted; times += 1) {
          const look = await this.look('end', referenceId);
          const passedMs = performance.now() - started;
          if (look?.paid && times > 0) countedAfterMs = Math.max(countedAfterMs, passedMs);
          const isLate = look?.isPaid === true && !look.paid && look.problem === undefined;
          if (!isLate || passedMs + againMs > limitMs) return;
          await wait(againMs, signal);
        }
      }),
    );
    return countedAfterMs;
  }
}
