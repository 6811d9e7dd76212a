import * as z from 'zod';
import type { AbsentFields } from './canonical-string.js';
import type { SignatureEncoding } from './signature.js';
import { oneOf } from './field-rules.js';
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
const offsetMinutes = z.string(offsetRule).transform((value, context): number => {
  const minutes = parseOffset(value);
  if (minutes !== undefined) return minutes;
  context.addIssue(offsetRule);
  return z.NEVER;
});

/** {@link WireSwitches} with every default in place, and the offset in minutes. */
export const wireSwitchesSchema = z
  .strictObject(
    {
      signatureEncoding: oneOf(['hex', 'base64']).default('hex'),
      requestTimeOffset: offsetMinutes.prefault(vietnamOffset),
      absentFields: oneOf(['empty', 'omit']).default('empty'),
    },
    'must be an object',
  )
  .prefault({});

export type ResolvedWireSwitches = z.output<typeof wireSwitchesSchema>;
