import { isDate } from 'node:util/types';

// Timestamps of the service, independent of the locale and time zone of the process.

const minuteMs = 60_000;
const offsetShape = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/;

/** Vietnam has one time zone and no daylight saving time. */
export const vietnamOffset = '+07:00';

/** The offset of Vietnam, in minutes east of UTC. */
export const vietnamOffsetMinutes = 7 * 60;

/** Minutes east of UTC for an offset such as `+07:00`; undefined for any other text. */
export function parseOffset(offset: string): number | undefined {
  const match = offsetShape.exec(offset);
  if (!match) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}

// The first and last instant whose year has four digits at any offset.
const firstInstant = Date.parse('0001-01-01T00:00:00Z');
const lastInstant = Date.parse('9998-12-31T23:59:59.999Z');

/** True for a valid `Date`, from any realm, whose year has four digits at any offset. */
export function isWireInstant(value: unknown): value is Date {
  return isDate(value) && value.getTime() >= firstInstant && value.getTime() <= lastInstant;
}

/** `YYYY-MM-DDThh:mm:ss` of an instant at an offset. */
function wallClock(instant: Date, offsetMinutes: number): string {
  return new Date(instant.getTime() + offsetMinutes * minuteMs).toISOString().slice(0, 19);
}

/**
 * The text `YYYY-MM-DD hh:mm:ss`, for the Request-Time header and responseTime (specification: Authentication, Payment
 * response). It is assumed that hh counts 24 hours.
 */
export function requestTime(instant: Date, offsetMinutes: number): string {
  return wallClock(instant, offsetMinutes).replace('T', ' ');
}

/** A timestamp format. Callers pass a Date, or text in this format. */
export interface TimestampForm {
  readonly shape: RegExp;
  /** The format with an example, for messages. */
  readonly description: string;
  readonly write: (instant: Date) => string;
}

/** The format of invoiceDate (specification: Invoice upload request), and of the mock's uploadedAt. */
export const utcForm: TimestampForm = {
  shape: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  description: 'yyyy-MM-ddTHH:mm:ssZ, such as 2026-11-20T09:30:00Z',
  write: (instant) => `${wallClock(instant, 0)}Z`,
};

/** The format of every timestamp in a lender notification. */
export const lenderForm: TimestampForm = {
  shape: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+0700$/,
  description: 'yyyy-MM-ddTHH:mm:ss+0700, such as 2026-11-20T09:30:00+0700',
  write: (instant) => wallClock(instant, vietnamOffsetMinutes) + vietnamOffset.replace(':', ''),
};

/** The format of Request-Time and responseTime. Callers never pass text in this format. */
export const requestForm = { shape: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/ };

export const dayShape = /^\d{2}-\d{2}-\d{4}$/;

/** True if the text `YYYY-MM-DDThh:mm:ss` is a real date and time. `Date` converts 30 February to a different day. */
function isRealMoment(text: string): boolean {
  const instant = new Date(`${text}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** True if a text has this format and its first 19 characters are a real date and time. */
export function isTimestamp(text: string, { shape }: Pick<TimestampForm, 'shape'>): boolean {
  return shape.test(text) && isRealMoment(text.slice(0, 19).replace(' ', 'T'));
}

export function isCalendarDay(text: string): boolean {
  return dayShape.test(text) && isRealMoment(`${text.split('-').reverse().join('-')}T00:00:00`);
}
