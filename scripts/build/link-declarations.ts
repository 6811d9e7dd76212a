/**
 * Makes the declarations of the ES modules lead to the declarations of CommonJS. Both say the same, and a copy is an eighth
 * of the package. Types are then one whichever way an entry is loaded.
 *
 * Runs after tsup, which puts the declarations of the sources together in dist/cjs, and removes those.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { entries } from './entries.js';

await rm('dist/.declarations', { recursive: true });

/**
 * MSW's classes have protected members, so its types for one format are not its types for the other: this entry has
 * declarations in each. The types of zod and OpenTelemetry are the same in both, which the tests of the compilers show.
 */
const differsByFormat = 'mock/msw';

for (const name of Object.keys(entries)) {
  const path = `dist/esm/${name}.d.ts`;
  const toCommonJs = relative(dirname(path), 'dist/cjs');
  const stub = `export * from '${toCommonJs}/${name}.js';\n`;
  const ofCommonJs = await readFile(`dist/cjs/${name}.d.ts`, 'utf8');
  await writeFile(path, name === differsByFormat ? ofCommonJs.replaceAll("'../", `'${toCommonJs}/`) : stub);
}
