import { vietnamOffsetMinutes } from '../../../protocol/timestamps.js';

const vietnamMs = vietnamOffsetMinutes * 60_000;

/** Day and time of an instant in Vietnam: `20/11/2026` and `10:04:05.123`. */
function inVietnam(instant: Date): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = new Date(instant.getTime() + vietnamMs).toISOString().slice(0, -1).split('T');
  return { day: day.split('-').reverse().join('/'), time };
}

/** `20/11/2026 10:04:05` in Vietnam. */
export function momentText(instant: Date): string {
  const { day, time } = inVietnam(instant);
  return `${day} ${time.slice(0, 8)}`;
}

/** `10:04:05.123` in Vietnam. */
export function timeText(instant: Date): string {
  return inVietnam(instant).time;
}
