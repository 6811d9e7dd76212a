import type { Referring } from '../findings/evidence.js';
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
    const isAgain = [...sent].every((each) => this.#known.has(each));
    const areAll = [...this.#known].every((each) => sent.has(each));
    if (this.#known.size > 0 && sent.size > 0) this.#isFixed ??= isAgain || areAll;
    const late = this.#isFixed === true ? [] : [...sent].filter((each) => this.#known.has(each));
    for (const referenceId of sent) this.#known.add(referenceId);
    const inTime = <T extends Referring>(records: readonly T[]) =>
      records.filter(({ referenceId = '' }) => !late.includes(referenceId));
    const lists = {
      requests: inTime(run.requests),
      payments: inTime(run.payments),
      invoices: inTime(run.invoices),
      webhooks: inTime(run.webhooks),
      ends: inTime(run.ends),
      looks: inTime(run.looks),
    };
    return { run: { ...run, ...lists }, late };
  }
}
