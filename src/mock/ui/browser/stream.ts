const linkState = document.querySelector<HTMLElement>('[data-link]');

/** Says whether the page hears from the mock. */
export function showLink(on: boolean): void {
  if (!linkState) return;
  linkState.hidden = false;
  linkState.textContent = on ? 'Live' : 'Reconnecting';
  linkState.toggleAttribute('data-on', on);
}

interface StreamOptions {
  readonly url: () => string;
  readonly on: Readonly<Record<string, (data: unknown) => void>>;
  readonly opened: (again: boolean) => void;
}

/** A stream of events that rests while nobody looks: a browser has few connections to one server. */
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
    for (const [name, listener] of Object.entries(on)) {
      current.addEventListener(name, ({ data }) => {
        listener(JSON.parse(String(data)));
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
