import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { orderOf } from './order.js';
import { alternate, isOurs, type Standing } from './rounds.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const peers = ['stripe', 'openai', '@mollie/api-client'];
const ours = 'installment-payments';
const built = new URL('../../dist/index.js', import.meta.url).href;

const run = promisify(execFile);

/** The CPU time of importing a module in a new process. */
async function importing(node: string, specifier: string): Promise<number> {
  const script = `
    const before = process.cpuUsage();
    await import(${JSON.stringify(specifier)});
    const { user, system } = process.cpuUsage(before);
    console.log(user + system);`;
  const { stdout } = await run(node, ['--input-type=module', '-e', script], { cwd: here });
  return Number(stdout) / 1000;
}

/** The cost of importing this package and its peers, in turns. */
export function importTimes(node: string, rounds: number): Promise<Standing[]> {
  const modules = [...peers.map((name) => [name, name] as const), [ours, built] as const];
  const measured = modules.map(([name, specifier]) => ({
    name,
    measure: async () => ({ cpuUs: await importing(node, specifier) }),
  }));
  return alternate(measured, rounds, (message) => message.cpuUs);
}

const firstCallers = ['bare fetch', 'bare node:http', 'stripe', 'openai', ours];

/** The CPU time of a new process from importing a client to its first response. */
export function firstCalls(node: string, url: string, rounds: number): Promise<Standing[]> {
  const source = readFileSync(join(here, 'first-call.ts'), 'utf8');
  // A loader would be a part of the measurement.
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const script = ['--input-type=module', '-e', outputText];
  const order = JSON.stringify(orderOf(5));
  const measured = firstCallers.map((name) => ({
    name,
    measure: async () => {
      const { stdout } = await run(node, [...script, name, url, built, order], { cwd: here });
      return { cpuUs: Number(stdout) / 1000 };
    },
  }));
  return alternate(measured, rounds, (message) => message.cpuUs);
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') continue;
    if (entry.isDirectory()) bytes += await bytesIn(path);
    else if (entry.isFile()) bytes += (await stat(path)).size;
  }
  return bytes;
}

/** The folder of a dependency, found by the rules of Node. */
function folderOf(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) throw new Error(`${name} is not installed`);
  }
}

async function dependenciesOf(folder: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(manifest.dependencies ?? {}).map((name) => folderOf(name, folder));
}

/** Every folder of an installed package, with its dependencies. */
async function installed(folder: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(folder)) return found;
  found.add(folder);
  for (const dependency of await dependenciesOf(folder)) await installed(dependency, found);
  return found;
}

/** The kilobytes on disk after installing each package alone. */
export async function installedSizes(): Promise<Standing[]> {
  const sizes: { name: string; value: number }[] = [];
  for (const name of [...peers, ours]) {
    const own = name === ours ? root : folderOf(name, here);
    let bytes = 0;
    for (const folder of await installed(own))
      bytes += await bytesIn(folder === root ? join(root, 'dist') : folder);
    sizes.push({ name, value: bytes / 1000 });
  }
  const own = sizes.find(isOurs)?.value ?? Number.NaN;
  return sizes.map((size) => ({ ...size, ratio: own / size.value }));
}
