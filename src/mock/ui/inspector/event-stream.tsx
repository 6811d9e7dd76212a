import type { Context } from 'hono';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { streamSSE } from 'hono/streaming';
import type { MockChange } from '../../state/changes.js';
import type { JournalEntry } from '../../state/journal-types.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { isShown } from './filters.js';
import type { Filters } from './forms.js';
import { RequestRow } from './request-list.js';

/** An event for a page: rows that are new or have changed; the list is outdated; anything else has changed. */
interface PageEvent {
  readonly event: 'rows' | 'stale' | 'changed';
  readonly rows: readonly JSX.Element[] | null;
}

/** Collects changes for the next event. */
interface Collector {
  add(change: MockChange): void;
  /** The event for everything since the last one. */
  drain(): PageEvent;
}

const pauseMs = 50;
// A page that is further behind loads its list again.
const maxRows = 200;

/** Sends the requests that pass the filters, as they arrive and as they complete. */
export function requestEvents(context: Context, mock: MockControls, filters: Filters): Response {
  const entries = new Map<number, JournalEntry>();
  let isStale = false;
  return eventResponse(context, mock, {
    add(change) {
      if (change.kind === 'reset' || change.kind === 'cleared') isStale = true;
      else if (change.kind === 'request' && isShown(change.entry, filters))
        entries.set(change.entry.id, change.entry);
      if (entries.size > maxRows) isStale = true;
      if (isStale) entries.clear();
    },
    drain() {
      const rows = Array.from(entries.values(), (entry) => <RequestRow entry={entry} />);
      const event: PageEvent =
        rows.length > 0 ? { event: 'rows', rows } : { event: isStale ? 'stale' : 'changed', rows: null };
      entries.clear();
      isStale = false;
      return event;
    },
  });
}

/** Sends an event when anything has changed. */
export function changeEvents(context: Context, mock: MockControls): Response {
  return eventResponse(context, mock, {
    add: () => undefined,
    drain: () => ({ event: 'changed', rows: null }),
  });
}

/** Server-sent events, at most 20 a second; changes in between are collected for the next one. */
function eventResponse(context: Context, mock: MockControls, collector: Collector): Response {
  // Hono answers HEAD by the route of GET, and nobody reads the stream.
  if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
  return streamSSE(context, async (stream) => {
    let notify: () => void = () => undefined;
    const nextChange = () => new Promise<void>((resolve) => (notify = resolve));
    let changed = nextChange();
    const unsubscribe = mock.subscribe((change) => {
      collector.add(change);
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
      const { event, rows } = collector.drain();
      const data = rows && (await Promise.all(rows.map(async (row) => String(await row))));
      await stream.writeSSE({ event, data: JSON.stringify(data) });
    }
  });
}
