import { requestTime, vietnamOffsetMinutes } from '../../../protocol/timestamps.js';

/** `20/11/2026 10:04:05` in Vietnam. */
export function momentText(instant: Date): string {
  const [day = '', time] = requestTime(instant, vietnamOffsetMinutes).split(' ');
  return `${day.split('-').reverse().join('/')} ${time}`;
}

/** `10:04:05.123` in Vietnam. */
export function timeText(instant: Date): string {
  return momentText(instant).slice(-8) + instant.toISOString().slice(-5, -1);
}
