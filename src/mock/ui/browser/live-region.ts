import { filtersAsTyped } from './filters.js';
import { soon, stream } from './stream.js';

/** Fetches a part of a page again when something changed, unless it has the focus. */
export function liveRegion(region: HTMLElement): void {
  const isUsed = () => region.contains(document.activeElement);
  let outdated = false;
  const changed = soon(async () => {
    outdated = isUsed();
    if (outdated) return;
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    const fresh = page.getElementById(region.id);
    outdated = isUsed();
    if (!outdated && fresh && !fresh.isEqualNode(region)) region.replaceChildren(...fresh.childNodes);
  }, 200);
  region.addEventListener('focusout', () => {
    if (outdated) changed();
  });
  filtersAsTyped(changed);
  stream(() => '/_mock/ui/changes', { changed, open: changed });
}
