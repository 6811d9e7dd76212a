import { html, type Markup } from './markup.js';

const vietnamMs = 7 * 60 * 60 * 1000;

/** An instant on Vietnam's clock as `YYYY-MM-DDThh:mm:ss.sss`. */
function vietnamTime(instant: Date): string {
  return new Date(instant.getTime() + vietnamMs).toISOString().slice(0, -1);
}

/** `20/11/2026 10:04:05` in Vietnam. */
export function momentText(instant: Date): string {
  const [day = '', time = ''] = vietnamTime(instant).split('T');
  return `${day.split('-').reverse().join('/')} ${time.slice(0, 8)}`;
}

/** A moment for reading: day and time of day in Vietnam. */
export function moment(instant: Date): Markup {
  return html`<time datetime="${instant.toISOString()}">${momentText(instant)}</time>`;
}

/** A moment for telling requests apart: time of day in Vietnam, with milliseconds. */
export function timeOfDay(instant: Date): Markup {
  const [, time = ''] = vietnamTime(instant).split('T');
  return html`<time datetime="${instant.toISOString()}" title="${momentText(instant)} (+07:00)"
    >${time}</time
  >`;
}

/** `1:02:03` or `14:59`: what is left of a time limit; days are hours. */
export function remaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${String(hours)}:${rest}` : rest;
}
