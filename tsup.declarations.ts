/**
 * Makes the declarations of the ES modules lead to the declarations of CommonJS. Both say the same, and a copy is an eighth
 * of the package. Types are then one whichever way an entry is loaded.
 *
 * Runs after tsup, which writes the declarations last.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as {
  exports: Record<string, string | { import: { types: string } }>;
};
const entries = new Set(
  Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : join(entry.import.types))),
);

const declarations = (await readdir('dist', { recursive: true }))
  .filter((file) => file.endsWith('.d.ts'))
  .map((file) => join('dist', file));
for (const path of declarations) {
  const module = `./${basename(path, '.d.ts')}.cjs`;
  if (entries.has(path)) await writeFile(path, `export * from '${module}';\n`);
  // Shared by the entries of the other format.
  else await rm(path);
}
