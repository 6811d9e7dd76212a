import * as z from 'zod/mini';
import type { AbsentFields } from './canonical-string.js';
import type { SignatureEncoding } from './signature.js';
import { converted, oneOf } from './field-rules.js';
import { parseOffset, vietnamOffset } from './timestamps.js';

/** Switches for questions that the specification leaves open. The first value of each is the default. */
export interface WireSwitches {
  /** How the signature of `initiatePayment` and `post` is written; an upload's is always hex. @default 'hex' */
  signatureEncoding?: SignatureEncoding | undefined;
  /** Offset from UTC of Request-Time. @default '+07:00' */
  requestTimeOffset?: string | undefined;
  /** How the canonical string of an upload shows a field that is not sent. @default 'empty' */
  absentFields?: AbsentFields | undefined;
}

const offsetRule = `must be an offset from UTC, such as ${vietnamOffset}`;
const offsetMinutes = converted(
  z.string(offsetRule),
  (value, refuse) => parseOffset(value) ?? refuse(offsetRule),
);

/** {@link WireSwitches} with every default in place, and the offset in minutes. */
export const wireSwitchesSchema = z.prefault(
  z.strictObject(
    {
      signatureEncoding: z._default(oneOf(['hex', 'base64']), 'hex'),
      requestTimeOffset: z.prefault(offsetMinutes, vietnamOffset),
      absentFields: z._default(oneOf(['empty', 'omit']), 'empty'),
    },
    'must be an object',
  ),
  {},
);

export type ResolvedWireSwitches = z.output<typeof wireSwitchesSchema>;
