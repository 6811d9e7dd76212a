import type { AbsentFields } from '../../protocol/canonical-string.js';
import type { SignatureEncoding } from '../../protocol/signature.js';

/** One thing that went wrong on the way to a signature. */
export type Mistake =
  | `body-${'empty' | 'encoded' | 'encoding' | 'escaped' | 'hashed' | 'part' | 'placeholder' | 'signed' | 'wrapped'}`
  | `body-${'pretty-printed' | 'reserialised'}`
  | `absent-fields-${'as-text' | 'included' | 'omitted'}`
  | `field-${'added' | 'names' | 'omitted' | 'order'}`
  | `null-fields-${'added' | 'omitted'}`
  | `text-${'added' | 'case'}`
  | `value${'-omitted' | '-types' | 's-quoted' | 's-trimmed'}`
  | `secret-${'case' | 'combined' | 'decoded' | 'empty' | 'encoded' | 'encoding' | 'extended' | 'hashed' | 'quoted'}`
  | `secret-${'byte-order-mark' | 'of-another-merchant' | 'placeholder' | 'replaced' | 'trimmed' | 'truncated'}`
  | `hash-${'algorithm' | 'twice' | 'unkeyed'}`
  | `digest-${'base64' | 'base64-of-hex' | 'bytes' | 'hex' | 'hex-of-base64' | 'percent-encoded' | 'zeros-dropped'}`
  | `digest-${'prefixed' | 'quoted' | 'separated' | 'suffixed' | 'truncated' | 'upper-case' | 'white-space'}`
  | 'amount-scaled'
  | 'arguments-swapped'
  | 'byte-order-mark'
  | 'date-format'
  | 'file-included'
  | 'file-url-included'
  | 'form-encoded'
  | 'html-escaped'
  | 'line-breaks'
  | 'number-format'
  | 'other-notation'
  | 'quotes-removed'
  | 'separators'
  | 'unicode-normalised'
  | 'url-encoded'
  | 'white-space-removed';

/**
 * Why a signature was refused, as a word to compare with: one {@link Mistake}, or several joined by ` + `.
 * `secret-wrong` stands for a signature that no combination of known mistakes reproduces, `request-not-kept` for one
 * whose request is too long ago to be explained.
 */
export type DiagnosisCause =
  Mistake | 'signature-missing' | 'secret-wrong' | 'request-not-kept' | `${Mistake} + ${string}`;

/** The first byte in which two texts differ. */
export interface FirstDifference {
  /** Bytes of UTF-8 before it. */
  readonly byte: number;
  /** Some text around it, on either side of the comparison. */
  readonly expected: string;
  /** The same of what came. */
  readonly received: string;
}

/**
 * Why a signature was refused. An HMAC cannot be inverted, so likely mistakes and combinations of them are tried: the
 * simplest combination that reproduces the signature is the cause.
 */
export interface Diagnosis {
  /** The mistakes that reproduce the signature, as a word to compare with. */
  readonly cause: DiagnosisCause;
  /** The same in words: a sentence for each mistake. */
  readonly message: string;
  /** A step for each mistake, in the terms of the usual languages. */
  readonly fix: string;
  /** The steps of `fix`, where no known mistake explains the signature. */
  readonly checks?: readonly string[];
  /** Whether `expected` and `received` are the signed texts or the signatures. */
  readonly compared: 'signed text' | 'signature';
  /** The start of it, at most 4,096 characters. */
  readonly expected: string;
  /** The same of what came. A secret key that was signed along is replaced by `<secret key>`. */
  readonly received: string;
  /** Only where two texts differ. */
  readonly firstDifference?: FirstDifference;
}

/** A merchant's secret key, and its identifiers where they are known. */
export interface Credentials {
  readonly clientId?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly secretKey: string;
}

/** The parts of a request that some callers sign along with its body. */
export interface SignedAlong {
  readonly method: string;
  readonly path: string;
  /** The header of the same name, as are the others. */
  readonly requestTime: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly contentType: string | undefined;
}

/** A refused request, without its body. */
export interface RefusedRequest {
  readonly merchant: Credentials;
  /** Other merchants, whose secret may have been taken instead. */
  readonly others: Iterable<Credentials>;
  /** The Signature header. */
  readonly signature: string | undefined;
  readonly request?: SignedAlong;
  /** How an initiate signature has to be written. @default 'hex' */
  readonly signatureEncoding?: SignatureEncoding | undefined;
  /** How fields that are not sent stand in the canonical string of an upload. @default 'empty' */
  readonly absentFields?: AbsentFields | undefined;
  /** Minutes between UTC and Request-Time. @default 420, the offset of Vietnam */
  readonly requestTimeOffset?: number | undefined;
}

/** A refused form. */
export interface RefusedForm {
  readonly bytes: Uint8Array;
  /** Textual fields in the order in which they came. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}
