import { writeFile } from 'node:fs/promises';
import { openQuestionsPage } from './open-questions-page.js';

await writeFile('docs/open-questions.md', await openQuestionsPage());
