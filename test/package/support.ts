import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root of this project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Other compilers and test runners, with a lock file of their own. */
export const toolbox = fileURLToPath(new URL('toolbox', import.meta.url));

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  /** Both streams, for the message of a failed expectation. */
  readonly output: string;
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], cwd: string): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd, maxBuffer: 16 * 1024 * 1024, timeout: 120_000 };
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, stdout, output: `${stdout}${stderr}` });
    });
  });
}

/** Runs a program that has to succeed, and gives what it printed. */
export async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, output } = await run(command, args, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  return stdout;
}

/** Runs code in Node, as a module or as CommonJS, and gives what it printed last, read as JSON. */
export async function evaluate(code: string, type: 'module' | 'commonjs', cwd: string): Promise<unknown> {
  const stdout = await succeed(process.execPath, [`--input-type=${type}`, '--eval', code], cwd);
  return JSON.parse(stdout) as unknown;
}
