/** What a wrong signature was made of. */
export type DiagnosisCause =
  | 'signature-missing'
  | 'body-reserialised'
  | 'body-pretty-printed'
  | 'body-escaped'
  | 'body-empty'
  | 'body-signed'
  | 'digest-base64'
  | 'digest-upper-case'
  | 'digest-prefixed'
  | 'absent-fields-omitted'
  | 'field-order'
  | 'file-url-included'
  | 'values-trimmed'
  | 'unicode-normalised'
  | 'url-encoded'
  | 'line-breaks'
  | 'secret-trimmed'
  | 'secret-decoded'
  | 'secret-of-another-merchant'
  | 'secret-wrong';

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
 * Why a signature was refused. An HMAC cannot be inverted, so likely mistakes are tried one by one: the one that
 * reproduces the signature is the cause.
 */
export interface Diagnosis {
  /** The mistake that reproduces the signature, as a word to compare with. */
  readonly cause: DiagnosisCause;
  /** The cause in words, with what to do about it. */
  readonly message: string;
  /** What `expected` and `received` are: the texts that were signed, or the signatures themselves. */
  readonly compared: 'signed text' | 'signature';
  /** The start of it, at most 4,096 characters. */
  readonly expected: string;
  /** The same of what came. */
  readonly received: string;
  /** Only where two texts differ. */
  readonly firstDifference?: FirstDifference;
}
