import type { Phase } from '../errors/call-metadata.js';
import {
  describe,
  errorChain,
  mostErrors,
  rebuildError,
  safeWords,
  wordsOf,
  type RebuiltError,
} from '../errors/foreign-errors.js';
import type { FailureFacts } from '../errors/installment-error.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import { finiteNumberAt } from '../values/untrusted-values.js';

/** Why a request got no complete response. */
export interface TransportFailure extends FailureFacts {
  /** `'not_sent'` only if no byte of the request can have reached the service. */
  readonly outcome: FailureOutcome;
  /** False if the same will happen again, as with a certificate. */
  readonly transient: boolean;
  /** `ECONNREFUSED`, or a few words if there is no code. */
  readonly code: string;
  /** What happened, if it is something other than a lost connection. */
  readonly problem?: string;
  /** A sentence that follows `problem` in the message of the error. */
  readonly meaning?: string;
}

/** Codes of name look-ups and of connections that were not made. */
const neverConnected: ReadonlySet<unknown> = new Set([
  ...'ECONNREFUSED ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME UND_ERR_CONNECT_TIMEOUT'.split(' '),
  'ConnectionRefused', // Bun
]);

const beforeConnection: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);

/** The client refused the server's certificate before it sent the request (Node's list of X.509 codes). */
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

/** No TLS version in common, which the handshake shows before the request is sent. */
const noCommonVersion: ReadonlySet<string> = new Set([
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
]);

/** The mock's `fetch` serves no other host. */
const notServed = 'ERR_NOT_SERVED_BY_MOCK';

/** TLS errors, which are permanent. A reset during the handshake has a system code instead. */
const tlsError = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/;

/** A refusal that Node's own proxy support reports, with its HTTP status. */
const isProxyRefusal = (error: unknown, code: string) =>
  code === 'ERR_PROXY_TUNNEL' && finiteNumberAt(error, 'statusCode') !== undefined;

/** True if this error, or every branch of it, can only have happened before there was a connection. */
function cameBeforeConnection(error: RebuiltError): boolean {
  if (error.errors) return error.errors.every(cameBeforeConnection);
  const { code, syscall } = wordsOf(error);
  return neverConnected.has(code) || beforeConnection.has(syscall);
}

/** Before there is a connection, no byte can have been sent. */
export function outcomeAt(phase: Phase | undefined): FailureOutcome {
  return phase === 'connecting' ? 'not_sent' : 'unknown';
}

/** A failure of a transport, by how far the attempt came. */
export function failureOf(error: unknown, phase: Phase | undefined): TransportFailure {
  const budget = { left: mostErrors };
  const cause = rebuildError(error, budget);
  const words = safeWords(cause);
  const code = words.code ?? words.name;
  const failure = { code, summary: describe(words), cause };
  if (phase !== undefined) {
    const isPermanent = badCertificate.has(code) || tlsError.test(code) || isProxyRefusal(error, code);
    return { outcome: outcomeAt(phase), transient: phase !== 'connecting' || !isPermanent, ...failure };
  }
  // Without a phase only the error shows how far the attempt came. TLS errors prove nothing, except those about a certificate or
  // a version: a "wrong version number" can also be caused by bytes that a firewall puts into an open connection.
  if (badCertificate.has(code) || noCommonVersion.has(code) || code === notServed) {
    return { outcome: 'not_sent', transient: false, ...failure };
  }
  const chain = errorChain(cause);
  // The outermost error with branches decides; without branches, the innermost one. Errors that are left out prove nothing.
  const decisive = chain.find(({ errors }) => errors) ?? chain.at(-1);
  const isProven = budget.left > 0 && decisive !== undefined && cameBeforeConnection(decisive);
  return { outcome: isProven ? 'not_sent' : 'unknown', transient: true, ...failure };
}
