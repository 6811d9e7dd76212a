import type { ProbeAnswer } from '../findings/evidence.js';
import type { MockService } from '../types.js';

/** Asks the merchant whether an order counts as paid. */
export type Paid = (referenceId: string) => boolean | Promise<boolean>;

/** The questions of one run to the merchant's order page. */
export class Probe {
  readonly answers: ProbeAnswer[] = [];
  readonly #asked = new Set<string>();
  readonly #unsubscribe: () => void;
  #open = 0;

  constructor(
    private readonly mock: MockService,
    private readonly paid: Paid | undefined,
  ) {
    // A forged notification that was accepted shows its effect before the true one arrives.
    this.#unsubscribe = mock.subscribe((change) => {
      if (change.kind !== 'webhook') return;
      const delivery = mock.webhooks.get(change.id);
      if (delivery?.forged !== true || delivery.status !== 'delivered' || this.#asked.has(delivery.id))
        return;
      this.#asked.add(delivery.id);
      void this.ask([delivery.referenceId]);
    });
  }

  isBusy(): boolean {
    return this.#open > 0;
  }

  /** A page that cannot be read says nothing about its order. */
  async ask(references: Iterable<string>): Promise<void> {
    const { paid } = this;
    if (!paid) return;
    for (const referenceId of references) {
      this.#open += 1;
      try {
        this.answers.push({ referenceId, paid: await paid(referenceId), at: new Date() });
      } catch {
        // A page that does not answer proves nothing.
      } finally {
        this.#open -= 1;
      }
    }
  }

  stop(): void {
    this.#unsubscribe();
  }
}
