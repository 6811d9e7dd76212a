import type { FailureOutcome } from '../protocol/result-status.js';
import { describe, errorChain, rebuildError, safeWords, wordsOf } from '../errors/redact.js';

/** A request that got no answer, as far as the transport can tell. */
export interface TransportFailure {
  /** `'not_sent'` only where the connection was certainly never made. */
  readonly outcome: FailureOutcome;
  /** False where the same will happen again: a certificate does not mend itself. */
  readonly transient: boolean;
  /** `ECONNREFUSED (connect)`. */
  readonly description: string;
  readonly cause: Error;
}

/** Codes that can only come from looking a name up, or from the transport giving up on connecting. */
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

/** System calls that come before a connection stands: whatever fails in them, nothing was sent. */
const beforeConnection: ReadonlySet<string> = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);

/** The server's certificate was refused on this side, before the first byte of a request (Node's list of X.509 codes). */
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

/**
 * The two sides have no version of TLS in common, which they find out before a request can follow. Other failures of
 * TLS prove nothing: bytes that a firewall puts into a connection that stands read as a "wrong version number" too, and
 * a "handshake failure" may refuse the client's certificate after the request was read.
 */
const noCommonVersion: ReadonlySet<string> = new Set([
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
]);

/** The errors of several connection attempts at once, one for each address of a name. */
function branches(link: object): readonly object[] {
  try {
    const errors: unknown = Reflect.get(link, 'errors');
    return Array.isArray(errors)
      ? errors.filter((error): error is object => typeof error === 'object' && error !== null)
      : [];
  } catch {
    return []; // a getter that throws has nothing to say
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

/** Tells what an error of the transport says about the request. What it cannot tell is `'unknown'`. */
export function transportFailure(error: unknown): TransportFailure {
  const chain = errorChain(error);
  const words = safeWords(error);
  const told = { description: describe(words), cause: rebuildError(words) };
  if (words.code !== undefined && (badCertificate.has(words.code) || noCommonVersion.has(words.code))) {
    return { outcome: 'not_sent', transient: false, ...told };
  }
  // The outermost link that has branches speaks for all of them; the innermost one speaks where there are none.
  const speaker = chain.find((link) => branches(link).length > 0) ?? chain.at(-1);
  const certain = speaker !== undefined && cameBeforeConnection(speaker);
  return { outcome: certain ? 'not_sent' : 'unknown', transient: true, ...told };
}
