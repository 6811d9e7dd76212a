import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createRequire, isBuiltin } from 'node:module';
import { transform, type Metafile, type Plugin } from 'esbuild';
import { defineConfig } from 'tsup';

// The entries, by the names in package.json's exports.
const entries = {
  index: 'src/index.ts',
  bullmq: 'src/bullmq/index.ts',
  lender: 'src/lender/index.ts',
  'mock/index': 'src/mock/index.ts',
  'mock/msw': 'src/mock/adapters/msw.ts',
  'mock/remote': 'src/mock/remote/index.ts',
  opentelemetry: 'src/opentelemetry/index.ts',
  queue: 'src/queue/index.ts',
  webhooks: 'src/webhooks/index.ts',
};

/** The declarations of the entries, one for each source, as `tsconfig.declarations.json` has them written before. */
const declarations = Object.fromEntries(
  Object.entries(entries).map(([name, path]) => [
    name,
    path.replace(/^src\/(.*)\.ts$/, 'dist/.declarations/$1.d.ts'),
  ]),
);

/** The folders of the packages whose code is in the bundle, as in `node_modules/ky`. */
function foldersIn({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.map(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? /^[^:]*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] : undefined,
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

// Loaded by form-data and not needed here: the type of a file that comes without one, from a table of 180 kB,
// a dozen packages that set a tag, and what it sends and measures streams with. It is loaded with the package, and
// node:http would take longer to load than all of it.
const standIns: Readonly<Record<string, string>> = {
  'mime-types': 'exports.lookup = () => false;',
  'es-set-tostringtag':
    'module.exports = (object, value) => { Object.defineProperty(object, Symbol.toStringTag, { value, configurable: true }); };',
  asynckit: '',
  http: '',
  https: '',
};
const smallerFormData: Plugin = {
  name: 'smaller-form-data',
  setup(build) {
    build.onResolve(
      { filter: /^(?:mime-types|es-set-tostringtag|asynckit|https?)$/ },
      ({ path, importer }) =>
        importer.includes('node_modules/form-data/') ? { path, namespace: 'stand-in' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({ contents: standIns[path] ?? '' }));
  },
};

/**
 * Turns a bundled package's `require` of a module of Node into an import. esbuild leaves such a call in an ES module,
 * where it throws: a merchant who bundles a backend once more would meet that.
 */
const importBuiltins: Plugin = {
  name: 'import-builtins',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind, importer }) =>
      kind === 'require-call' && isBuiltin(path)
        ? { path: `${path} ${relative('.', importer)}`, namespace: 'builtin' }
        : undefined,
    );
    // Named one by one, as far as the package may use them: ncc loses an `export *` of a module of Node.
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path: key }) => {
      const [, path = '', importer = ''] = /^(\S+) (.*)$/.exec(key) ?? [];
      const text = await readFile(importer, 'utf8');
      const all = ((await import(path)) as { default: object }).default;
      const functions = Object.entries(Object.getOwnPropertyDescriptors(all)).filter(
        ([name, { value }]) => typeof value === 'function' && text.includes(name),
      );
      const names = functions.map(([name]) => name).join(', ');
      return { contents: `import all from 'node:${path}'; export const { ${names} } = all;` };
    });
  },
};

/** The mock serves the package's own openapi.json. A copy in its code would be the largest text of the package twice. */
const openApiBeside: Plugin = {
  name: 'openapi-beside',
  setup(build) {
    build.onResolve({ filter: /\/openapi\.json$/ }, () => ({ path: '../openapi.json', external: true }));
  },
};

/**
 * Gives zod a file of its own, which is minified: as an entry, it is reached on another way than the code that uses it. Its
 * exports are those that are used anyway.
 */
const zodApart: Plugin = {
  name: 'zod-apart',
  setup(build) {
    build.onResolve({ filter: /^zod-apart$/ }, ({ path }) => ({ path, namespace: 'zod-apart' }));
    build.onLoad({ filter: /.*/, namespace: 'zod-apart' }, () => ({
      contents: "export { string } from 'zod/mini';",
      resolveDir: import.meta.dirname,
    }));
  },
};

/** The sources that esbuild names in a file, as in `// node_modules/zod/v4/core/schemas.js`. */
const sourceNames = /^\s*\/\/ (?:src\/[a-z]+|node_modules\/(?:@[^/]+\/)?[^/]+)\//gm;

/** Characters of a line of minified code. Node prints the whole line of an error that nobody catches. */
const longestLine = 1_000;

/** Minifies what nobody debugs here: the mock, the command line, and files that are mostly of other packages. The client stays readable. */
async function minifyOthers(): Promise<void> {
  for (const file of await readdir('dist', { recursive: true })) {
    if (!/\.c?js$/.test(file)) continue;
    const path = join('dist', file);
    const code = await readFile(path, 'utf8');
    const sources = code.match(sourceNames) ?? [];
    const ofOthers = sources.filter((line) => line.includes('node_modules/'));
    const isMock = sources.some((line) => /src\/(?:mock|cli)\//.test(line));
    if (!isMock && ofOthers.length <= sources.length / 2) continue;
    const { code: minified } = await transform(code, {
      minify: true,
      // Without it the names at the top of a file, which could be a script, stay long.
      format: file.endsWith('.cjs') ? 'cjs' : 'esm',
      lineLimit: longestLine,
      target: 'node20',
    });
    const origins = [...new Set(sources.map((line) => line.trim()))].join('\n');
    // After the first line, which may be the one that makes the file a command.
    await writeFile(path, minified.replace(/^(#!.*\n)?/, `$1${origins}\n`));
  }
}

/**
 * The mock is one file whichever way it is imported: it is the largest part of the package, and with a copy for each format a
 * test would have two kinds of its errors.
 */
async function wrapMock(): Promise<void> {
  const names = Object.keys(createRequire(import.meta.url)('./dist/mock/index.cjs') as object);
  await writeFile(
    'dist/mock/index.js',
    `import mock from './index.cjs';\nexport const { ${names.join(', ')} } = mock;\n`,
  );
}

export default defineConfig({
  onSuccess: async () => {
    await Promise.all(['dist/zod.js', 'dist/zod.cjs'].map((entry) => rm(entry, { force: true })));
    await minifyOthers();
    await wrapMock();
  },
  // The multipart body has a file of its own, because it is mostly of another package and minified.
  entry: { ...entries, cli: 'src/cli/main.ts', multipart: 'src/operations/multipart.ts' },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // Types only, and few: a package for them would be one more in every install.
  dts: { entry: declarations, resolve: ['@standard-schema/spec'] },
  // Shared chunks: one copy of each class per format, whichever entries are loaded.
  splitting: true,
  // zod's plain import loads every locale; ky is for CommonJS only, see below; the others only the mock needs.
  noExternal: ['form-data', 'ky', 'zod', 'hono', '@remix-run/multipart-parser', 'uqr', 'diff'],
  removeNodeProtocol: false,
  esbuildPlugins: [zodApart, smallerFormData, importBuiltins, openApiBeside, bundledPackages],
  esbuildOptions(options, { format }) {
    const { entryPoints } = options;
    // ky is an ES module only: a require of it fails on Node 20 and under Jest.
    if (format === 'esm') options.external = [...(options.external ?? []), 'ky'];
    // tsup passes CommonJS through sucrase, which makes each of these a call of a helper.
    if (format === 'cjs') options.supported = { 'optional-chain': false, 'nullish-coalescing': false };
    if (!entryPoints || Array.isArray(entryPoints)) throw new Error('the entries have no names');
    // The mock, and the command line that runs it, are CommonJS: see wrapMock.
    const { cli, 'mock/index': mock, ...imported } = entryPoints;
    const ofCommonJs = { cli, 'mock/index': mock };
    options.entryPoints = { ...imported, ...(format === 'cjs' && ofCommonJs), zod: 'zod-apart' };
  },
});
