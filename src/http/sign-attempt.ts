import { headerNames } from '../protocol/headers.js';
import { abortedBy, type AttemptHistory, type CallDescription } from './attempts.js';
import type { CallLimits } from './call-limits.js';
import { hookError } from './hook-error.js';
import type { Runtime } from './runtime.js';
import type { WireRequest } from './transport.js';
import { withTimeout } from './with-timeout.js';

/** A call that may have a key for each attempt. */
export interface SignableCall extends CallDescription {
  readonly request: WireRequest;
  readonly limits: CallLimits;
  /** Makes the Signature of one attempt; absent if the headers have it, or need none. */
  readonly sign?: (() => Promise<string>) | undefined;
  /** Texts that errors must not quote. */
  readonly sensitive: () => readonly string[];
}

/** The call with the headers of its next attempt, within the limits of the call. */
export async function signAttempt<Call extends SignableCall>(
  call: Call,
  sign: NonNullable<Call['sign']>,
  { history, outOfTime, runtime }: { history: AttemptHistory; outOfTime: () => Error; runtime: Runtime },
): Promise<Call> {
  const { limits, request } = call;
  const { signal } = limits;
  const signed = await withTimeout(sign, { ms: limits.leftMs(), signal, runtime });
  switch (signed.ended) {
    case 'done': {
      const headers = { ...request.headers, [headerNames.signature]: signed.value };
      return { ...call, request: { ...request, headers } };
    }
    case 'failed':
      throw hookError('secretKey', signed.error, call, call.sensitive(), history);
    case 'aborted':
      throw history.toError(abortedBy(signal, history.outcome));
    case 'timeout':
      throw outOfTime();
  }
}
