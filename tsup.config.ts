import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { transform, type Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { builtPath, entries } from './scripts/entries.js';

/**
 * Entries that share little with the others, and so get a copy of that. In one build there is a file for each set of entries
 * that share something: with these, an import of the main entry loads twice as many and takes a fifth longer.
 */
const apart = new Set(['mock/remote', 'webhooks']);

const sources = entries.map(([specifier, source]) => [builtPath(specifier), source] as const);
const together = Object.fromEntries(sources.filter(([name]) => !apart.has(name)));
const alone = sources.filter(([name]) => apart.has(name)).map(([name, source]) => ({ [name]: source }));

/**
 * In place of what form-data requires. It is CommonJS: a `require` of a module of Node would stay in the ES modules, where it
 * throws. Here a file is in memory, its type and the boundary are given, so that three modules are used, by these names.
 */
const standIns: Readonly<Record<string, string>> = {
  path: "export { basename, normalize } from 'node:path';",
  stream: "export { Stream } from 'node:stream';",
  util: "export { inherits } from 'node:util';",
  ...Object.fromEntries(['crypto', 'fs', 'http', 'https', 'url'].map((name) => [name, 'export {};'])),
  // It evaluates text as code, which Workers refuse.
  'es-set-tostringtag':
    'module.exports = (object, value) => Object.defineProperty(object, Symbol.toStringTag, { value, configurable: true });',
  // 190 kB.
  'mime-types': 'export const lookup = () => false;',
};

const formDataImports: Plugin = {
  name: 'form-data-imports',
  setup: (build) => {
    build.onResolve({ filter: /^[a-z-]+$/ }, ({ path, kind }) => {
      if (kind !== 'require-call') return undefined;
      if (path in standIns) return { path, namespace: 'stand-in' };
      return isBuiltin(path) ? { errors: [{ text: `a require of ${path} needs a stand-in` }] } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'stand-in' }, ({ path }) => ({ contents: standIns[path] ?? '' }));
  },
};

const bundled = new Map<string, string>();

/** Ships the licenses of the packages that are bundled by any of the builds. */
const licenses: Plugin = {
  name: 'licenses',
  setup: (build) => {
    build.onEnd(({ metafile }) => {
      for (const path of Object.keys(metafile?.inputs ?? {})) {
        // A package can be inside another.
        const [folder, name] = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
        if (folder !== undefined && name !== undefined) bundled.set(name, folder);
      }
      const texts = [...bundled].sort().map(([name, folder]) => {
        const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
        if (file === undefined) throw new Error(`${name} is bundled, and its license cannot be found`);
        const text = readFileSync(`${folder}/${file}`, 'utf8').trim();
        return `${name}\n${'='.repeat(name.length)}\n\n${text}\n`;
      });
      mkdirSync('dist', { recursive: true });
      writeFileSync('dist/THIRD-PARTY-LICENSES.txt', texts.join('\n\n'));
    });
  },
};

/** In place of tsup's own, which makes helpers of `?.`, `??` and class fields: nobody could debug them. */
const commonJs: NonNullable<Options['plugins']>[number] = {
  name: 'common-js',
  async renderChunk(code) {
    const { code: converted } = await transform(code, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      banner: "'use strict';",
    });
    return { code: converted };
  },
};

const modules: Options = {
  format: 'esm',
  target: 'node20',
  noExternal: ['form-data', /^zod/],
  esbuildPlugins: [formDataImports, licenses],
};
const required: Options = {
  ...modules,
  // ky is an ES module only: a require of it fails on Node 20 and under Jest.
  noExternal: [...(modules.noExternal ?? []), 'ky'],
  plugins: [commonJs],
  outExtension: () => ({ js: '.cjs' }),
};

export default defineConfig([
  { ...modules, entry: { ...together, cli: 'src/workbench/cli/main.ts' } },
  { ...required, entry: together },
  ...alone.flatMap((entry) => [
    { ...modules, entry },
    { ...required, entry },
  ]),
  {
    entry: Object.fromEntries(sources),
    format: ['esm', 'cjs'],
    // Of the Standard Schema, types only, and few: a package for them would be one more in every install.
    dts: { only: true, resolve: ['@standard-schema/spec'] },
  },
]);
