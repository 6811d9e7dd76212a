// Written from ui/browser by test/mock/pages-scripts.test.ts, which says how.

/** The scripts of the pages, by the names under which they are served. */
export const scripts: Readonly<Record<string, string>> = {
  'copy-button.js': `const saidMs = 1000;
export function copyButton(button, source) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button, source));
}
async function copy(button, source) {
    const label = button.textContent;
    try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = 'Copied';
    }
    catch {
        getSelection()?.selectAllChildren(source);
        button.textContent = 'Selected';
    }
    setTimeout(() => {
        button.textContent = label;
    }, saidMs);
}
`,
  'inspector.js': `import { copyButton } from './copy-button.js';
import { liveList } from './live-list.js';
import { liveRegion } from './live-region.js';
for (const panel of document.querySelectorAll('[data-live-list]'))
    liveList(panel);
for (const region of document.querySelectorAll('[data-live-region]'))
    liveRegion(region);
for (const button of document.querySelectorAll('[data-copy]')) {
    const source = document.getElementById(button.dataset['copy'] ?? '');
    if (source)
        copyButton(button, source);
}
`,
  'live-list.js': `import { showLink, stream } from './stream.js';
import { afterQuiet, soon } from './timing.js';
const listed = 5000;
const typingMs = 200;
const announceMs = 1000;
const announcer = document.querySelector('[data-announce]');
function parsed(markup) {
    const template = document.createElement('template');
    template.innerHTML = markup;
    return template.content;
}
function idOf(row) {
    return Number(row.getAttribute('data-id'));
}
function upsert(list, row) {
    const id = idOf(row);
    let next = list.firstElementChild;
    while (next && idOf(next) > id)
        next = next.nextElementSibling;
    if (!next || idOf(next) !== id) {
        list.insertBefore(row, next);
        return true;
    }
    if (next.isEqualNode(row))
        return false;
    const focused = next.contains(document.activeElement);
    next.replaceWith(row);
    if (focused)
        row.querySelector('a')?.focus();
    return false;
}
export function liveList(panel) {
    const list = panel.querySelector('[data-requests]');
    const form = document.querySelector('[data-filters]');
    if (!list || !form)
        return;
    form.querySelector('button')?.remove();
    const query = () => {
        const filled = [...new FormData(form)].filter((field) => typeof field[1] === 'string' && field[1] !== '');
        return new URLSearchParams(filled).toString();
    };
    const load = async (search) => parsed(await (await fetch(\`/_mock/ui/rows?\${search}\`)).text());
    let turn = Promise.resolve();
    const inTurn = (task) => {
        turn = turn.then(task).catch(() => {
            showLink(false);
        });
    };
    let unannounced = 0;
    const announce = soon(() => {
        if (announcer)
            announcer.textContent = \`\${String(unannounced)} new \${unannounced === 1 ? 'request' : 'requests'}\`;
        unannounced = 0;
    }, announceMs);
    const older = () => panel.querySelector('[data-older]');
    const putRows = (rows) => {
        for (const row of rows) {
            if (upsert(list, row))
                unannounced += 1;
        }
        while (list.children.length > listed)
            list.lastElementChild?.remove();
        if (unannounced > 0)
            announce();
    };
    const reload = (whole) => {
        inTurn(async () => {
            const fresh = await load(query());
            const rows = fresh.querySelector('[data-requests]')?.children ?? [];
            if (!whole) {
                putRows([...rows]);
                return;
            }
            list.replaceChildren(...rows);
            const [next, nothing] = ['[data-older]', '[data-empty]'].map((part) => fresh.querySelector(part));
            if (next)
                watch(next);
            if (nothing)
                panel.querySelector('[data-empty]')?.replaceWith(nothing);
        });
    };
    const nearEnd = new IntersectionObserver((changes) => {
        if (changes.at(-1)?.isIntersecting)
            inTurn(loadOlder);
    }, { rootMargin: '0px 0px 1200px' });
    const watch = (next) => {
        nearEnd.disconnect();
        older()?.replaceWith(next);
        if (next.querySelector('a'))
            nearEnd.observe(next);
    };
    const loadOlder = async () => {
        const link = older()?.querySelector('a');
        const last = list.lastElementChild;
        if (!link || !last || list.children.length >= listed)
            return;
        const search = new URLSearchParams(query());
        search.set('before', String(idOf(last)));
        const fresh = await load(search.toString());
        list.append(...(fresh.querySelector('[data-requests]')?.children ?? []));
        const next = fresh.querySelector('[data-older]');
        if (next)
            watch(next);
    };
    const first = older();
    if (first?.querySelector('a'))
        nearEnd.observe(first);
    const live = stream({
        url: () => \`/_mock/ui/events?\${query()}\`,
        on: {
            rows: (data) => {
                const markup = data.join('');
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
    const filter = afterQuiet(() => {
        history.replaceState(null, '', \`/_mock?\${query()}\`);
        reload(true);
        live.restart();
    }, typingMs);
    form.addEventListener('input', filter);
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        filter();
    });
    list.addEventListener('keydown', (event) => {
        const { key } = event;
        const row = document.activeElement?.closest('li');
        const target = key === 'ArrowDown' ? row?.nextElementSibling : key === 'ArrowUp' ? row?.previousElementSibling : null;
        if (!target)
            return;
        event.preventDefault();
        target.querySelector('a')?.focus();
    });
}
`,
  'live-region.js': `import { showLink, stream } from './stream.js';
import { soon } from './timing.js';
const pauseMs = 200;
export function liveRegion(region) {
    const isUsed = () => region.contains(document.activeElement);
    let outdated = false;
    const refresh = async () => {
        outdated = isUsed();
        if (outdated)
            return;
        const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
        const fresh = page.getElementById(region.id);
        outdated = isUsed();
        if (!outdated && fresh && !fresh.isEqualNode(region))
            region.replaceChildren(...fresh.childNodes);
    };
    const changed = soon(() => {
        refresh().catch(() => {
            showLink(false);
        });
    }, pauseMs);
    region.addEventListener('focusout', () => {
        if (outdated)
            changed();
    });
    stream({ url: () => '/_mock/ui/changes', on: { changed }, opened: changed });
}
`,
  'payment.js': `const clock = document.querySelector('[data-left]');
if (clock) {
    const end = performance.now() + Number(clock.dataset['left']);
    const lowMs = 60_000;
    const two = (value) => String(value).padStart(2, '0');
    const tick = () => {
        const left = end - performance.now();
        if (left <= 0) {
            clearInterval(timer);
            location.reload();
            return;
        }
        const seconds = Math.ceil(left / 1000);
        const hours = Math.floor(seconds / 3600);
        const rest = \`\${two(Math.floor(seconds / 60) % 60)}:\${two(seconds % 60)}\`;
        clock.textContent = hours > 0 ? \`\${String(hours)}:\${rest}\` : rest;
        clock.toggleAttribute('data-low', left < lowMs);
    };
    const timer = setInterval(tick, 1000);
}
export {};
`,
  'stream.js': `const linkState = document.querySelector('[data-link]');
export function showLink(on) {
    if (!linkState)
        return;
    linkState.hidden = false;
    linkState.textContent = on ? 'Live' : 'Reconnecting';
    linkState.toggleAttribute('data-on', on);
}
export function stream({ url, on, opened }) {
    let source;
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
        if (document.hidden)
            stop();
        else
            start();
    });
    addEventListener('pagehide', stop);
    addEventListener('pageshow', ({ persisted }) => {
        if (persisted)
            start();
    });
    start();
    return { restart: start };
}
`,
  'timing.js': `export function afterQuiet(task, milliseconds) {
    let timer;
    return () => {
        clearTimeout(timer);
        timer = setTimeout(task, milliseconds);
    };
}
export function soon(task, milliseconds) {
    let timer;
    return () => {
        timer ??= setTimeout(() => {
            timer = undefined;
            task();
        }, milliseconds);
    };
}
`,
};
