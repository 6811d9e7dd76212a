// What the inspector does beyond its links and forms, all of which work without it: the list of requests is live and
// goes on as one scrolls, other pages follow what changes, and commands can be copied.
const listed = 5000;
const settleMs = 200;
const announceMs = 1000;

const linkState = document.querySelector<HTMLElement>('[data-link]');
const announcer = document.querySelector<HTMLElement>('[data-announce]');

function showLink(on: boolean): void {
  if (!linkState) return;
  linkState.hidden = false;
  linkState.textContent = on ? 'Live' : 'Reconnecting';
  linkState.toggleAttribute('data-on', on);
}

/** Runs a task once things have been quiet for a moment. */
function later(task: () => void, milliseconds = settleMs): () => void {
  let timer: number | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, milliseconds);
  };
}

/** The server escapes whatever it puts into markup; this only gives it a tree. */
function parsed(markup: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = markup;
  return template.content;
}

interface StreamOptions {
  readonly url: () => string;
  readonly on: Readonly<Record<string, (data: unknown) => void>>;
  readonly opened: (again: boolean) => void;
}

/** A stream of events that rests while nobody looks: a browser has few connections to one server. */
function stream({ url, on, opened }: StreamOptions): { restart: () => void } {
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

function idOf(row: Element): number {
  return Number(row.getAttribute('data-id'));
}

/** Puts a row where its number belongs, in place of its earlier self where there is one. */
function upsert(list: Element, row: Element): boolean {
  const id = idOf(row);
  let next = list.firstElementChild;
  while (next && idOf(next) > id) next = next.nextElementSibling;
  if (!next || idOf(next) !== id) {
    list.insertBefore(row, next);
    return true;
  }
  if (next.isEqualNode(row)) return false;
  const focused = next.contains(document.activeElement);
  next.replaceWith(row);
  if (focused) row.querySelector('a')?.focus();
  return false;
}

function liveList(panel: HTMLElement): void {
  const list = panel.querySelector('[data-requests]');
  const form = document.querySelector<HTMLFormElement>('[data-filters]');
  if (!list || !form) return;
  // Filters apply as they change.
  form.querySelector('button')?.remove();
  const query = () => {
    const filled = [...new FormData(form)].filter(
      (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
    );
    return new URLSearchParams(filled).toString();
  };
  const load = async (search: string) => parsed(await (await fetch(`/_mock/ui/rows?${search}`)).text());
  // One thing after the other: rows that arrive while a list loads are put into that list.
  let turn = Promise.resolve();
  const inTurn = (task: () => void | Promise<void>) => {
    turn = turn.then(task).catch(() => {
      showLink(false);
    });
  };

  let unannounced = 0;
  const announce = later(() => {
    if (announcer)
      announcer.textContent = `${String(unannounced)} new ${unannounced === 1 ? 'request' : 'requests'}`;
    unannounced = 0;
  }, announceMs);

  const older = () => panel.querySelector('[data-older]');
  const putRows = (rows: Iterable<Element>) => {
    for (const row of rows) {
      if (upsert(list, row)) unannounced += 1;
    }
    while (list.children.length > listed) list.lastElementChild?.remove();
    if (unannounced > 0) announce();
  };
  const reload = (whole: boolean) => {
    inTurn(async () => {
      const fresh = await load(query());
      const rows = fresh.querySelector('[data-requests]')?.children ?? [];
      if (!whole) {
        putRows([...rows]);
        return;
      }
      list.replaceChildren(...rows);
      const [next, nothing] = ['[data-older]', '[data-empty]'].map((part) => fresh.querySelector(part));
      if (next) watch(next);
      if (nothing) panel.querySelector('[data-empty]')?.replaceWith(nothing);
    });
  };

  // The link to older requests follows itself when it comes near.
  const nearEnd = new IntersectionObserver(
    (changes) => {
      // Several changes can come together; the last is how things stand.
      if (changes.at(-1)?.isIntersecting) inTurn(loadOlder);
    },
    { rootMargin: '0px 0px 1200px' },
  );
  const watch = (next: Element) => {
    nearEnd.disconnect();
    older()?.replaceWith(next);
    if (next.querySelector('a')) nearEnd.observe(next);
  };
  const loadOlder = async () => {
    const link = older()?.querySelector('a');
    const last = list.lastElementChild;
    if (!link || !last || list.children.length >= listed) return;
    const search = new URLSearchParams(query());
    search.set('before', String(idOf(last)));
    const fresh = await load(search.toString());
    list.append(...(fresh.querySelector('[data-requests]')?.children ?? []));
    const next = fresh.querySelector('[data-older]');
    if (next) watch(next);
  };
  const first = older();
  if (first?.querySelector('a')) nearEnd.observe(first);

  const live = stream({
    url: () => `/_mock/ui/events?${query()}`,
    on: {
      rows: (data) => {
        const markup = (data as string[]).join('');
        inTurn(() => {
          putRows([...parsed(markup).children]);
        });
      },
      stale: () => {
        reload(true);
      },
    },
    opened: reload,
  });

  const filter = later(() => {
    history.replaceState(null, '', `/_mock?${query()}`);
    reload(true);
    live.restart();
  });
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
  });

  list.addEventListener('keydown', (event) => {
    const { key } = event as KeyboardEvent;
    const row = document.activeElement?.closest('li');
    const target =
      key === 'ArrowDown' ? row?.nextElementSibling : key === 'ArrowUp' ? row?.previousElementSibling : null;
    if (!target) return;
    event.preventDefault();
    target.querySelector('a')?.focus();
  });
}

/** A part of a page that is fetched anew when something changed, but never under the hands of whoever uses it. */
function liveRegion(region: HTMLElement): void {
  const refresh = async () => {
    if (region.contains(document.activeElement)) {
      region.addEventListener(
        'focusout',
        later(() => void refresh()),
        { once: true },
      );
      return;
    }
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    const fresh = page.getElementById(region.id);
    if (fresh && !fresh.isEqualNode(region)) region.replaceChildren(...fresh.childNodes);
  };
  const changed = later(
    () =>
      void refresh().catch(() => {
        showLink(false);
      }),
  );
  stream({ url: () => '/_mock/ui/changes', on: { changed }, opened: changed });
}

async function copy(button: HTMLButtonElement, source: HTMLElement): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // No clipboard outside a secure context: leave the text ready to be copied by hand.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = label;
  }, announceMs);
}

for (const panel of document.querySelectorAll<HTMLElement>('[data-live-list]')) liveList(panel);
for (const region of document.querySelectorAll<HTMLElement>('[data-live-region]')) liveRegion(region);
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  const source = document.getElementById(button.dataset['copy'] ?? '');
  if (!source) continue;
  button.hidden = false;
  button.addEventListener('click', () => void copy(button, source));
}

export {};
