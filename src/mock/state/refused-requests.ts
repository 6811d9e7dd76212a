import type { Diagnosis } from './diagnosis.js';

/** Explains one refused signature. */
export type Explain = () => Diagnosis;

/** The record of a refused request. */
export interface Refused {
  /** The number of bytes that `explain` keeps in memory. */
  readonly size: number;
  readonly explain: Explain;
  /** The expected signature. */
  readonly expected: string;
  /** The received signature. */
  readonly received: string | undefined;
}

/** The number of refused requests whose bytes are kept. */
const mostRequests = 100;
/**
 * The number of bytes that are kept. This is enough for 100 JSON bodies of the largest size; uploads can be six times
 * as large.
 */
const mostBytes = 128 * 1024 * 1024;
const shownCharacters = 256;

/**
 * The requests whose signature was refused, with the data needed to explain them later. An explanation takes up to
 * 0.1 s, so it is computed when it is read, not while the service responds.
 */
export class RefusedRequests {
  readonly #kept = new Map<number, Refused>();
  #added = 0;

  /** @returns the explanation, which the first call computes */
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
    // This function must not refer to the request, which can be dropped before this function is called.
    return () => {
      diagnosis ??= this.#kept.get(id)?.explain() ?? dropped;
      this.#kept.delete(id);
      return diagnosis;
    };
  }

  /**
   * Removes all requests. The IDs continue, because an explanation from before the reset must not find a request from
   * after the reset.
   */
  reset(): void {
    this.#kept.clear();
  }
}

function notKept({ expected, received = '' }: Refused): Diagnosis {
  return {
    cause: 'request-not-kept',
    message: `The mock no longer has the bytes of this request, so it cannot explain the signature. It keeps only the last ${mostRequests} refused requests, up to ${mostBytes / 1024 / 1024} MiB in total, and none from before a reset.`,
    fix: 'Send the request again, and read its diagnosis before many other requests are refused.',
    expected,
    // This is a copy, because a slice would keep the whole text in memory.
    received: Buffer.from(received.slice(0, shownCharacters)).toString(),
  };
}
