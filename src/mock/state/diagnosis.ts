import type { AbsentFields } from '../../protocol/canonical-string.js';
import type { SecretKeyEncoding } from '../../validation/secret-key.js';
import type { SignatureEncoding } from '../../protocol/signature.js';

/** The first byte at which two texts differ. */
export interface FirstDifference {
  /** The number of UTF-8 bytes before the difference. */
  readonly byte: number;
  /** The characters around the difference, in the text that should have been signed. */
  readonly expected: string;
  /** The characters around the difference, in the text that was signed. */
  readonly received: string;
}

/**
 * The explanation of a refused signature. An HMAC cannot be inverted, so the mistakes that merchants make are tried
 * alone and in pairs. The cause is the smallest set of mistakes that leads to the signature.
 */
export interface Diagnosis {
  /** The mistakes in a few words, joined by ` + `. The text is for people: it is not from a fixed set. */
  readonly cause: string;
  /** The explanation, with a sentence for each mistake. */
  readonly message: string;
  /**
   * The steps that correct each mistake, for the usual programming languages. The text also says which mistakes are
   * mistakes only under an assumption.
   */
  readonly fix: string;
  /**
   * The expected signature. If a different text was signed (`firstDifference` is present), this is the text that
   * should have been signed, up to 4,096 characters.
   */
  readonly expected: string;
  /** The signature or the text that was received. A secret key in it is replaced by `<secret key>`. */
  readonly received: string;
  /** Present if `expected` and `received` are texts, absent if they are signatures. */
  readonly firstDifference?: FirstDifference;
}

/** A merchant's secret keys (the first is preferred), and its identifiers if they are known. */
export interface Credentials {
  readonly clientId?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly secretKeys: readonly [string, ...string[]];
}

/** A refused request, without its body. */
export interface RefusedRequest {
  readonly merchant: Credentials;
  /** The other merchants, whose secret keys might have been used. */
  readonly others: Iterable<Credentials>;
  /** The Signature header. */
  readonly signature: string | undefined;
  /** The parts of the request that some callers sign together with its body. */
  readonly request?: { readonly path: string; readonly requestTime: string | undefined };
  /** The encoding in which the signature of a payment must be written. @default 'hex' */
  readonly signatureEncoding?: SignatureEncoding | undefined;
  /** The encoding of the secret keys. @default 'utf8' */
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  /** How the canonical string of an upload represents fields that are not sent. @default 'empty' */
  readonly absentFields?: AbsentFields | undefined;
}

/** A refused form. */
export interface RefusedForm {
  readonly bytes: Uint8Array;
  /** The text fields in the order in which they arrived. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** The functions that find out why a signature was refused. The code that creates a mock passes them to the mock. */
export interface Diagnose {
  json(bytes: Uint8Array, refused: RefusedRequest): Diagnosis;
  form(form: RefusedForm, refused: RefusedRequest): Diagnosis;
}
