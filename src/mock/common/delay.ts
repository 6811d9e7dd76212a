/** Waits; rejects early when the signal fires. */
export type MockDelay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** The longest wait for a request over the HTTP controls, in milliseconds. */
export const longestWaitMs = 60_000;
