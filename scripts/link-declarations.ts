/**
 * Makes the declarations of the ES modules lead to the declarations of CommonJS. Both say the same, and a copy is an eighth
 * of the package. Types are then one whichever way an entry is loaded.
 *
 * Runs after tsup, which puts the declarations of the sources together last, and removes those.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

await rm('dist/.declarations', { recursive: true });

const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as {
  exports: Record<string, string | { import: { types: string } }>;
};
const entries = new Set(
  Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : join(entry.import.types))),
);

/**
 * MSW's classes have protected members, so its types for one format are not its types for the other: this entry keeps
 * declarations of its own. The types of zod and OpenTelemetry are the same in both, which the tests of the compilers show.
 */
const differsByFormat = /^import .* from 'msw'/m;

const declarations = (await readdir('dist', { recursive: true }))
  .filter((file) => file.endsWith('.d.ts'))
  .map((file) => join('dist', file));
for (const path of declarations) {
  if (!entries.has(path)) {
    // Shared by the entries of this format.
    await rm(path);
    continue;
  }
  const ofCommonJs = await readFile(path.replace(/\.d\.ts$/, '.d.cts'), 'utf8');
  const stub = `export * from './${basename(path, '.d.ts')}.cjs';\n`;
  await writeFile(path, differsByFormat.test(ofCommonJs) ? ofCommonJs : stub);
}
