import { execFile } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, buildSync, type Plugin } from 'esbuild';
import { afterAll } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'src');
// Under node_modules, so that the compiled files find the package's dependencies.
const target = join(
  root,
  'node_modules/.cache/installment-payments-tests',
  `${String(process.pid)}-${String(process.hrtime.bigint())}`,
);
let isCompiled = false;
const commands = new Map<string, Promise<string>>();

function compileAll(): void {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const entryPoints = names.filter((name) => name.endsWith('.ts') && !name.startsWith('mock'));
  buildSync({
    absWorkingDir: source,
    entryPoints,
    outdir: target,
    outbase: source,
    format: 'esm',
    target: 'node20',
  });
  writeFileSync(join(target, 'package.json'), '{"type":"module"}');
}

/** Keeps the URL of each file, with which it finds the files beside it. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup: (plugin) => {
    plugin.onLoad({ filter: /\/(?:examples|src|test)\/.*\.tsx?$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const contents = code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

async function compileCommand(file: string): Promise<string> {
  const outfile = join(target, `${file}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // tsconfig.json maps the name of the package to its sources.
    tsconfig: 'tsconfig.json',
    plugins: [ownUrls],
    logLevel: 'error',
  });
  return outfile;
}

/**
 * A command or an example as one file of JavaScript, which a process loads in a fraction of the time that is needed to
 * compile its sources. Made once for all tests of a file, and removed after them.
 */
export function compiledCommand(file: string): Promise<string> {
  const made = commands.get(file) ?? compileCommand(file);
  commands.set(file, made);
  return made;
}

/** The time limit of a test that starts processes, because a busy machine starts them slowly. */
export const processTimeoutMs = 60_000;

/**
 * The URL of a source file as JavaScript, for a process that does not read TypeScript. Removed after the tests of the
 * file.
 */
export function compiledSource(name: string): string {
  if (!isCompiled) compileAll();
  isCompiled = true;
  return pathToFileURL(join(target, name)).href;
}

afterAll(() => {
  rmSync(target, { recursive: true, force: true });
  isCompiled = false;
  commands.clear();
});

/** Runs a module in its own process and returns its output. */
export async function runNode(
  script: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, ...environment },
    timeout: processTimeoutMs / 2,
  });
  return stdout.trim();
}
