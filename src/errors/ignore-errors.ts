/**
 * Runs best-effort work, and ignores its errors, thrown or rejected: a caller's log or hook, a source that is told to
 * stop. A payment does not fail because a log could not be written.
 */
export async function ignoreErrors(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // See above.
  }
}
