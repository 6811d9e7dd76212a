import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { JournalEntry } from '../../state/journal-types.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { isShown } from './filters.js';
import type { Texts } from './forms.js';
import { requestRow } from './request-list.js';

const pauseMs = 50;
// A page that is further behind loads its list again.
const maxRows = 200;
const nothing = () => ({ rows: new Map<number, JournalEntry>(), isStale: false });

/**
 * Server-sent events, at most 20 a second; changes in between are collected for the next one. With filters, `rows` has the
 * requests that pass them and are new or have changed, and `stale` tells that the list is outdated. Anything else is
 * `changed`.
 */
export function changeEvents(context: Context, mock: MockControls, filters?: Texts): Response {
  // Hono answers HEAD by the route of GET, and nobody reads the stream.
  if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
  return streamSSE(context, async (stream) => {
    let notify: () => void = () => undefined;
    const nextChange = () => new Promise<void>((resolve) => (notify = resolve));
    let changed = nextChange();
    let collected = nothing();
    const unsubscribe = mock.subscribe(({ kind, ...change }) => {
      const { rows } = collected;
      if (filters && 'entry' in change && isShown(change.entry, filters))
        rows.set(change.entry.id, change.entry);
      if (kind === 'reset' || kind === 'cleared' || rows.size > maxRows) collected.isStale = true;
      if (collected.isStale) rows.clear();
      notify();
    });
    stream.onAbort(() => {
      unsubscribe();
      notify();
    });
    await stream.write('retry: 1000\n\n');
    while (!stream.aborted) {
      await changed;
      await stream.sleep(pauseMs);
      changed = nextChange();
      const { rows, isStale } = collected;
      collected = nothing();
      const event = rows.size > 0 ? 'rows' : isStale && filters ? 'stale' : 'changed';
      const markup = await Promise.all(
        Array.from(rows.values(), async (entry) => String(await requestRow(entry))),
      );
      await stream.writeSSE({ event, data: JSON.stringify(event === 'rows' ? markup : null) });
    }
  });
}
