/** Runs best-effort work and ignores its errors: a payment does not fail because a log could not be written. */
export async function ignoreErrors(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // See above.
  }
}

/** The same for work that ends at once, and has a value unless it threw. */
export function valueOf<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
