import type { Child } from 'hono/jsx';
import { requestTime, vietnamOffset, vietnamOffsetMinutes } from '../../protocol/timestamps.js';

const digits = new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 20 });

/** Writes an amount as in Vietnam, such as `12.000.000 ₫`, in every language of the page. */
export function dong(amount: number): string {
  return `${digits.format(amount)}\u00a0₫`;
}

export type Tone = 'good' | 'bad' | 'warn' | 'note' | 'plain';

/** A short text on a coloured background. */
export const badge = (tone: Tone, text: Child) => <span class={`badge ${tone}`}>{text}</span>;

/** A text of less importance; nothing if it is undefined. */
export const quiet = (text: Child) => text !== undefined && <span class="quiet">{text}</span>;

/** Writes a time in Vietnam, such as `20/11/2026 10:04:05`. */
function momentText(instant: Date): string {
  const [day = '', time] = requestTime(instant, vietnamOffsetMinutes).split(' ');
  return `${day.split('-').reverse().join('/')} ${time}`;
}

/** The date and time in Vietnam. */
export const moment = (at: Date | undefined) =>
  at && <time datetime={at.toISOString()}>{momentText(at)}</time>;

/** The date and time in Vietnam, with the offset. */
export const zonedMoment = (at: Date) => [moment(at), ` (${vietnamOffset})`];

/** The time of day in Vietnam, such as `10:04:05.123`, with which requests can be told apart. */
export const timeOfDay = (at: Date) => (
  <time datetime={at.toISOString()} title={`${momentText(at)} (${vietnamOffset})`}>
    {momentText(at).slice(-8) + at.toISOString().slice(-5, -1)}
  </time>
);

export type Attributes = Readonly<Record<string, string | undefined>>;

export const link = (href: string, text: Child, more: Attributes = {}) => (
  <a href={href} {...more}>
    {text}
  </a>
);

/** A name, its value, and the class of both. */
export type Fact = readonly [name: string, value: Child, kind?: string];

/** A list of names and values. Entries whose value is undefined are left out. */
export const facts = (of: readonly Fact[]) => (
  <dl class="facts">
    {of.map(
      ([name, value, kind]) =>
        value !== undefined && (
          <div class={kind}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
