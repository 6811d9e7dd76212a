/** Runs best-effort work and ignores its errors: a payment does not fail because a log could not be written. */
export async function ignoreErrors(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // See above.
  }
}
