import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { cleanEnvironment } from '../examples/run-example.js';

/** A fence of TypeScript or JavaScript in a markdown file. */
export interface Snippet {
  /** The position of its first line, such as `README.md:21`. */
  readonly origin: string;
  readonly language: 'ts' | 'js';
  readonly code: string;
}

/**
 * A markdown file in which each fence after `<!-- the same file -->` is a part of the fence before. Lines keep their
 * numbers.
 */
export function withJoinedFences(markdown: string): string {
  return markdown.replaceAll(/^```\n(?:(?!```)[^])*?<!-- the same file -->\n+```(?:js|ts)\n/gm, (gap) =>
    gap.replaceAll(/[^\n]/g, ''),
  );
}

/** The code that readers of a Markdown file would paste. */
export function snippetsOf(markdown: string, file: string): Snippet[] {
  const fences = withJoinedFences(markdown).matchAll(/^```(ts|js)\n(.*?)^```/gms);
  return [...fences].map(({ input, index, 1: language, 2: code = '' }) => ({
    origin: `${file}:${String(input.slice(0, index).split('\n').length + 1)}`,
    language: language === 'js' ? 'js' : 'ts',
    code,
  }));
}

// `console.log(payment.resultStatus); // APPROVED`
const outputComment = /\bconsole\.log\((?=.*\)[;,]? *\/\/ (.+)$)/;

/** The output that a comment promises. `…` in it matches any text. */
function promised(comment: string): RegExp {
  const literal = comment.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}

/** A folder in which snippets run, with the package from the sources. */
export interface Workshop extends AsyncDisposable {
  /** Runs a snippet alone, in a new folder with these files. Returns its problems; none if it is right. */
  run(
    snippet: Snippet,
    options?: {
      env?: Readonly<Record<string, string>>;
      files?: Readonly<Record<string, Uint8Array | string>>;
    },
  ): Promise<string[]>;
}

export async function openWorkshop(): Promise<Workshop> {
  // The folder is below the project, so that other packages are found.
  const home = await mkdtemp('test/.snippets-');
  const { paths } = (
    JSON.parse(await readFile('tsconfig.json', 'utf8')) as {
      compilerOptions: { paths: Record<string, [string]> };
    }
  ).compilerOptions;
  // The folder has its own package scope. In the project's scope, the package's name would lead to the last build.
  await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module' }));
  const outdir = join(home, 'node_modules/installment-payments');
  const entries = Object.entries(paths).map(([name, [source]]) => {
    const subpath = name.replace('installment-payments', '.');
    return { subpath, out: subpath === '.' ? 'main' : subpath.slice(2), in: source };
  });
  await build({
    entryPoints: entries.map(({ in: source, out }) => ({ in: source, out })),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  await writeFile(
    join(outdir, 'package.json'),
    JSON.stringify({
      name: 'installment-payments',
      type: 'module',
      exports: Object.fromEntries(entries.map(({ subpath, out }) => [subpath, `./${out}.js`])),
    }),
  );
  const prelude = join(home, 'prelude.mjs');
  await writeFile(
    prelude,
    `import { format } from 'node:util';
     globalThis.printed = (line, ...values) => console.log('\\0' + JSON.stringify([line, format(...values)]));`,
  );

  return {
    async run({ code, language }, { env = {}, files = {} } = {}) {
      const folder = await mkdtemp(join(home, 'run-'));
      const expected = new Map<number, string>();
      const lines = code.split('\n').map((line, index) => {
        const comment = outputComment.exec(line)?.[1];
        if (comment === undefined) return line;
        expected.set(index + 1, comment);
        return line.replace('console.log(', `globalThis.printed(${String(index + 1)}, `);
      });
      const { code: script } = await transform(lines.join('\n'), { loader: language, target: 'node20' });
      for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
      const file = join(folder, 'snippet.mjs');
      await writeFile(file, script);
      const { error, stdout, stderr } = await new Promise<{
        error: (Error & { code?: unknown; killed?: boolean }) | null;
        stdout: string;
        stderr: string;
      }>((done) => {
        execFile(
          process.execPath,
          ['--import', resolve(prelude), 'snippet.mjs'],
          { cwd: folder, env: cleanEnvironment(env), timeout: 100_000 },
          (failure, out, err) => {
            done({ error: failure, stdout: out, stderr: err });
          },
        );
      });
      const problems: string[] = [];
      if (error) problems.push(error.killed === true ? 'did not end' : `ended with ${String(error.code)}`);
      if (stderr !== '') problems.push(`wrote to stderr: ${stderr}`);
      const printed = stdout
        .split('\n')
        .filter((line) => line.startsWith('\0'))
        .map((line) => JSON.parse(line.slice(1)) as [line: number, text: string]);
      for (const [line, comment] of expected) {
        const texts = printed.filter(([number]) => number === line).map(([, text]) => text);
        if (texts.length === 0) problems.push(`line ${String(line)} printed nothing, not: ${comment}`);
        for (const text of texts)
          if (!promised(comment).test(text))
            problems.push(`line ${String(line)} printed ${text}, not: ${comment}`);
      }
      return problems;
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  };
}
