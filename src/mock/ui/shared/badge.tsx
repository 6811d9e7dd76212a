import type { PropsWithChildren } from 'hono/jsx';

export type Tone = 'good' | 'bad' | 'warn' | 'note' | 'plain';

/** A word or two on a coloured ground. */
export function Badge({ tone, children }: PropsWithChildren<{ readonly tone: Tone }>) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
