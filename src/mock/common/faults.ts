/** Waits for a time, or until the signal fires. */
export type MockDelay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** The names of all faults except a delay. */
export const faultNames = [
  'connection-reset',
  'empty-response',
  'hang',
  'stalled-body',
  'truncated-body',
  'invalid-json',
  'html-502',
] as const;

/**
 * A fault of the connection or of a gateway:
 *
 * - `connection-reset`: the connection is reset without a response.
 * - `empty-response`: the connection is closed normally without a response.
 * - `hang`: no response is ever sent.
 * - `stalled-body`: status, headers and half of the body are sent, then nothing.
 * - `truncated-body`: half of the body is sent, then the connection is closed.
 * - `invalid-json`: the response is complete, but its JSON is cut. For a lender operation its status is 500, because
 *   a 2xx status would acknowledge the notification.
 * - `html-502`: a gateway's HTML page with status 502 is sent.
 * - `{ delayMs }`: the right response is sent, delayed by this many milliseconds.
 */
export type MockFault = (typeof faultNames)[number] | { readonly delayMs: number };

/** `'before'`: the service does not act. `'after'`: the service acts, and its response is lost. */
export type FaultPhase = 'before' | 'after';

/** A fault that is not a delay. */
export type NamedFault = Exclude<MockFault, object>;

export function isDelay(fault: MockFault | undefined): fault is { readonly delayMs: number } {
  return typeof fault === 'object';
}
