import type { Diagnosis } from './diagnosis.js';

/** Gives the explanation of one refused signature. */
export type Explain = () => Diagnosis;

/** The record of a refused request. */
export interface Refused {
  /** Bytes that `explain` holds on to. */
  readonly size: number;
  readonly explain: Explain;
  /** The signature that should have come. */
  readonly expected: string;
  /** The signature that came. */
  readonly received: string | undefined;
}

/** The bytes of more refused requests are not kept. */
const mostRequests = 100;
/** Enough for 100 JSON bodies of the largest size; uploads may be six times as large. */
const mostBytes = 128 * 1024 * 1024;
const shownCharacters = 256;

/**
 * The requests whose signature was refused, with what it takes to explain them later. A search takes up to 0.1 s, so it
 * is not made while the service responds, but when somebody reads the result.
 */
export class RefusedRequests {
  readonly #kept = new Map<number, Refused>();
  #added = 0;

  /** @returns the explanation, made at the first call */
  add(refused: Refused): Explain {
    const id = (this.#added += 1);
    this.#kept.set(id, refused);
    for (const oldest of this.#kept.keys()) {
      const bytes = [...this.#kept.values()].reduce((sum, { size }) => sum + size, 0);
      if (this.#kept.size <= mostRequests && bytes <= mostBytes) break;
      this.#kept.delete(oldest);
    }
    const dropped = notKept(refused);
    let diagnosis: Diagnosis | undefined;
    // It must not hold on to the request, which may be dropped before.
    return () => {
      diagnosis ??= this.#kept.get(id)?.explain() ?? dropped;
      this.#kept.delete(id);
      return diagnosis;
    };
  }

  /** The numbers go on: an explanation from before the reset must not find a request from after it. */
  reset(): void {
    this.#kept.clear();
  }
}

function notKept({ expected, received = '' }: Refused): Diagnosis {
  return {
    cause: 'request-not-kept',
    message: `The bytes of this request are no longer kept, so its signature cannot be explained: the mock keeps the last ${mostRequests} refused requests since its reset, and ${mostBytes / 1024 / 1024} MiB of them.`,
    fix: 'Send the request again, and read its diagnosis before many others are refused.',
    expected,
    // Copied: a slice would keep the whole text.
    received: Buffer.from(received.slice(0, shownCharacters)).toString(),
  };
}
