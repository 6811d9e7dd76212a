import { showLink, stream } from './stream.js';
import { applyAsTyped } from './filters.js';
import { soon } from './timing.js';

const pauseMs = 200;

/** Fetches a part of a page again when something changed, unless it has the focus. */
export function liveRegion(region: HTMLElement): void {
  const isUsed = () => region.contains(document.activeElement);
  let outdated = false;
  const refresh = async () => {
    outdated = isUsed();
    if (outdated) return;
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    const fresh = page.getElementById(region.id);
    outdated = isUsed();
    if (!outdated && fresh && !fresh.isEqualNode(region)) region.replaceChildren(...fresh.childNodes);
  };
  const changed = soon(() => {
    refresh().catch(() => {
      showLink(false);
    });
  }, pauseMs);
  region.addEventListener('focusout', () => {
    if (outdated) changed();
  });
  const form = document.querySelector<HTMLFormElement>('[data-filters]');
  if (form) applyAsTyped(form, changed);
  stream({ url: () => '/_mock/ui/changes', on: { changed }, opened: changed });
}
