import * as z from 'zod/mini';
import type { AbsentFields } from './canonical-string.js';
import { secretKeyEncodings, type SecretKeyEncoding } from '../validation/secret-key.js';
import { signatureEncodings, type SignatureEncoding } from './signature.js';
import { transformed, oneOf } from '../validation/rules.js';
import { parseOffset, vietnamOffset } from './timestamps.js';

/** Switches for questions that the specification leaves open. The first value of each is the default. */
export interface WireSwitches {
  /**
   * How the signature of `initiatePayment` and `post` is written. An upload's is documented as hex: with `'hex-upper'` it is
   * in upper case, else in lower case. @default 'hex'
   */
  signatureEncoding?: SignatureEncoding | undefined;
  /** How the secret key is written: as the text itself, or as bytes in hex or padded base64. @default 'utf8' */
  secretKeyEncoding?: SecretKeyEncoding | undefined;
  /** Offset from UTC of Request-Time. @default '+07:00' */
  requestTimeOffset?: string | undefined;
  /** How the canonical string of an upload shows a field that is not sent. @default 'empty' */
  absentFields?: AbsentFields | undefined;
}

const offsetRule = `must be an offset from UTC, such as ${vietnamOffset}`;
const offsetMinutes = transformed(
  z.string(offsetRule),
  (value, refuse) => parseOffset(value) ?? refuse(offsetRule),
);

/** The switches of a signature, with their defaults. */
export const signingSwitches = {
  signatureEncoding: z._default(oneOf(signatureEncodings), 'hex'),
  secretKeyEncoding: z._default(oneOf(secretKeyEncodings), 'utf8'),
};

/** {@link WireSwitches} with every default in place, and the offset in minutes. */
export const wireSwitchesSchema = z.prefault(
  z.strictObject(
    {
      ...signingSwitches,
      requestTimeOffset: z.prefault(offsetMinutes, vietnamOffset),
      absentFields: z._default(oneOf(['empty', 'omit']), 'empty'),
    },
    'must be an object',
  ),
  {},
);

export type ResolvedWireSwitches = z.output<typeof wireSwitchesSchema>;
