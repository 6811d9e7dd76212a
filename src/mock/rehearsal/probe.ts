import type { ProbeAnswer } from '../findings/evidence.js';
import type { MockService } from '../types.js';
import { reasonOf } from '../wire/reason-of.js';

/** Asks the merchant whether an order counts as paid. */
export type Paid = (referenceId: string) => boolean | Promise<boolean>;

/** Reads the merchant's order page. */
export type OrderPage = (referenceId: string) => Promise<Omit<ProbeAnswer, 'referenceId' | 'at'>>;

/** The questions of one run to the merchant's order page. */
export class Probe {
  readonly answers: ProbeAnswer[] = [];
  /** Why the page cannot tell which orders are paid. */
  problem: string | undefined;
  readonly #forged = new Set<string>();
  readonly #unpaid = new Map<string, Promise<void>>();
  readonly #unsubscribe: () => void;
  #open = 0;

  constructor(
    private readonly mock: MockService,
    private readonly page: OrderPage | undefined,
    private readonly asksBefore: boolean,
  ) {
    this.#unsubscribe = mock.subscribe((change) => {
      if (change.kind === 'request') {
        const { operation, referenceId, resultStatus, completed } = change.entry;
        const isApproved = operation === 'initiatePayment' && resultStatus === 'APPROVED' && completed;
        if (isApproved && referenceId !== undefined) void this.askBefore(referenceId);
      }
      // A forged notification that was accepted shows its effect before the true one arrives.
      if (change.kind !== 'webhook') return;
      const delivery = mock.webhooks.get(change.id);
      if (delivery?.forged !== true || delivery.status !== 'delivered' || this.#forged.has(delivery.id))
        return;
      this.#forged.add(delivery.id);
      void this.ask([delivery.referenceId]);
    });
  }

  isBusy(): boolean {
    return this.#open > 0;
  }

  async ask(references: Iterable<string>): Promise<void> {
    for (const referenceId of references) {
      try {
        const answer = await this.#read(referenceId);
        if (answer) this.answers.push({ referenceId, ...answer, at: new Date() });
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
    this.#unsubscribe();
  }
}
