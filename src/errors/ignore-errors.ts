/** Runs best-effort work and ignores its errors: a payment does not fail because a log could not be written. */
export async function ignoreErrors(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // See above.
  }
}

/** The value of synchronous work; undefined if it throws. */
export function valueOf<T>(work: () => T): T | undefined {
  let value: T | undefined;
  try {
    value = work();
  } catch {
    // It stays undefined.
  }
  return value;
}
