// Links and forms work without this script. It keeps the list of requests live, loads older ones on scrolling, updates
// the other pages when something changes, and copies commands.
import { copyButtons } from './copy-button.js';
import { liveList } from './live-list.js';
import { liveRegion } from './live-region.js';

for (const panel of document.querySelectorAll<HTMLElement>('[data-live-list]')) liveList(panel);
for (const region of document.querySelectorAll<HTMLElement>('[data-live-region]')) liveRegion(region);
copyButtons();
