import type { Phase } from '../errors/call-metadata.js';
import {
  shortDescription,
  errorChain,
  mostErrors,
  rebuildError,
  innermostSafeFacts,
  safeFactsOf,
  type RebuiltError,
} from '../errors/foreign-errors.js';
import type { FailureFacts } from '../errors/installment-error.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import { finiteNumberAt } from '../values/untrusted-values.js';

/** The reason why a request got no complete response. */
export interface TransportFailure extends FailureFacts {
  /**
   * The outcome. It is `'not_sent'` only if the service cannot have acted: nothing can have reached the service (or,
   * with a custom `fetch`, only the headers).
   */
  readonly outcome: FailureOutcome;
  /** False if a retry would fail in the same way, as with an invalid certificate. */
  readonly transient: boolean;
  /** The code, such as `ECONNREFUSED`, or a few words if there is no code. */
  readonly code: string;
  /** The problem, if it is not simply a lost connection. */
  readonly problem?: string;
  /** A sentence that follows `problem` in the message of the error. */
  readonly meaning?: string;
}

/** Error codes of failed name look-ups and of connections that were never made. */
const neverConnected: ReadonlySet<unknown> = new Set([
  ...'ECONNREFUSED ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME UND_ERR_CONNECT_TIMEOUT'.split(' '),
  'ConnectionRefused', // Bun
]);

/** System calls that look a name up or connect. */
const connectingSyscalls: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);

/**
 * Error codes for a server certificate that the client refused before it sent the request (Node's list of X.509 codes).
 */
const badCertificate: ReadonlySet<string> = new Set(
  [
    'CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED CERT_REJECTED CERT_UNTRUSTED',
    'CERT_SIGNATURE_FAILURE CERT_CHAIN_TOO_LONG DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
    'ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CERT_NOT_AFTER_FIELD INVALID_CA INVALID_PURPOSE',
    'PATH_LENGTH_EXCEEDED HOSTNAME_MISMATCH ERR_TLS_CERT_ALTNAME_INVALID',
  ].flatMap((codes) => codes.split(' ')),
);

/** Error codes for peers without a common TLS version. The handshake shows this before the request is sent. */
const noCommonVersion: ReadonlySet<string> = new Set([
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
]);

/** The error code of the mock's `fetch` for a host that the mock does not serve. */
const notServed = 'ERR_NOT_SERVED_BY_MOCK';

/** TLS errors, which are permanent. A reset during the handshake has a system error code instead. */
const tlsError = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/;

/** True for the error of Node's own proxy support that contains the HTTP status with which the proxy refused. */
const isProxyRefusal = (error: unknown, code: string) =>
  code === 'ERR_PROXY_TUNNEL' && finiteNumberAt(error, 'statusCode') !== undefined;

/** True if this error, or each of its `errors`, can only have happened before there was a connection. */
function happenedBeforeConnection(error: RebuiltError): boolean {
  if (error.errors) return error.errors.every(happenedBeforeConnection);
  const { code, syscall } = safeFactsOf(error);
  return neverConnected.has(code) || connectingSyscalls.has(syscall);
}

/** The outcome of an attempt that ended in a phase. In the phase `'connecting'`, the service cannot have acted. */
export function outcomeAt(phase: Phase | undefined): FailureOutcome {
  return phase === 'connecting' ? 'not_sent' : 'unknown';
}

/** The failure of a transport, classified by its error and by the phase in which the error happened. */
export function classifyFailure(error: unknown, phase: Phase | undefined): TransportFailure {
  const budget = { left: mostErrors };
  const cause = rebuildError(error, budget);
  const facts = innermostSafeFacts(cause);
  const code = facts.code ?? facts.name;
  const failure = { code, summary: shortDescription(facts), cause };
  if (phase !== undefined) {
    const isPermanent = badCertificate.has(code) || tlsError.test(code) || isProxyRefusal(error, code);
    const failsAgain = phase === 'connecting' && isPermanent;
    return { outcome: outcomeAt(phase), transient: !failsAgain, ...failure };
  }
  // Without a phase, only the error shows how far the attempt got. A refused certificate and the lack of a common TLS
  // version prove that nothing was sent. Other TLS errors prove nothing: "wrong version number", for example, can also
  // come from a firewall that inserts bytes into an open connection.
  if (badCertificate.has(code) || noCommonVersion.has(code) || code === notServed) {
    return { outcome: 'not_sent', transient: false, ...failure };
  }
  const chain = errorChain(cause);
  // The outermost error that has a list `errors` (parallel tries to connect) decides the outcome. If no error has such
  // a list, the innermost error decides. `rebuildError` copies at most `mostErrors` errors: if `budget` is used up, the
  // copy can be incomplete, so the copy proves nothing.
  const decisive = chain.find(({ errors }) => errors) ?? chain.at(-1);
  const isProven = budget.left > 0 && decisive !== undefined && happenedBeforeConnection(decisive);
  return { outcome: isProven ? 'not_sent' : 'unknown', transient: true, ...failure };
}
