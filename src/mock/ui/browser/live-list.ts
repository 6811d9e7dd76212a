import { applyAsTyped, queryOf } from './filters.js';
import { showLink, stream } from './stream.js';
import { soon } from './timing.js';

/** Rows that a page holds at most. */
const listed = 5000;
const announceMs = 1000;

const announcer = document.querySelector<HTMLElement>('[data-announce]');

/** The server escapes whatever it puts into markup; this only gives it a tree. */
function parsed(markup: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = markup;
  return template.content;
}

function idOf(row: Element): number {
  return Number(row.getAttribute('data-id'));
}

/** Inserts a row in the order of the numbers, or replaces its earlier version. Returns true for a new row. */
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

/** Keeps the list of requests up to date: new rows, older rows on scrolling, and the filters. */
export function liveList(panel: HTMLElement): void {
  const list = panel.querySelector('[data-requests]');
  const form = document.querySelector<HTMLFormElement>('[data-filters]');
  if (!list || !form) return;
  const query = () => queryOf(form);
  const load = async (search: string) => parsed(await (await fetch(`/_mock/ui/rows?${search}`)).text());
  // In order: rows that arrive while a list loads are put into that list.
  let turn = Promise.resolve();
  const inTurn = (task: () => void | Promise<void>) => {
    turn = turn.then(task).catch(() => {
      showLink(false);
    });
  };

  let unannounced = 0;
  const announce = soon(() => {
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
      // Several changes can come together; the last one is current.
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

  applyAsTyped(form, () => {
    reload(true);
    live.restart();
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
