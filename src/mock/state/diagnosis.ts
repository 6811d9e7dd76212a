import type { AbsentFields } from '../../protocol/canonical-string.js';
import type { SecretKeyEncoding } from '../../validation/secret-key.js';
import type { SignatureEncoding } from '../../protocol/signature.js';

/** The first byte in which two texts differ. */
export interface FirstDifference {
  /** Bytes of UTF-8 before it. */
  readonly byte: number;
  /** Some text around it, of what should have been signed. */
  readonly expected: string;
  /** The same of what was signed. */
  readonly received: string;
}

/**
 * Why a signature was refused. An HMAC cannot be inverted, so what merchants do wrong is tried, alone and in pairs: the
 * fewest mistakes that lead to the signature are the cause.
 */
export interface Diagnosis {
  /** The mistakes in a few words, joined by ` + `: for people, not a fixed set. */
  readonly cause: string;
  /** A sentence for each mistake. */
  readonly message: string;
  /** The steps for each, in the terms of the usual languages, and which of it is assumed. */
  readonly fix: string;
  /**
   * The expected signature; where another text was signed (`firstDifference` is present), the text that should have been
   * signed, at most its first 4,096 characters.
   */
  readonly expected: string;
  /** The same of what came. A secret key that was signed along, or sent, is replaced by `<secret key>`. */
  readonly received: string;
  /** Present where `expected` and `received` are texts; absent where they are signatures. */
  readonly firstDifference?: FirstDifference;
}

/** A merchant's secret keys, the first of which is preferred, and its identifiers where they are known. */
export interface Credentials {
  readonly clientId?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly secretKeys: readonly [string, ...string[]];
}

/** A refused request, without its body. */
export interface RefusedRequest {
  readonly merchant: Credentials;
  /** Other merchants, whose secret key may have been used. */
  readonly others: Iterable<Credentials>;
  /** The Signature header. */
  readonly signature: string | undefined;
  /** The parts of the request that some callers sign along with its body. */
  readonly request?: { readonly path: string; readonly requestTime: string | undefined };
  /** How the signature of a payment has to be written. @default 'hex' */
  readonly signatureEncoding?: SignatureEncoding | undefined;
  /** How the secret keys are written. @default 'utf8' */
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  /** How fields that are not sent stand in the canonical string of an upload. @default 'empty' */
  readonly absentFields?: AbsentFields | undefined;
}

/** A refused form. */
export interface RefusedForm {
  readonly bytes: Uint8Array;
  /** Textual fields in the order in which they came. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Finds out why signatures were refused. The mock is given it. */
export interface Diagnose {
  json(bytes: Uint8Array, refused: RefusedRequest): Diagnosis;
  form(form: RefusedForm, refused: RefusedRequest): Diagnosis;
}
