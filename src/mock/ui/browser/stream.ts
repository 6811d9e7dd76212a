const linkState = document.querySelector<HTMLElement>('[data-link]');

/** Shows whether the page is connected to the mock. */
function showLink(on: boolean): void {
  if (!linkState) return;
  linkState.hidden = false;
  linkState.textContent = on ? 'Live' : 'Reconnecting';
  linkState.toggleAttribute('data-on', on);
}

/** Runs a task that asks the mock for something. */
export async function attempt(task: () => void | Promise<void>): Promise<void> {
  try {
    await task();
  } catch {
    showLink(false);
  }
}

/** Throttles a task: runs it so many milliseconds after the first call, once for all calls until then. */
export function soon(task: () => void | Promise<void>, milliseconds: number): () => void {
  let timer: number | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void attempt(task);
    }, milliseconds);
  };
}

/** Brings the header of the page up to date. */
const showStanding = soon(async () => {
  const answer = await fetch('/_mock/ui/standing');
  const standing = (await answer.json()) as Readonly<Record<string, string>>;
  for (const place of document.querySelectorAll<HTMLElement>('[data-standing]'))
    place.textContent = standing[place.dataset['standing'] ?? ''] ?? '';
}, 1000);

/** The names of all events; which of them matter depends on the page. */
const events = ['open', 'rows', 'stale', 'changed'] as const;
type Listeners = Readonly<Partial<Record<(typeof events)[number], (data: string) => void>>>;

/**
 * Listens to a stream of events, which is closed while the page is hidden: a browser has few connections to one server.
 * Returns a function that opens it again, at the address that it has by then.
 */
export function stream(url: () => string, on: Listeners): () => void {
  let source: EventSource | undefined;
  const start = () => {
    source?.close();
    if (document.hidden) return;
    const current = (source = new EventSource(url()));
    current.onerror = () => showLink(false);
    for (const name of events) {
      current.addEventListener(name, ({ data }: MessageEvent<string>) => {
        showLink(true);
        showStanding();
        on[name]?.(data);
      });
    }
  };
  document.addEventListener('visibilitychange', start);
  start();
  return start;
}
