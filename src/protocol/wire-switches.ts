import * as z from 'zod';
import type { AbsentFields } from './canonical-string.js';
import type { SignatureEncoding } from './signature.js';
import { parseOffset, vietnamOffset } from './timestamps.js';

/** Switches for what the specification leaves open. The first value of each is the default. */
export interface WireSwitches {
  /** How the signature of an initiate request is written; an upload's is always hex. @default 'hex' */
  signatureEncoding?: SignatureEncoding | undefined;
  /** The offset from UTC that Request-Time is written at. @default '+07:00' */
  requestTimeOffset?: string | undefined;
  /** How a field that is not sent stands in the canonical string. @default 'empty' */
  absentFields?: AbsentFields | undefined;
}

const offsetRule = 'must be an offset such as +07:00';
const offsetMinutes = z.string(offsetRule).transform((value, context): number => {
  const minutes = parseOffset(value);
  if (minutes !== undefined) return minutes;
  context.addIssue({ code: 'custom', message: offsetRule, input: value });
  return z.NEVER;
});

/** {@link WireSwitches} with every default in place, and the offset in minutes. */
export const wireSwitchesSchema = z
  .strictObject(
    {
      signatureEncoding: z.enum(['hex', 'base64'], "must be 'hex' or 'base64'").default('hex'),
      requestTimeOffset: offsetMinutes.prefault(vietnamOffset),
      absentFields: z.enum(['empty', 'omit'], "must be 'empty' or 'omit'").default('empty'),
    },
    'must be an object',
  )
  .prefault({});

/** Switches that were checked. */
export type ResolvedWireSwitches = z.output<typeof wireSwitchesSchema>;
