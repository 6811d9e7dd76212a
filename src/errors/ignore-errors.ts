/**
 * Runs what must not change what happens, whether it throws now or rejects later: a caller's log or hook, a source that
 * is told to stop.
 */
export async function quietly(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // A payment does not fail because a log could not be written.
  }
}
