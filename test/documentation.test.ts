import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Example {
  /** File and line where it stands. */
  readonly origin: string;
  readonly code: string;
}

/** The TypeScript in a file's fences, those in comments included. */
function examplesIn(file: string): Example[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^( *\* )?```ts\n([^]*?)^(?: *\* )?```$/gm)].map((match) => ({
    origin: `${file}:${String(text.slice(0, match.index).split('\n').length + 1)}`,
    code: (match[2] ?? '').replaceAll(/^ *\* ?/gm, match[1] === undefined ? '$&' : ''),
  }));
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join('src', name));
const guides = readdirSync(join(root, 'docs')).map((name) => join('docs', name));
const examples = [...sources, 'README.md', ...guides].flatMap(examplesIn);

/** What the compiler says of each example; each is a module that sees the package under its own name. */
function problemsOf(all: readonly Example[]): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  if (!config) throw new Error('tsconfig.json cannot be read');
  const options = { ...config.options, moduleDetection: ts.ModuleDetectionKind.Force };
  const files = new Map(
    all.map((example, index) => [join(root, 'test', `example-${String(index)}.ts`), example]),
  );
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    readFile: (path) => files.get(path)?.code ?? disk.readFile(path),
    fileExists: (path) => files.has(path) || disk.fileExists(path),
    getSourceFile: (path, version) => {
      const example = files.get(path);
      return example ? ts.createSourceFile(path, example.code, version) : disk.getSourceFile(path, version);
    },
  };
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host });
  return [...files].flatMap(([path, { origin }]) =>
    [
      ...program.getSyntacticDiagnostics(program.getSourceFile(path)),
      ...program.getSemanticDiagnostics(program.getSourceFile(path)),
    ].map(({ messageText }) => `${origin} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  );
}

test('every example in the sources, the README and the guides compiles', { timeout: 60_000 }, () => {
  expect(examples.length).toBeGreaterThan(30);
  expect(problemsOf(examples)).toEqual([]);
});

test('an example that does not compile is found, and where it stands', { timeout: 60_000 }, () => {
  const broken = { origin: 'here:1', code: "import { Nothing } from 'installment-payments';" };

  expect(problemsOf([broken])).toEqual([expect.stringMatching(/^here:1 .*Nothing/)]);
});
