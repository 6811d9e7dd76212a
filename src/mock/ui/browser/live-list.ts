import { filterQuery, filtersAsTyped } from './filters.js';
import { attempt, soon, stream } from './stream.js';

/** Rows that a page holds at most. */
const listed = 5000;

const announcer = document.querySelector<HTMLElement>('[data-announce]');

/** The server escapes whatever it puts into markup; this only gives it a tree. */
function parsed(markup: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = markup;
  return template.content;
}

const idOf = (row: Element) => Number(row.getAttribute('data-id'));

/** Inserts a row in the order of the numbers, or replaces its earlier version. Returns true for a new row. */
function upsert(list: Element, row: Element): boolean {
  const id = idOf(row);
  let next = list.firstElementChild;
  while (next && idOf(next) > id) next = next.nextElementSibling;
  if (!next || idOf(next) !== id) {
    list.insertBefore(row, next);
    return true;
  }
  const focused = next.contains(document.activeElement);
  next.replaceWith(row);
  if (focused) row.querySelector('a')?.focus();
  return false;
}

/** Keeps the list of requests up to date: new rows, older rows on scrolling, and the filters. */
export function liveList(panel: HTMLElement): void {
  const listIn = (part: ParentNode) => part.querySelector('[data-requests]') ?? panel;
  const olderIn = (part: ParentNode) => part.querySelector('[data-older]') ?? panel;
  const load = async (query: string) => {
    const answer = await fetch(`/_mock/ui/rows?${query}`);
    if (!answer.ok) throw new Error(answer.statusText);
    return parsed(await answer.text());
  };
  // In order: rows that arrive while a list loads are put into that list.
  let turn = Promise.resolve();
  const inTurn = (task: () => void | Promise<void>) => {
    turn = turn.then(() => attempt(task));
  };

  // The link to older requests follows itself when it comes near.
  const nearEnd = new IntersectionObserver(
    (changes) => {
      // Several changes can come together; the last one is current.
      if (changes.at(-1)?.isIntersecting) inTurn(loadOlder);
    },
    { rootMargin: '0px 0px 1200px' },
  );
  const watch = () => {
    nearEnd.disconnect();
    if (olderIn(panel).querySelector('a')) nearEnd.observe(olderIn(panel));
  };
  const loadOlder = async () => {
    const link = olderIn(panel).querySelector('a');
    const list = listIn(panel);
    if (!link || list.children.length >= listed) return;
    const fresh = await load(link.search.slice(1));
    list.append(...listIn(fresh).children);
    olderIn(panel).replaceWith(olderIn(fresh));
    watch();
  };
  const reload = () =>
    inTurn(async () => {
      const fresh = await load(filterQuery());
      const isSame = [...fresh.children].every((part, index) =>
        part.isEqualNode(panel.children[index] ?? null),
      );
      if (!isSame) panel.replaceChildren(fresh);
      watch();
    });

  let unannounced = 0;
  const announce = soon(() => {
    const noun = unannounced === 1 ? 'request' : 'requests';
    if (announcer && unannounced > 0) announcer.textContent = `${unannounced} new ${noun}`;
    unannounced = 0;
  }, 1000);
  const putRows = (rows: Iterable<Element>) => {
    const list = listIn(panel);
    for (const row of rows) if (upsert(list, row)) unannounced += 1;
    while (list.children.length > listed) list.lastElementChild?.remove();
    announce();
  };

  const restart = stream(() => `/_mock/ui/events?${filterQuery()}`, {
    open: reload,
    stale: reload,
    rows: (data) => inTurn(() => putRows([...parsed((JSON.parse(data) as string[]).join('')).children])),
  });
  filtersAsTyped(restart);

  panel.addEventListener('keydown', (event) => {
    const row = document.activeElement?.closest('li');
    const neighbours = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling };
    const target = neighbours[event.key as keyof typeof neighbours];
    if (!target) return;
    event.preventDefault();
    target.querySelector('a')?.focus();
  });
}
