import type { Phase } from '../errors/call-metadata.js';
import { describe, errorChain, rebuildError, safeWords, wordsOf } from '../errors/redact.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';

/** Why a request got no complete response. */
export interface TransportFailure {
  /** `'not_sent'` only where no byte of the request can have reached the service. */
  readonly outcome: FailureOutcome;
  /** False where the same will happen again, as with a certificate. */
  readonly transient: boolean;
  /** `ECONNREFUSED`, or a few words where there is no code. */
  readonly code: string;
  /** `ECONNREFUSED (connect)`. */
  readonly description: string;
  readonly cause?: Error;
}

/** Codes that can only come from a name look-up, or from a connection that was never made. */
const neverConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused', // Bun
]);

/** System calls that come before a connection. */
const beforeConnection: ReadonlySet<string> = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);

/** The server's certificate was refused on this side, before a request could follow (Node's list of X.509 codes). */
const badCertificate: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_REJECTED',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** The two sides have no version of TLS in common, which they find out before a request can follow. */
const noCommonVersion: ReadonlySet<string> = new Set([
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
]);

/** A TLS error, whose cause a repeat meets again. A reset during the handshake has a code of the system instead. */
const tlsError = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/;

/** The errors of several connection attempts at once, one for each address of a name. */
function branches(link: object): readonly object[] {
  try {
    const errors: unknown = Reflect.get(link, 'errors');
    return Array.isArray(errors)
      ? errors.filter((error): error is object => typeof error === 'object' && error !== null)
      : [];
  } catch {
    return []; // treat a throwing getter as missing
  }
}

// Attempts nest once or twice; an error deeper than this, or one that holds itself, proves nothing.
const deepestBranch = 8;

/** True when this error, or every branch of it, can only have come before there was a connection. */
function cameBeforeConnection(link: object, depth = 0): boolean {
  const inner = branches(link);
  if (inner.length > 0) {
    return depth < deepestBranch && inner.every((branch) => cameBeforeConnection(branch, depth + 1));
  }
  const { code, syscall } = wordsOf(link);
  return (
    (code !== undefined && neverConnected.has(code)) ||
    (syscall !== undefined && beforeConnection.has(syscall))
  );
}

/** What the phase proves: before there is a connection, no byte can have left. */
export function outcomeAt(phase: Phase | undefined): FailureOutcome {
  return phase === 'connecting' ? 'not_sent' : 'unknown';
}

/** A failed attempt whose transport knows how far it came: before there was a connection, no byte can have left. */
export function failureAt(phase: Phase, error: unknown): TransportFailure {
  const words = safeWords(error);
  const { code = '' } = words;
  const isFinal = phase === 'connecting' && (badCertificate.has(code) || tlsError.test(code));
  return {
    outcome: outcomeAt(phase),
    transient: !isFinal,
    code: words.code ?? words.name,
    description: describe(words),
    cause: rebuildError(words),
  };
}

/**
 * A failed attempt whose transport tells nothing but its error. TLS errors prove nothing here, except for a certificate
 * or a version: bytes that a firewall puts into an open connection read as a "wrong version number" too.
 */
export function failureOf(error: unknown): TransportFailure {
  const words = safeWords(error);
  const { code = '' } = words;
  const told = {
    code: words.code ?? words.name,
    description: describe(words),
    cause: rebuildError(words),
  };
  if (badCertificate.has(code) || noCommonVersion.has(code)) {
    return { outcome: 'not_sent', transient: false, ...told };
  }
  const chain = errorChain(error);
  // The outermost link that has branches speaks for all of them; the innermost one speaks where there are none.
  const speaker = chain.find((link) => branches(link).length > 0) ?? chain.at(-1);
  const certain = speaker !== undefined && cameBeforeConnection(speaker);
  return { outcome: certain ? 'not_sent' : 'unknown', transient: true, ...told };
}
