import { messageOf } from '../errors/error-messages.js';
import { HookError, type ErrorInit } from '../errors/errors.js';
import { callerCause } from '../errors/redact.js';
import type { AttemptHistory, CallDescription } from './attempts.js';

/**
 * The error for a function of the caller that rejected. It is `not_sent` if this call has sent nothing, whatever was sent
 * before it; else the attempts of this call decide.
 */
export function hookError(
  hook: string,
  error: unknown,
  call: CallDescription,
  sensitive: readonly string[],
  history?: AttemptHistory,
) {
  const cause = callerCause(error, sensitive);
  const description = `${hook} rejected; see the cause`;
  const toError = (init: ErrorInit) => new HookError(messageOf(description, init), init);
  const failed = { outcome: 'not_sent', transient: true, description, cause, toError } as const;
  if (history && history.attempts.length > 0) return history.toError(failed);
  const metadata = { ...call.subject, request: call.target, attempts: [] };
  return toError({ outcome: 'not_sent', retryable: true, metadata, cause });
}
