import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { expect } from 'vitest';
import { canaries, makeCall, referenceId, type Caller, type MadeCall, type Observed } from './calls.js';

export * from './calls.js';

/** How a value could end up in a log: printed, as text, as JSON. */
function shownText(value: unknown): string {
  const stack = value instanceof Error ? value.stack : '';
  return [
    inspect(value, { depth: Infinity, showHidden: true }),
    String(value),
    JSON.stringify(value),
    stack,
  ].join('\n');
}

/** Expectations after every call, however it went. */
function expectInvariants(
  { operation, side }: Caller,
  { error, attempts, requests, runtime, signal, logged }: MadeCall,
): void {
  const whole = requests.filter(({ complete }) => complete);
  expect(new Set(whole.map(({ replayed }) => replayed)).size).toBeLessThanOrEqual(1);
  if (error) {
    expect(error).toMatchObject({ operation });
    expect(error.$metadata).toMatchObject({ operation });
    if (side === 'merchant') expect(error.referenceId).toBe(referenceId);
    else expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    if (operation === 'paymentReceipt') expect(error.lenderTransactionCode).toBe('LTC-1');
    for (const request of whole) expect(request.header('idempotency-key')).toBe(error.idempotencyKey);
    if (operation === 'initiatePayment') expect(error.idempotencyKey).toMatch(/^[0-9a-f]{64}$/);
  }
  const shown = [error, ...logged].map(shownText).join('\n');
  const signatures = requests.flatMap((request) => request.header('signature') ?? []);
  for (const secret of [...Object.values(canaries), ...signatures]) expect(shown).not.toContain(secret);
  // Nothing reached the service where that is what the error says.
  if (error?.outcome === 'not_sent') expect(requests).toHaveLength(0);
  expect(attempts.length).toBeGreaterThan(0);
  expect(runtime.pending()).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
}

/** Makes a call whose attempts go the given course, and checks what holds for every call. */
export async function observe(...args: Parameters<typeof makeCall>): Promise<Observed> {
  const made = await makeCall(...args);
  expect(made.met).toBe(made.attempts.length);
  expectInvariants(args[0], made);
  return made;
}
