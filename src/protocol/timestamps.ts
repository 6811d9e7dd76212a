/**
 * Timestamps of the wire. All of them are plain arithmetic on the instant: no locale, no time zone of the
 * process and no 24:00:00 can get in.
 */

const minuteMs = 60_000;
const offsetShape = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/;

/** Vietnam has one time zone and no daylight saving. */
export const vietnamOffset = '+07:00';

/** {@link vietnamOffset} in minutes. */
export const vietnamOffsetMinutes = 7 * 60;

/** Minutes east of UTC for an offset such as `+07:00`, or undefined when the text is no offset. */
export function parseOffset(offset: string): number | undefined {
  const match = offsetShape.exec(offset);
  if (!match) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}

/** True when the wire's four-digit year can hold the instant, at any offset. */
export function isWireInstant(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9998; // false for an invalid date, whose year is NaN
}

/** `YYYY-MM-DDThh:mm:ss` on the clock that is `offsetMinutes` ahead of UTC. */
function wallClock(instant: Date, offsetMinutes: number): string {
  return new Date(instant.getTime() + offsetMinutes * minuteMs).toISOString().slice(0, 19);
}

/** `YYYY-MM-DD hh:mm:ss`, 24 hours: the Request-Time header and the response time (specification: Authentication). */
export function requestTime(instant: Date, offsetMinutes: number): string {
  return wallClock(instant, offsetMinutes).replace('T', ' ');
}

/** `yyyy-MM-ddTHH:mm:ssZ`: the invoice date and the upload time (specification: Invoice upload request). */
export function utcTimestamp(instant: Date): string {
  return `${wallClock(instant, 0)}Z`;
}

/** `yyyy-MM-ddTHH:mm:ss+0700`: every timestamp of a lender notification. */
export function lenderTimestamp(instant: Date): string {
  return `${wallClock(instant, vietnamOffsetMinutes)}+0700`;
}

export const utcShape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})Z$/;
export const lenderShape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\+0700$/;
export const requestShape = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;
export const dayShape = /^(\d{2})-(\d{2})-(\d{4})$/;

/** True for `YYYY-MM-DDThh:mm:ss` that names a real moment: 30 February would come back as another day. */
function isRealMoment(text: string): boolean {
  const instant = new Date(`${text}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** True for `yyyy-MM-ddTHH:mm:ssZ` on a real calendar day. */
export function isUtcTimestamp(text: string): boolean {
  const match = utcShape.exec(text);
  return match?.[1] !== undefined && isRealMoment(match[1]);
}

/** True for `yyyy-MM-ddTHH:mm:ss+0700` on a real calendar day. */
export function isLenderTimestamp(text: string): boolean {
  const match = lenderShape.exec(text);
  return match?.[1] !== undefined && isRealMoment(match[1]);
}

/** True for `YYYY-MM-DD hh:mm:ss` on a real calendar day. */
export function isRequestTime(text: string): boolean {
  const match = requestShape.exec(text);
  return match !== null && isRealMoment(`${match[1] ?? ''}T${match[2] ?? ''}`);
}

/** True for `DD-MM-YYYY` that is a day of the calendar. */
export function isCalendarDay(text: string): boolean {
  const match = dayShape.exec(text);
  return match !== null && isRealMoment(`${match[3] ?? ''}-${match[2] ?? ''}-${match[1] ?? ''}T00:00:00`);
}
