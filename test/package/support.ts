import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The compilers, test runners and bundlers of merchants, with a separate lock file. */
export const toolbox = fileURLToPath(new URL('../consumers/toolbox', import.meta.url));

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  /** Both streams, for the message of a failed expectation. */
  readonly output: string;
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], cwd: string): Promise<Finished> {
  return new Promise((resolve) => {
    // npm installs the toolbox in parallel with the other steps of the CI.
    const options = { cwd, maxBuffer: 16 * 1024 * 1024, timeout: 400_000 };
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, stdout, output: `${stdout}${stderr}` });
    });
  });
}

/** Runs a program that must succeed, and returns its output. */
export async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, output } = await run(command, args, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  return stdout;
}

/** Runs code in Node, as a module or as CommonJS, and returns the last line of its output, parsed as JSON. */
export async function evaluate(code: string, type: 'module' | 'commonjs', cwd: string): Promise<unknown> {
  const stdout = await succeed(process.execPath, [`--input-type=${type}`, '--eval', code], cwd);
  return JSON.parse(stdout) as unknown;
}

/** Installs the toolbox, unless the installed version equals its lock file. */
export async function installToolbox(): Promise<void> {
  const stamp = join(toolbox, 'node_modules', '.installed');
  const lock = await readFile(join(toolbox, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  const installed = await readFile(stamp, 'utf8').catch(() => '');
  if (installed === wanted) return;
  await succeed('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], toolbox);
  await writeFile(stamp, wanted);
}
