/** Waits; rejects early when the signal fires. */
export type MockDelay = (milliseconds: number, signal: AbortSignal) => Promise<void>;
