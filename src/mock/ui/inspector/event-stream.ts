import type { JournalEntry } from '../../state/journal-types.js';
import type { MockService } from '../../types.js';
import { isShown, type RequestFilters } from './filters.js';
import { requestRow } from './request-list.js';

/** What a page is told: rows that are new or have changed, or that it should ask for everything again. */
type PageEvent =
  | { readonly event: 'rows'; readonly data: readonly string[] }
  | { readonly event: 'stale' | 'changed'; readonly data: null };

const pauseMs = 50;
// A page that lags behind so far does better to load its list again.
const mostRows = 200;
const mostChunks = 16;

/** Collects changes until it is time to tell of them. */
interface Collector {
  take(change: Parameters<Parameters<MockService['subscribe']>[0]>[0]): boolean;
  /** What is to be told, and forgotten with it. */
  drain(): PageEvent | undefined;
}

/** Rows of requests, as they arrive and as they complete. */
function rowCollector(filters: RequestFilters): Collector {
  const rows = new Map<number, JournalEntry>();
  let stale = false;
  return {
    take(change) {
      if (change.kind === 'reset') stale = true;
      else if (change.kind !== 'request' || !isShown(change.entry, filters)) return false;
      else rows.set(change.entry.id, change.entry);
      if (rows.size > mostRows) stale = true;
      if (stale) rows.clear();
      return true;
    },
    drain() {
      const entries = [...rows.values()];
      rows.clear();
      const event: PageEvent | undefined = stale
        ? { event: 'stale', data: null }
        : entries.length > 0
          ? { event: 'rows', data: entries.map((entry) => requestRow(entry).toString()) }
          : undefined;
      stale = false;
      return event;
    },
  };
}

/** The mere fact that something changed. */
function pulseCollector(): Collector {
  let changed = false;
  return {
    take: () => (changed = true),
    drain() {
      if (!changed) return undefined;
      changed = false;
      return { event: 'changed', data: null };
    },
  };
}

const encoder = new TextEncoder();

function encoded({ event, data }: PageEvent): Uint8Array<ArrayBuffer> {
  return encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/**
 * Server-sent events from a mock. Nothing is subscribed to before somebody reads, and changes that come together are
 * told together: however many requests arrive, a page hears of them twenty times a second at most.
 */
function eventStream(mock: MockService, collector: Collector): ReadableStream<Uint8Array> {
  let unsubscribe: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const flush = () => {
      timer = undefined;
      // A reader that does not keep up is told later, all at once.
      if ((controller.desiredSize ?? 0) < -mostChunks) schedule();
      else {
        const event = collector.drain();
        if (event) controller.enqueue(encoded(event));
      }
    };
    const schedule = () => {
      timer ??= setTimeout(flush, pauseMs).unref();
    };
    controller.enqueue(encoder.encode('retry: 1000\n\n'));
    return mock.subscribe((change) => {
      if (collector.take(change)) schedule();
    });
  };
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        unsubscribe ??= start(controller);
      },
      cancel() {
        unsubscribe?.();
        clearTimeout(timer);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Tells of requests that the filters let through. */
export function requestStream(mock: MockService, filters: RequestFilters): ReadableStream<Uint8Array> {
  return eventStream(mock, rowCollector(filters));
}

/** Tells that something changed, whatever it is. */
export function changeStream(mock: MockService): ReadableStream<Uint8Array> {
  return eventStream(mock, pulseCollector());
}
