import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const cache = fileURLToPath(new URL('../../node_modules/.cache/installment-payments', import.meta.url));

/** A program of `children/`, ready to be run in processes of its own. */
export interface Program extends AsyncDisposable {
  /** The file of the bundle. */
  readonly path: string;
  /** Starts it; its input and output are piped. */
  readonly start: (environment?: Readonly<Record<string, string>>, flags?: readonly string[]) => ChildProcess;
}

/**
 * Bundles a program of a folder and the package's own source into one file, which Node runs as it is. `alias` replaces
 * packages.
 */
export async function bundled(
  name: string,
  children = new URL('./children/', import.meta.url),
  alias: Readonly<Record<string, string>> = {},
): Promise<Program> {
  // Under node_modules, so that it finds the packages that are not bundled.
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'program-'));
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, children))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    alias,
    // form-data is CommonJS and requires modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return {
    path: outfile,
    start: (environment = {}, flags = []) =>
      spawn(process.execPath, [...flags, outfile], {
        env: { ...process.env, ...environment },
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** All that a child writes, once it has ended by itself. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the child ended with ${String(code)}: ${output}`);
  return output;
}
