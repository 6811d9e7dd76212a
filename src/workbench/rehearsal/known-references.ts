import type { JournalEntry } from '../../mock/state/journal-types.js';

/**
 * The references of earlier worlds. A request for one of them is late: it must not count in a later world. A test that
 * takes the same references in each world, which shows in the second one, has nothing that is late.
 */
export class KnownReferences {
  readonly #known = new Set<string>();
  #isFixed: boolean | undefined;

  /** The late references of the next world. */
  lateIn(requests: readonly JournalEntry[]): readonly string[] {
    const known = [...this.#known];
    const sent = new Set(requests.flatMap(({ referenceId }) => referenceId ?? []));
    const late = known.filter((each) => sent.has(each));
    const isSame = late.length === known.length || late.length === sent.size;
    if (known.length > 0 && sent.size > 0) this.#isFixed ??= isSame;
    for (const referenceId of sent) this.#known.add(referenceId);
    return this.#isFixed === true ? [] : late;
  }
}
