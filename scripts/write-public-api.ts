import { writeFile } from 'node:fs/promises';
import { publicApi } from './public-api.js';

await writeFile('test/package/public-api.txt', await publicApi(process.cwd()));
