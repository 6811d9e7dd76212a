import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBuiltin } from 'node:module';
import { transform, type Metafile, type Plugin } from 'esbuild';
import { defineConfig } from 'tsup';

// What is imported, by the names in package.json's exports.
const entries = {
  index: 'src/index.ts',
  bullmq: 'src/bullmq/index.ts',
  lender: 'src/lender/index.ts',
  'mock/index': 'src/mock/index.ts',
  'mock/msw': 'src/mock/adapters/msw.ts',
  'mock/remote': 'src/mock/remote/index.ts',
  opentelemetry: 'src/opentelemetry/index.ts',
  webhooks: 'src/webhooks/index.ts',
};

/** The folders of the packages whose code is in the bundle, as in `node_modules/ky`. */
function foldersIn({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.map(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] : undefined,
  );
  return [...new Set(folders)].filter((folder) => folder !== undefined);
}

async function licenseOf(folder: string): Promise<string> {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled, and its license cannot be found`);
  const text = await readFile(join(folder, file), 'utf8');
  return `${name}\n${'='.repeat(name.length)}\n\n${text.trim()}\n`;
}

// Of both formats; whichever build is last writes the list.
const bundled = new Set<string>();

/** Ships the licenses of bundled packages. */
const bundledPackages: Plugin = {
  name: 'bundled-packages',
  setup(build) {
    build.onEnd(async ({ metafile }) => {
      if (!metafile) throw new Error('the list of what is bundled is missing');
      for (const folder of foldersIn(metafile)) bundled.add(folder);
      const licenses = await Promise.all([...bundled].sort().map(licenseOf));
      await mkdir('dist', { recursive: true });
      await writeFile('dist/THIRD-PARTY-LICENSES.txt', licenses.join('\n\n'));
    });
  },
};

// form-data asks for the type of a file that comes without one. Ours never does, and the table is 180 kB.
const noMimeTable: Plugin = {
  name: 'no-mime-table',
  setup(build) {
    build.onResolve({ filter: /^mime-types$/ }, ({ path }) => ({ path, namespace: 'no-mime-table' }));
    build.onLoad({ filter: /.*/, namespace: 'no-mime-table' }, () => ({
      contents: 'exports.lookup = () => false;',
    }));
  },
};

/**
 * Turns a bundled package's `require` of a module of Node into an import. esbuild leaves such a call in an ES module,
 * where it throws: a merchant who bundles a backend once more would meet that.
 */
const importBuiltins: Plugin = {
  name: 'import-builtins',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    // Named one by one: ncc loses an `export *` of a module of Node.
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const all = ((await import(path)) as { default: object }).default;
      const functions = Object.entries(Object.getOwnPropertyDescriptors(all)).filter(
        ([, { value }]) => typeof value === 'function',
      );
      const names = functions.map(([name]) => name).join(', ');
      return { contents: `import all from 'node:${path}'; export const { ${names} } = all;` };
    });
  },
};

/** Minifies what nobody debugs here: the mock, and bundled packages with a file of their own. The client stays readable. */
async function minifyOthers(): Promise<void> {
  for (const file of await readdir('dist', { recursive: true })) {
    if (!/\.c?js$/.test(file)) continue;
    const path = join('dist', file);
    const code = await readFile(path, 'utf8');
    const sources = code.match(/^\s*\/\/ (?:src\/[a-z]+|node_modules\/(?:@[^/]+\/)?[^/]+)\//gm) ?? [];
    if (!sources.some((line) => /src\/mock|node_modules\/form-data/.test(line))) continue;
    const { code: minified } = await transform(code, { minify: true, target: 'node20' });
    const origins = [...new Set(sources.map((line) => line.trim()))].join('\n');
    // After the first line, which may be the one that makes the file a command.
    await writeFile(path, minified.replace(/^(#!.*\n)?/, `$1${origins}\n`));
  }
}

export default defineConfig({
  onSuccess: minifyOthers,
  entry: { ...entries, cli: 'src/cli/main.ts' },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // Types only, and few: a package for them would be one more in every install.
  dts: { entry: entries, resolve: ['@standard-schema/spec'] },
  // Shared chunks: one copy of each class per format, whichever entries are loaded.
  splitting: true,
  // zod's plain import loads every locale; ky is for CommonJS only, see below; the others only the mock needs.
  noExternal: ['form-data', 'ky', 'zod', 'hono', '@remix-run/multipart-parser', 'uqr', 'diff'],
  removeNodeProtocol: false,
  esbuildPlugins: [importBuiltins, noMimeTable, bundledPackages],
  esbuildOptions(options, { format }) {
    const { entryPoints } = options;
    // ky is an ES module only: a require of it fails on Node 20 and under Jest.
    if (format === 'esm') options.external = [...(options.external ?? []), 'ky'];
    // The command line is run, never required.
    if (format === 'cjs' && entryPoints && !Array.isArray(entryPoints)) {
      const { cli: _cli, ...required } = entryPoints;
      options.entryPoints = required;
    }
  },
});
