import type { Call } from '../../src/http/call.js';
import { CallState } from '../../src/http/call-state.js';
import { Observer } from '../../src/http/observer.js';
import { startOfCall } from '../../src/http/runtime.js';
import type { WireResponse } from '../../src/http/transport.js';
import { manualRuntime } from '../helpers/runtime.js';

export const target = { method: 'POST', host: 'pay.example', path: '/v2/payments' } as const;

/** A call that accepts any response. */
export function callWith(changes: Partial<Call<object>> = {}): Call<object> {
  return {
    subject: { operation: 'initiatePayment', referenceId: 'R-1' },
    url: new URL('https://pay.example/v2/payments'),
    target,
    policy: 'idempotent',
    mayHaveBeenSent: false,
    limits: { attemptTimeoutMs: 15_000, totalTimeoutMs: 45_000, maxRetries: 2 },
    request: { headers: {}, body: Buffer.of() },
    judge: () => ({ outcome: 'accepted', value: {} }),
    ...changes,
  };
}

/** The state of a call that has made no attempt. */
export function runOf(call: Call<object> = callWith()): CallState<object> {
  const runtime = manualRuntime();
  const transport = () => Promise.reject(new Error('nothing is sent'));
  return new CallState(call, startOfCall(runtime), { runtime, observer: new Observer({}), transport });
}

/** A complete response, as a transport returns it. */
export function responseWith({
  text = '',
  ...changes
}: Partial<WireResponse> & { readonly text?: string } = {}): WireResponse {
  return {
    httpStatus: 200,
    headers: [],
    isRedirect: false,
    body: Buffer.from(text),
    bodyState: 'whole',
    ...changes,
  };
}
