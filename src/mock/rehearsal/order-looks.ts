import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../values/reason-of.js';
import { requestsFor } from '../findings/evidence.js';
import type { Look, PageAnswer } from '../findings/record.js';
import type { MockService } from '../types.js';

/** Reads the merchant's order page. */
export type OrderPage = (referenceId: string) => Promise<PageAnswer>;

/** The longest wait for an order page, in milliseconds. */
export const pageLimitMs = 5000;
const againMs = 250;

/** Asks functions in place of a page. */
export function pageOf(
  paid: (referenceId: string) => boolean | Promise<boolean>,
  once?: (referenceId: string) => number | Promise<number>,
  limitMs = pageLimitMs,
): OrderPage {
  return async (referenceId) => {
    const over = new AbortController();
    const limit = pause(limitMs, undefined, over).then(() => {
      throw new Error(`no response within ${limitMs} ms`);
    });
    try {
      // Also a function that throws at once.
      const asked = (async () => ({ paid: await paid(referenceId), count: await once?.(referenceId) }))();
      return await Promise.race([asked, limit]);
    } finally {
      over.abort();
    }
  };
}

/** The looks of one run at the merchant's order page: the only place that asks it. */
export class OrderLooks {
  readonly all: Look[] = [];

  constructor(
    private readonly mock: MockService,
    private readonly page: OrderPage | undefined,
  ) {}

  async look(moment: Look['moment'], referenceId: string): Promise<Look | undefined> {
    if (!this.page) return undefined;
    const answer = await this.page(referenceId).catch((error: unknown): PageAnswer => {
      const problem = `the order page of ${referenceId} could not be read (${reasonOf(error)})`;
      return { paid: false, problem };
    });
    const ends = requestsFor({ referenceId }, this.mock.payments.all()).map(
      ({ status }) => status === 'paid',
    );
    // A page that shows a reference cannot be wrong about one of two merchants.
    if (ends.includes(true) && ends.includes(false)) return undefined;
    const isPaid = ends.includes(true);
    const look = { referenceId, moment, isPaid, ...answer };
    this.all.push(look);
    return look;
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
          if (!isLate || look.refused !== undefined || passedMs + againMs > limitMs) return;
          await pause(againMs);
        }
      }),
    );
    return countedAfterMs;
  }
}
