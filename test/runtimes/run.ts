/**
 * Runs the quickstart and the signing vectors, on the package as it is packed, in every runtime that it promises:
 *
 *   npm run test:runtimes
 *
 * The runtimes come from npm and stay in node_modules beside this file.
 */
import { access, cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
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

const installed = join(here, 'node_modules');
const folderOf = ({ name }: Runtime) => join(installed, name.toLowerCase().replace(' ', '-'));
const binaryOf = (runtime: Runtime) => join(folderOf(runtime), runtime.binary);

async function isInstalled(runtime: Runtime): Promise<boolean> {
  try {
    await access(binaryOf(runtime));
    const manifest = await readFile(join(folderOf(runtime), 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { version: string }).version === runtime.version;
  } catch {
    return false;
  }
}

/** Installs the runtimes, unless they are there. Each is a single package without dependencies. */
async function install(): Promise<void> {
  const there = await Promise.all(runtimes.map(isInstalled));
  if (there.every(Boolean)) return;
  console.log('Installing the runtimes; this takes a minute.');
  const packages = runtimes.map(
    (runtime) => `${basename(folderOf(runtime))}@npm:${runtime.package}@${runtime.version}`,
  );
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
  await transpile(join(here, 'vectors.ts'), join(consumer, 'vectors.mjs'), ts.ModuleKind.ESNext);
  await transpile(join(here, 'vectors.ts'), join(consumer, 'vectors.cjs'), ts.ModuleKind.CommonJS);
}

const checks = [
  { file: 'quickstart.mjs', expected: /APPROVED[^]*Invoice ID/ },
  { file: 'vectors.mjs', expected: /^12 vectors$/m },
  { file: 'vectors.cjs', expected: /^12 vectors$/m },
];

async function main(): Promise<number> {
  await install();
  const { packed, remove } = await packAndInstall();
  let failed = 0;
  try {
    await prepare(packed.consumer);
    for (const runtime of runtimes) {
      for (const { file, expected } of checks) {
        const { code, stdout, output } = await run(
          binaryOf(runtime),
          [...runtime.args, file],
          packed.consumer,
        );
        const passed = code === 0 && expected.test(stdout);
        console.log(`${passed ? 'passed' : 'FAILED'}  ${runtime.name.padEnd(8)}  ${file}`);
        if (passed) continue;
        failed += 1;
        console.log(output);
      }
    }
  } finally {
    await remove();
  }
  const total = runtimes.length * checks.length;
  console.log(`${String(total - failed)} passed, ${String(failed)} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
