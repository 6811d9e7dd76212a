import { writeFile } from 'node:fs/promises';
import { resultStatusesPage } from './result-statuses-page.js';

await writeFile('docs/result-statuses.md', await resultStatusesPage());
