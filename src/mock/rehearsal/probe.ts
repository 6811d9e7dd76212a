import type { ProbeAnswer } from '../findings/evidence.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentName } from '../state/payment-record.js';
import type { MockService } from '../types.js';
import { reasonOf } from '../../values/reason-of.js';

/** Reads the merchant's order page. */
export type OrderPage = (referenceId: string) => Promise<Omit<ProbeAnswer, 'referenceId' | 'isEarly'>>;

/** The longest wait for an order page, in milliseconds. */
export const pageLimitMs = 5000;

/** Asks a function in place of a page. */
export function pageOf(
  paid: (referenceId: string) => boolean | Promise<boolean>,
  limitMs = pageLimitMs,
): OrderPage {
  return async (referenceId) => {
    const over = new AbortController();
    const limit = pause(limitMs, undefined, over).then(() => {
      throw new Error(`no answer within ${limitMs} ms`);
    });
    try {
      // Also a function that throws at once.
      const asked = (async () => paid(referenceId))();
      return { paid: await Promise.race([asked, limit]) };
    } finally {
      over.abort();
    }
  };
}

/** The questions of one run to the merchant's order page. */
export class Probe {
  readonly answers: ProbeAnswer[] = [];
  /** Why the page cannot tell which orders are paid. */
  problem: string | undefined;
  readonly #unpaid = new Map<string, Promise<void>>();
  readonly #unsubscribe: () => void;
  #open = 0;
  #isStopped = false;

  constructor(
    private readonly mock: MockService,
    private readonly page: OrderPage | undefined,
    private readonly asksBefore: boolean,
    /** Whether the merchant was told that an order is paid. */
    isTold: (payment: PaymentName) => boolean,
    settleMs: number,
  ) {
    this.#unsubscribe = mock.subscribe((change) => {
      if (change.kind !== 'request') return;
      const { operation, referenceId, resultStatus, completed } = change.entry;
      const isApproved = operation === 'initiatePayment' && resultStatus === 'APPROVED' && completed;
      if (isApproved && referenceId !== undefined) void this.askBefore(referenceId);
    });
    // A merchant may work on a notification after it has answered.
    mock.webhooks.afterForged = async (payment) => {
      if (!page) return;
      await pause(settleMs);
      await this.ask([payment.referenceId], () => !isTold(payment));
    };
  }

  isBusy(): boolean {
    return this.#open > 0;
  }

  async ask(references: Iterable<string>, isEarly = () => false): Promise<void> {
    for (const referenceId of references) {
      if (this.#isStopped) return;
      try {
        const answer = await this.#read(referenceId);
        if (answer) this.answers.push({ referenceId, ...answer, isEarly: isEarly() });
      } catch (error) {
        this.problem ??= `the order page of ${referenceId} could not be read (${reasonOf(error)})`;
      }
    }
  }

  /** Asks once for an order that nobody has paid yet: if it counts as paid, the page tells nothing about the others. */
  askBefore(referenceId: string): Promise<void> {
    const asked = this.#unpaid.get(referenceId) ?? this.#askBefore(referenceId);
    this.#unpaid.set(referenceId, asked);
    return asked;
  }

  async #askBefore(referenceId: string): Promise<void> {
    if (!this.asksBefore) return;
    // The page may not be there yet.
    const answer = await this.#read(referenceId).catch(() => undefined);
    if (answer?.paid !== true || this.mock.payments.get(referenceId)?.status !== 'pending') return;
    const { seen } = answer;
    this.problem ??= `the order ${referenceId} counts as paid before its customer has paid${seen === undefined ? '' : `: ${seen}`}`;
  }

  async #read(referenceId: string): Promise<Awaited<ReturnType<OrderPage>> | undefined> {
    this.#open += 1;
    try {
      return await this.page?.(referenceId);
    } finally {
      this.#open -= 1;
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    this.mock.webhooks.afterForged = undefined;
  }
}
