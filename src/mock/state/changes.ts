import type { JournalEntry } from './journal-types.js';

/** A change in the mock. */
export type MockChange =
  | { readonly kind: 'request'; readonly entry: JournalEntry }
  | { readonly kind: 'payment'; readonly referenceId: string }
  | { readonly kind: 'webhook'; readonly id: string }
  /** `'script'` means that scripted responses or faults were added or removed by a control. */
  | { readonly kind: 'invoice' | 'receipt' | 'allocation' | 'script' | 'reset' };

export class Changes {
  readonly #listeners = new Set<(change: MockChange) => void>();

  /** @returns a function that ends the subscription */
  subscribe(listener: (change: MockChange) => void): () => void {
    // Each subscription is a new function, so that the same listener can be added twice.
    const subscription = (change: MockChange) => {
      listener(change);
    };
    this.#listeners.add(subscription);
    return () => this.#listeners.delete(subscription);
  }

  emit(change: MockChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch {
        // A failing listener must not change what the service does.
      }
    }
  }
}
