import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compiledCommand } from '../helpers/compiled.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The environment without variables that would point an example at another service. Undefined variables are left out.
 */
export function cleanEnvironment(
  extra: Readonly<Record<string, string | undefined>> = {},
): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('INSTALLMENT_'));
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...extra };
}

type Environment = Readonly<Record<string, string | undefined>>;

function start(command: readonly string[], env: Environment): ChildProcess {
  return spawn(process.execPath, command, { cwd: root, env: cleanEnvironment(env) });
}

/** Starts an example, compiled, from the root of the project. */
export async function startExample(
  file: string,
  args: readonly string[] = [],
  env: Environment = {},
): Promise<ChildProcess> {
  return start([await compiledCommand(file), ...args], env);
}

/** Runs an example, compiled, to its end. */
export async function runExample(
  file: string,
  args: readonly string[] = [],
  env: Environment = {},
): Promise<Finished> {
  return finished(await startExample(file, args, env));
}

/** Runs an example with tsx, as its first lines say. */
export function runWithTsx(
  file: string,
  args: readonly string[] = [],
  env: Environment = {},
): Promise<Finished> {
  return finished(start(['--import', 'tsx', file, ...args], env));
}

async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, stdout, stderr };
}

/** Resolves to the first group of a pattern in the output of an example. */
export function untilPrinted(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
    child.stdout?.on('data', (data: Buffer) => {
      output += data.toString();
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => {
      reject(new Error(`The example ended early: ${output}`));
    });
  });
}
