import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
// Under node_modules, so that the compiled files find the package's dependencies.
const cache = fileURLToPath(
  new URL('../../node_modules/.cache/installment-payments-tests/', import.meta.url),
);
let compiled: string | undefined;

function compileAll(): string {
  const target = join(cache, `${String(process.pid)}-${String(process.hrtime.bigint())}`);
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => each.endsWith('.ts') && !each.startsWith('mock'))) {
    const { outputText } = ts.transpileModule(readFileSync(join(source, name), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        verbatimModuleSyntax: true,
      },
    });
    const file = join(target, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, outputText);
  }
  writeFileSync(join(target, 'package.json'), '{"type":"module"}');
  return target;
}

/** How long a test may take that starts processes: a busy machine starts them slowly. */
export const processTimeoutMs = 60_000;

/** The URL of a source file as JavaScript, for a process that does not read TypeScript. Removed after the tests of the file. */
export function compiledSource(name: string): string {
  compiled ??= compileAll();
  return pathToFileURL(join(compiled, name)).href;
}

afterAll(() => {
  if (compiled !== undefined) rmSync(compiled, { recursive: true });
  compiled = undefined;
});

/** Runs a module in a process of its own and gives what it prints. */
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
