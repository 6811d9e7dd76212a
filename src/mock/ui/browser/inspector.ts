// What the inspector does beyond its links and forms, all of which work without it: the list of requests is live and
// goes on as one scrolls, other pages follow what changes, and commands can be copied.
import { copyButtons } from './copy-button.js';
import { liveList } from './live-list.js';
import { liveRegion } from './live-region.js';

for (const panel of document.querySelectorAll<HTMLElement>('[data-live-list]')) liveList(panel);
for (const region of document.querySelectorAll<HTMLElement>('[data-live-region]')) liveRegion(region);
copyButtons();
