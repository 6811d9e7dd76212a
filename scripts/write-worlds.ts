import { writeFile } from 'node:fs/promises';
import { worldsPage } from './worlds-page.js';

await writeFile('docs/worlds.md', await worldsPage());
