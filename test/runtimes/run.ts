/**
 * Runs the quickstart, the signing vectors, faults and random histories, on the package as it is packed, in every
 * runtime that it promises:
 *
 *   npm run test:runtimes
 *   npm run test:runtimes -- histories workers     some of the checks
 *   npm run test:runtimes -- --report=FILE         with a report as vitest's reporter `json` writes it
 *
 * The runtimes come from npm and stay in node_modules beside this file.
 */
import { access, cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { entries } from '../../scripts/entries.js';
import { packAndInstall } from '../package/pack.js';
import { root, run, succeed } from '../package/support.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const { platform, arch } = process;
const system = platform === 'win32' ? 'win' : platform;
const denoSystem = platform === 'linux' ? `linux-${arch}-glibc` : `${platform}-${arch}`;
const bunSystem = `${platform === 'win32' ? 'windows' : platform}-${arch === 'arm64' ? 'aarch64' : arch}`;

interface Runtime {
  readonly name: string;
  /** The npm package that holds the binary for this system. */
  readonly package: string;
  readonly version: string;
  readonly binary: string;
  readonly args: readonly string[];
}

const node = (version: string): Runtime => ({
  name: `Node ${version.slice(0, version.indexOf('.'))}`,
  package: `node-${system}-${arch}`,
  version,
  binary: 'bin/node',
  args: [],
});

const runtimes: readonly Runtime[] = [
  ...['20.20.2', '22.23.3', '24.21.0', '26.10.0'].map(node),
  { name: 'Bun', package: `@oven/bun-${bunSystem}`, version: '1.4.5', binary: 'bin/bun', args: [] },
  { name: 'Deno', package: `@deno/${denoSystem}`, version: '2.9.6', binary: 'deno', args: ['run', '-A'] },
];

/** The runtime of Cloudflare Workers. It runs a backend of its own, against servers on Node. */
const workerd: Runtime = {
  name: 'workerd',
  package: `@cloudflare/workerd-${platform === 'win32' ? 'windows' : platform}-${arch === 'x64' ? '64' : arch}`,
  version: '1.20261117.1',
  binary: 'bin/workerd',
  args: [],
};

const installed = join(here, 'node_modules');
const folderOf = ({ name }: Runtime) => join(installed, name.toLowerCase().replace(' ', '-'));
const binaryOf = (runtime: Runtime) => join(folderOf(runtime), runtime.binary);

async function isInstalled(runtime: Runtime): Promise<boolean> {
  const hasBinary = await access(binaryOf(runtime)).then(
    () => true,
    () => false,
  );
  return hasBinary && hasVersion(folderOf(runtime), runtime.version);
}

/** They run on no Node 20, so they are no development dependencies: what they need stays beside the runtimes. */
const msw = { name: 'msw', folder: join(installed, 'msw-3'), version: '3.0.5' };

async function hasVersion(folder: string, version: string): Promise<boolean> {
  try {
    const manifest = await readFile(join(folder, 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { version: string }).version === version;
  } catch {
    return false;
  }
}

/** Installs the runtimes and these packages, unless they are there. Each runtime is a package without dependencies. */
async function install(): Promise<void> {
  const binaries = [...runtimes, workerd];
  const there = await Promise.all([...binaries.map(isInstalled), hasVersion(msw.folder, msw.version)]);
  if (there.every(Boolean)) return;
  console.log('Installing the runtimes; this takes a minute.');
  const packages = [
    ...binaries.map((runtime) => [folderOf(runtime), runtime.package, runtime.version] as const),
    [msw.folder, msw.name, msw.version] as const,
  ].map(([folder, name, version]) => `${basename(folder)}@npm:${name}@${version}`);
  const options = [
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  await succeed('npm', ['install', '--prefix', here, ...options, ...packages], here);
}

async function transpile(source: string, target: string, module: ts.ModuleKind): Promise<void> {
  const code = await readFile(source, 'utf8');
  const compilerOptions = { module, target: ts.ScriptTarget.ES2022 };
  await writeFile(target, ts.transpileModule(code, { compilerOptions }).outputText);
}

/** Tests that import the sources, bundled so that they use the installed package instead. */
async function bundle(source: string, target: string): Promise<void> {
  await build({
    entryPoints: [source],
    outfile: target,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    plugins: [
      {
        name: 'installed-package',
        setup: (plugin) => {
          plugin.onResolve({ filter: /\/src\/entries\/\w+\.js$/ }, ({ path }) => {
            const [entry] = entries.find(([, source]) => path.endsWith(source.replace('.ts', '.js'))) ?? [
              path,
            ];
            return { path: entry, external: true };
          });
        },
      },
    ],
  });
}

/** Puts what is run beside the installed package. */
async function prepare(consumer: string): Promise<void> {
  for (const file of ['order.json', 'invoice.pdf'])
    await cp(join(root, 'examples', file), join(consumer, file));
  await cp(join(root, 'test/vectors/signing.json'), join(consumer, 'signing.json'));
  await transpile(
    join(root, 'examples/quickstart.ts'),
    join(consumer, 'quickstart.mjs'),
    ts.ModuleKind.ESNext,
  );
  await symlink(msw.folder, join(consumer, 'node_modules', msw.name), 'junction');
  await transpile(join(here, 'msw.ts'), join(consumer, 'msw.mjs'), ts.ModuleKind.ESNext);
  for (const name of ['faults', 'histories', 'workers', 'worker']) {
    await bundle(join(here, `${name}.ts`), join(consumer, `${name}.mjs`));
  }
  // As the guide to bundling says, with the installed package inside.
  await build({
    entryPoints: [join(consumer, 'worker.mjs')],
    outfile: join(consumer, 'worker.bundle.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  await transpile(join(here, 'vectors.ts'), join(consumer, 'vectors.mjs'), ts.ModuleKind.ESNext);
  for (const name of ['vectors', 'payment']) {
    await transpile(join(here, `${name}.ts`), join(consumer, `${name}.cjs`), ts.ModuleKind.CommonJS);
  }
}

interface Check {
  readonly file: string;
  readonly expected: RegExp;
  /** Where it is run; everywhere, unless it says so. */
  readonly on?: readonly string[];
}

const checks: readonly Check[] = [
  { file: 'quickstart.mjs', expected: /APPROVED[^]*Invoice ID/ },
  { file: 'vectors.mjs', expected: /^50 vectors$/m },
  { file: 'vectors.cjs', expected: /^50 vectors$/m },
  { file: 'faults.mjs', expected: /^\d{3,} faults, 0 wrong$/m },
  { file: 'histories.mjs', expected: /histories, 0 untrue claims$/m },
  { file: 'workers.mjs', expected: /Workers, 0 wrong$/m, on: ['Node 24'] },
  { file: 'payment.cjs', expected: /^APPROVED INV-\d+ DUPLICATE_REFERENCE_ID$/m },
  {
    file: 'msw.mjs',
    expected: /^attempts 2 payments 1 invoice \d+ bytes DUPLICATE_REFERENCE_ID$/m,
    on: ['Node 22', 'Node 24', 'Node 26'],
  },
];

const { values, positionals: wanted } = parseArgs({
  options: { report: { type: 'string' } },
  allowPositionals: true,
});

async function main(): Promise<number> {
  await install();
  process.env['WORKERD'] = binaryOf(workerd);
  const { packed, remove } = await packAndInstall();
  const assertionResults: { readonly fullName: string; readonly status: 'passed' | 'failed' }[] = [];
  try {
    await prepare(packed.consumer);
    const runs = runtimes.flatMap((runtime) =>
      checks
        .filter(({ on }) => !on || on.includes(runtime.name))
        .filter(({ file }) => wanted.length === 0 || wanted.some((name) => file.startsWith(`${name}.`)))
        .map((check) => ({ runtime, ...check })),
    );
    // One after the other: some of them call a port that nobody listens on, which another one could take.
    for (const { runtime, file, expected } of runs) {
      const { code, stdout, output } = await run(binaryOf(runtime), [...runtime.args, file], packed.consumer);
      const passed = code === 0 && expected.test(stdout);
      console.log(`${passed ? 'passed' : 'FAILED'}  ${runtime.name.padEnd(8)}  ${file}`);
      assertionResults.push({ fullName: `${runtime.name}: ${file}`, status: passed ? 'passed' : 'failed' });
      if (!passed) console.log(output);
    }
  } finally {
    await remove();
  }
  const numPassedTests = assertionResults.filter(({ status }) => status === 'passed').length;
  const numFailedTests = assertionResults.length - numPassedTests;
  const testResults = [{ name: 'test/runtimes', assertionResults }];
  if (values.report !== undefined)
    await writeFile(values.report, JSON.stringify({ numPassedTests, testResults }));
  console.log(`${String(numPassedTests)} passed, ${String(numFailedTests)} failed`);
  return numFailedTests === 0 ? 0 : 1;
}

process.exitCode = await main();
