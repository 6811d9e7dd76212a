/**
 * Builds the code of the package: ES modules in dist/esm, and the same files as CommonJS in dist/cjs. npm packs files of one
 * name next to each other, and gzip looks back 32 kB: a file that is not longer costs nearly nothing in its second format.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { transform } from 'esbuild';
import { rolldown, type OutputChunk } from 'rolldown';
import manifest from '../../package.json' with { type: 'json' };
import { toCommonJs } from './commonjs.js';
import { entries } from './entries.js';
import { smallerFormData } from './form-data.js';
import { licensesOf } from './licenses.js';

/**
 * The sources of a file, from the ground floor up: each file has them and all that they load, as far as no file above in this
 * list has it. A file of its own costs each import of the package, and one that is too long costs the packed file.
 */
const files: Readonly<Record<string, RegExp>> = {
  'zod-core': /node_modules\/zod\/v4\/core\/(?!schemas|api)/,
  zod: /node_modules\/zod\//,
  multipart: /form-data\/|src\/operations\/multipart/,
  protocol: /src\/(?:values\/|version|protocol\/(?!.*schema|additional|canonical|file|headers|json))/,
  // With all that webhooks need of other rooms: they load no schemas of payments.
  errors: /src\/(?:errors\/|options\/(?:environment|secret-key)|protocol\/headers)/,
  schemas: /src\/protocol\/(?!lender)/,
  connections: /src\/http\/shared-resources/,
  http: /src\/http\//,
  operations: /src\/(?:operations|options)\//,
  'lender-schemas': /src\/protocol\/lender/,
  'queue-jobs': /src\/queue\/(?!index)/,
  // All that the remote control needs of the mock.
  'mock-errors': /src\/mock\/common\/(?:usage-error|delay)/,
  'mock-service': /src\/mock\/(?!index|adapters\/msw|remote)/,
};

// The mock serves the package's own openapi.json.
const openApi = '/openapi.json';

const external = new Set(['ky', ...Object.keys(manifest.peerDependencies)]);

const bundle = await rolldown({
  input: { ...entries, cli: 'src/cli/main.ts' },
  platform: 'node',
  external: (path) => external.has(path) || path.endsWith(openApi),
  transform: { target: 'node20' },
  plugins: [smallerFormData],
});
const { output } = await bundle.generate({
  format: 'esm',
  chunkFileNames: '[name].js',
  minifyInternalExports: false,
  comments: { jsdoc: false },
  codeSplitting: {
    groups: Object.entries(files).map(([name, test], index, all) => ({
      name,
      test,
      priority: all.length - index,
    })),
  },
});
const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));

// ky is an ES module only: a require of it fails on Node 20 and under Jest.
const ky = await rolldown({ input: 'ky', platform: 'node' });
const {
  output: [commonJsKy],
} = await ky.generate({ format: 'cjs', exports: 'named', minify: true });

/** The files that these load, themselves included. */
function loadedBy(names: readonly string[]): Set<string> {
  const loaded = new Set(names.map((name) => `${name}.js`));
  for (const name of loaded) {
    for (const next of chunks.get(name)?.imports ?? []) if (chunks.has(next)) loaded.add(next);
  }
  return loaded;
}

/** The packages whose code is in a file. */
function packagesIn({ modules }: OutputChunk): string[] {
  const sources = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  const names = sources.map(([id]) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

/** Nobody debugs the mock, the command line, and files of other packages. The client stays readable. */
const isMinified = /^(?:mock|cli|zod|multipart)/;

async function codeOf(chunk: OutputChunk): Promise<string> {
  if (!isMinified.test(chunk.fileName)) return chunk.code;
  const { code } = await transform(chunk.code, {
    minify: true,
    format: 'esm',
    target: 'node20',
    // Node prints the whole line of an error that nobody catches.
    lineLimit: 1_000,
  });
  const origins = packagesIn(chunk).map((name) => `// node_modules/${name}/\n`);
  // After the first line, which may be the one that makes the file a command.
  return code.replace(/^(#!.*\n)?/, `$1${origins.join('')}`);
}

/** Constants do for imports only where files do not load each other in a circle. */
function refuseCircles(): void {
  const left = new Map(chunks);
  const isLeft = (name: string) => left.has(name);
  while (left.size > 0) {
    const free = [...left].filter(([, { imports }]) => !imports.some(isLeft));
    if (free.length === 0) throw new Error(`these files load each other: ${[...left.keys()].join(', ')}`);
    for (const [name] of free) left.delete(name);
  }
}

async function write(path: string, code: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code, { mode: code.startsWith('#!') ? 0o755 : 0o644 });
}

// The mock is one file whichever way it is imported: it is the largest part of the package, and with a copy for each format a
// test would have two kinds of its errors.
const mock = 'mock/index';
const modules = loadedBy(Object.keys(entries).filter((name) => name !== mock));

refuseCircles();
for (const [name, chunk] of chunks) {
  const code = await codeOf(chunk);
  if (modules.has(name)) await write(join('dist/esm', name), code);
  const path = join('dist/cjs', name);
  const resolve = (module: string) => {
    if (module === 'ky') return relative(dirname(path), 'dist/cjs/ky.js');
    return module.endsWith(openApi) ? relative(dirname(path), 'openapi.json') : module;
  };
  await write(path, toCommonJs(code, resolve));
}
await write('dist/cjs/ky.js', `// node_modules/ky/\n${commonJsKy.code}`);
await write(
  `dist/esm/${mock}.js`,
  `import mock from '../../cjs/${mock}.js';\nexport const { ${chunks.get(`${mock}.js`)?.exports.join(', ')} } = mock;\n`,
);
await write('dist/cjs/package.json', '{ "type": "commonjs", "sideEffects": false }\n');
await write(
  'dist/THIRD-PARTY-LICENSES.txt',
  await licensesOf([...chunks.values(), commonJsKy].flatMap(packagesIn)),
);
