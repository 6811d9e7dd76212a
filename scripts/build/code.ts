/**
 * Builds the code of the package: ES modules in dist/esm, and the same files as CommonJS in dist/cjs. npm packs files of one
 * name next to each other, and gzip looks back 32 kB: a file that is not longer costs little in its second format.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { rolldown, type OutputChunk } from 'rolldown';
import manifest from '../../package.json' with { type: 'json' };
import { entries } from './entries.js';
import { smallerFormData } from './form-data.js';
import { licensesOf } from './licenses.js';

/**
 * The sources of a file, from the ground floor up: each file has them and all that they load, as far as no file above in this
 * list has it. A file of its own costs each import of the package, and one that is too long costs the packed file.
 */
const files: Readonly<Record<string, RegExp>> = {
  ky: /node_modules\/ky\//,
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
  'mock-errors': /src\/mock\/common\/(?:usage-error|delay|http-url)/,
  'mock-service': /src\/(?:mock\/(?!index|adapters\/msw)|workbench\/(?!remote|cli))/,
};

// The mock serves the package's own openapi.json.
const openApi = '/openapi.json';
const peers = Object.keys(manifest.peerDependencies);

async function bundled(format: 'esm' | 'cjs', input: Readonly<Record<string, string>>) {
  // ky is an ES module only: a require of it fails on Node 20 and under Jest.
  const external = format === 'esm' ? ['ky', ...peers] : peers;
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (path) => external.includes(path) || path.endsWith(openApi),
    transform: { target: 'node20' },
    plugins: [smallerFormData],
  });
  const { output } = await bundle.generate({
    format,
    exports: 'named',
    esModule: true,
    strict: true,
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    comments: { jsdoc: false },
    paths: (path) => (path.endsWith(openApi) ? '../..' + openApi : path),
    codeSplitting: {
      groups: Object.entries(files).map(([name, test], index, all) => ({
        name,
        test,
        priority: all.length - index,
      })),
    },
  });
  return output.filter((file) => file.type === 'chunk');
}

/** The packages whose code is in a file. */
function packagesIn({ modules }: OutputChunk): string[] {
  const sources = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  const names = sources.map(([id]) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

/** Nobody debugs the mock, the command line, and files of other packages. The client stays readable. */
const isMinified = /^(?:mock|cli|ky|zod|multipart)/;

async function codeOf(chunk: OutputChunk, format: 'esm' | 'cjs'): Promise<string> {
  if (!isMinified.test(chunk.fileName)) return chunk.code;
  const { code } = await transform(chunk.code, {
    minify: true,
    format,
    target: 'node20',
    // Node prints the whole line of an error that nobody catches.
    lineLimit: 1_000,
  });
  const origins = packagesIn(chunk).map((name) => `// node_modules/${name}/\n`);
  // After the first line, which may be the one that makes the file a command.
  return code.replace(/^(#!.*\n)?/, `$1${origins.join('')}`);
}

async function write(path: string, code: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code, { mode: code.startsWith('#!') ? 0o755 : 0o644 });
}

// The mock is one file whichever way it is imported: it is the largest part of the package, and with a copy for each format a
// test would have two kinds of its errors.
const { 'mock/index': mock, ...imported } = entries;
const modules = await bundled('esm', imported);
const commonJs = await bundled('cjs', { ...imported, 'mock/index': mock, cli: 'src/workbench/cli/main.ts' });

for (const chunk of modules) await write(join('dist/esm', chunk.fileName), await codeOf(chunk, 'esm'));
for (const chunk of commonJs) await write(join('dist/cjs', chunk.fileName), await codeOf(chunk, 'cjs'));
const mockNames = commonJs.find(({ fileName }) => fileName === 'mock/index.js')?.exports.join(', ');
await write(
  'dist/esm/mock/index.js',
  `import mock from '../../cjs/mock/index.js';\nexport const { ${mockNames} } = mock;\n`,
);
await write('dist/cjs/package.json', '{ "type": "commonjs", "sideEffects": false }\n');
await write('dist/THIRD-PARTY-LICENSES.txt', await licensesOf([...modules, ...commonJs].flatMap(packagesIn)));
