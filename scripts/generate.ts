/** Writes generated files: `tsx scripts/generate.ts NAME`, with a name of `generated-files.ts`. */
import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.js';

const [, , name = ''] = process.argv;
for (const [path, write] of Object.entries(generatedFiles[name] ?? {})) await writeFile(path, await write());
