import type { Diagnosis } from './types.js';

/** Gives the explanation of one refused signature. */
export type Explain = () => Diagnosis;

/** The record of a refused request. */
export interface Refused {
  /** Bytes that `explain` holds on to. */
  readonly size: number;
  /** Does the whole work. */
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

/** `explain` is undefined once the explanation was made, or the bytes are dropped. */
type Kept = Pick<Refused, 'size'> & { explain: Explain | undefined };

/**
 * The requests whose signature was refused, with what it takes to explain them later. A search takes up to 0.1 s, so it
 * is not made while the service answers, but when somebody reads the result.
 */
export class RefusedRequests {
  #kept: Kept[] = [];
  #bytes = 0;

  /** @returns the explanation, made at the first call */
  add({ size, explain, expected, received = '' }: Refused): Explain {
    const kept: Kept = { size, explain };
    this.#kept.push(kept);
    this.#bytes += size;
    while (this.#kept.length > mostRequests || this.#bytes > mostBytes) this.#drop(this.#kept[0]);
    // Copied: a slice would keep the whole text.
    const shown = Buffer.from(received.slice(0, shownCharacters)).toString();
    let diagnosis: Diagnosis | undefined;
    return () => {
      diagnosis ??= kept.explain?.() ?? notKept(expected, shown);
      this.#drop(kept);
      return diagnosis;
    };
  }

  #drop(kept: Kept | undefined): void {
    if (!kept?.explain) return;
    kept.explain = undefined;
    this.#kept = this.#kept.filter((each) => each !== kept);
    this.#bytes -= kept.size;
  }
}

function notKept(expected: string, received: string): Diagnosis {
  return {
    cause: 'request-not-kept',
    message: `The bytes of this request are no longer kept, so its signature cannot be explained: the mock keeps the last ${mostRequests} refused requests, and ${mostBytes / 1024 / 1024} MiB of them.`,
    fix: 'Send the request again, and read its diagnosis before many others are refused.',
    expected,
    received,
  };
}
