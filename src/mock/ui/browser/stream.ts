import { soon } from './timing.js';

const linkState = document.querySelector<HTMLElement>('[data-link]');

/** Shows whether the page is connected to the mock. */
export function showLink(on: boolean): void {
  if (!linkState) return;
  linkState.hidden = false;
  linkState.textContent = on ? 'Live' : 'Reconnecting';
  linkState.toggleAttribute('data-on', on);
}

const standingMs = 1000;

/** Brings the header of the page up to date. */
const showStanding = soon(() => {
  fetch('/_mock/ui/standing')
    .then((answer) => answer.json())
    .then((standing: Readonly<Record<string, string>>) => {
      for (const place of document.querySelectorAll<HTMLElement>('[data-standing]'))
        place.textContent = standing[place.dataset['standing'] ?? ''] ?? '';
    })
    .catch(() => {
      showLink(false);
    });
}, standingMs);

/** The names of all events; which of them matter depends on the page. */
const events = ['rows', 'stale', 'changed'] as const;

interface StreamOptions {
  readonly url: () => string;
  readonly on: Readonly<Partial<Record<(typeof events)[number], (data: unknown) => void>>>;
  readonly opened: (again: boolean) => void;
}

/** A stream of events, closed while the page is hidden: a browser has few connections to one server. */
export function stream({ url, on, opened }: StreamOptions): { restart: () => void } {
  let source: EventSource | undefined;
  let again = false;
  const stop = () => source?.close();
  const start = () => {
    stop();
    const current = (source = new EventSource(url()));
    current.onopen = () => {
      showLink(true);
      opened(again);
      again = true;
    };
    current.onerror = () => {
      showLink(false);
    };
    for (const name of events) {
      current.addEventListener(name, ({ data }: MessageEvent) => {
        showStanding();
        on[name]?.(JSON.parse(String(data)));
      });
    }
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) stop();
    else start();
  });
  addEventListener('pagehide', stop);
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) start();
  });
  start();
  return { restart: start };
}
