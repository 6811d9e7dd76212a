import * as z from 'zod/mini';
import type { AbsentFields } from './canonical-string.js';
import { secretKeyEncodings, type SecretKeyEncoding } from '../validation/secret-key.js';
import { signatureEncodings, type SignatureEncoding } from './signature.js';
import { transformed, oneOf } from '../validation/rules.js';
import { parseOffset, vietnamOffset } from './timestamps.js';

/** Switches for the questions that the specification leaves open. */
export interface WireSwitches {
  /**
   * The encoding of the signature of `initiatePayment` and `post`. The signature of an upload is documented as hex: it
   * is in upper case with `'hex-upper'`, and in lower case with any other value. @default 'hex'
   */
  signatureEncoding?: SignatureEncoding | undefined;
  /** The encoding of the secret key: the text itself, or bytes in hex or padded base64. @default 'utf8' */
  secretKeyEncoding?: SecretKeyEncoding | undefined;
  /** The offset of Request-Time from UTC. @default '+07:00' */
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
