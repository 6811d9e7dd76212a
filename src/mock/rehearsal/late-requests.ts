import type { WorldRun } from './run-world.js';

/**
 * The references of earlier worlds. A request for one of them is late: it must not count in a later world. A test that
 * takes the same references in each world, which shows in the second one, has nothing that is late.
 */
export class KnownReferences {
  readonly #known = new Set<string>();
  #isFixed: boolean | undefined;

  /** A run without what is late. */
  without(run: WorldRun): { readonly run: WorldRun; readonly late: readonly string[] } {
    const sent = new Set(run.requests.flatMap(({ referenceId }) => referenceId ?? []));
    if (this.#known.size > 0)
      this.#isFixed ??= [...this.#known].every((referenceId) => sent.has(referenceId));
    const late =
      this.#isFixed === true ? [] : [...sent].filter((referenceId) => this.#known.has(referenceId));
    for (const referenceId of sent) this.#known.add(referenceId);
    const inTime = <T extends { readonly referenceId?: string }>(records: readonly T[]) =>
      records.filter(({ referenceId }) => referenceId === undefined || !late.includes(referenceId));
    const { requests, payments, invoices, webhooks, ends, looks } = run;
    return {
      run: {
        ...run,
        requests: inTime(requests),
        payments: inTime(payments),
        invoices: inTime(invoices),
        webhooks: inTime(webhooks),
        ends: inTime(ends),
        looks: inTime(looks),
      },
      late,
    };
  }
}
