import { defineConfig } from 'tsup';
import { entries } from './scripts/build/entries.js';

/** The declarations of the entries, put together from those that `tsconfig.declarations.json` has written for each source. */
export default defineConfig({
  entry: Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [
      name,
      path.replace(/^src\/(.*)\.ts$/, 'dist/.declarations/$1.d.ts'),
    ]),
  ),
  format: 'esm',
  outDir: 'dist/cjs',
  // Types only, and few: a package for them would be one more in every install.
  dts: { only: true, resolve: ['@standard-schema/spec'] },
});
