import type { Child } from 'hono/jsx';
import { requestTime, vietnamOffset, vietnamOffsetMinutes } from '../../protocol/timestamps.js';

const digits = new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 20 });

/** `12.000.000 ₫`: an amount as it is written in Vietnam, in any language of the page. */
export function dong(amount: number): string {
  return `${digits.format(amount)}\u00a0₫`;
}

export type Tone = 'good' | 'bad' | 'warn' | 'note' | 'plain';

/** A word or two on a coloured ground. */
export const badge = (tone: Tone, text: Child) => <span class={`badge ${tone}`}>{text}</span>;

/** A text of less importance, if there is one. */
export const quiet = (text: Child) => text !== undefined && <span class="quiet">{text}</span>;

/** `20/11/2026 10:04:05` in Vietnam. */
function momentText(instant: Date): string {
  const [day = '', time] = requestTime(instant, vietnamOffsetMinutes).split(' ');
  return `${day.split('-').reverse().join('/')} ${time}`;
}

/** Day and time of day in Vietnam. */
export const moment = (at: Date | undefined) =>
  at && <time datetime={at.toISOString()}>{momentText(at)}</time>;

/** Day and time of day in Vietnam, with the offset. */
export const zonedMoment = (at: Date) => [moment(at), ` (${vietnamOffset})`];

/** `10:04:05.123` in Vietnam, to tell requests apart. */
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

/** A name, its value, and the class of the two. */
export type Fact = readonly [name: string, value: Child, kind?: string];

/** Names and values; those whose value is undefined are left out. */
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
