import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicApi } from './public-api.js';
import { root } from './support.js';

await writeFile(join(root, 'test/package/public-api.txt'), await publicApi(root));
