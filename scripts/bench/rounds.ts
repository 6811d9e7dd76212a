import type { WorkerMessage } from './processes.js';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A contender that is measured once in each round. */
export interface Measured {
  readonly name: string;
  readonly measure: () => Promise<WorkerMessage>;
}

/** One contender's median, and the median of this package's ratios to it, round by round. */
export interface Standing {
  readonly name: string;
  readonly value: number;
  readonly ratio: number;
}

/** True for this package and its mock. */
export function isOurs({ name }: { readonly name: string }): boolean {
  return name.startsWith('installment-payments');
}

/**
 * Measures the contenders in turns, round after round. Other work of the machine slows all contenders of a round
 * equally, so it does not change their ratios.
 */
export async function alternate(
  measured: readonly Measured[],
  rounds: number,
  figure: (message: WorkerMessage) => number | undefined,
): Promise<Standing[]> {
  const taken: number[][] = measured.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { measure }] of measured.entries()) {
      taken[index]?.push(figure(await measure()) ?? Number.NaN);
    }
  }
  const ours = taken[measured.findIndex(isOurs)] ?? [];
  return measured.map(({ name }, index) => {
    const values = taken[index] ?? [];
    const ratios = values.map((value, round) => (ours[round] ?? Number.NaN) / value);
    return { name, value: median(values), ratio: median(ratios) };
  });
}
