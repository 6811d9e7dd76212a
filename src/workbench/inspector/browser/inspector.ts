// Links and forms work without this script. It keeps the page up to date, and copies texts.
import { copyButtons } from './copy-button.js';
import { followChanges } from './live-page.js';

followChanges();
copyButtons();
