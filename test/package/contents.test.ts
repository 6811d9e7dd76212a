import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { describe, expect, inject, test } from 'vitest';

const { consumer, files } = inject('packed');
const installed = join(consumer, 'node_modules', 'installment-payments');
const read = (path: string) => readFile(join(installed, path), 'utf8');
const withoutCode = (markdown: string) =>
  markdown.replaceAll(/^(```+)[^]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, '');

describe('the packed files', () => {
  test('are the built code, its documentation and the golden vectors for other languages, and nothing else', () => {
    const beside = files.filter((path) => !/^(?:dist|docs|examples)\//.test(path));
    const inside = files.filter((path) => path.startsWith('dist/'));

    expect(beside.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'openapi.json',
      'package.json',
      'skills/installment-payments/SKILL.md',
      'skills/installment-payments/references/other-languages.md',
      'skills/installment-payments/references/rehearse.md',
      'test/vectors/signing.json',
    ]);
    expect(inside.filter((path) => !/\.c?(?:js|ts)$/.test(path))).toEqual(['dist/THIRD-PARTY-LICENSES.txt']);
  });

  test('include every guide, and the examples that a merchant copies', async () => {
    const guides = (await readdir('docs')).filter((name) => name.endsWith('.md'));
    const examples = files.filter((path) => path.startsWith('examples/'));

    expect(files.filter((path) => path.startsWith('docs/')).sort()).toEqual(
      ['docs/diagrams/payment.svg', ...guides.map((name) => `docs/${name}`)].sort(),
    );
    expect(examples).toEqual(
      expect.arrayContaining([
        'examples/platform-order.ts',
        'examples/orders/shop.ts',
        'examples/screenshots/signature.png',
      ]),
    );
    expect(
      examples.filter(
        (path) =>
          !/^examples\/(?:(?:containers|nestjs|other-languages|orders|screenshots|webhooks)\/)?[\w.-]+$/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });

  test('link to each other: every link and picture of a page, and every import of an example, has its target', async () => {
    const targetsOf = (path: string, text: string) =>
      path.endsWith('.md')
        ? [
            ...withoutCode(text).matchAll(/\]\(<?(?![a-z]+:|#)([^)#\s>]+)/g),
            ...text.matchAll(/^\[[^\]]+\]: *(?![a-z]+:|#)([^#\s]+)/gm),
          ]
        : [...text.matchAll(/(?:from|import) '(\.[^']+)'/g)];
    const pages = files.filter((path) => /\.md$|^examples\/.*\.tsx?$/.test(path));
    const links = await Promise.all(
      pages.map(async (page) =>
        targetsOf(page, await read(page)).map(([, target = '']) => ({
          page,
          target: posix.join(posix.dirname(page), target).replace(/\.js$/, '.ts'),
        })),
      ),
    );

    expect(links.flat().length).toBeGreaterThan(100);
    expect(links.flat().filter(({ target }) => !files.includes(target))).toEqual([]);
  });

  test('include the license of each package whose code is bundled', async () => {
    const scripts = await Promise.all(files.filter((path) => /\.c?js$/.test(path)).map(read));
    // esbuild names the file before the code that it has bundled.
    const bundled = new Set(
      scripts.flatMap((script) =>
        [...script.matchAll(/^\s*\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(
          ([, name = '']) => name,
        ),
      ),
    );
    const licensed = new Set((await read('dist/THIRD-PARTY-LICENSES.txt')).split('\n'));

    expect([...bundled]).toEqual(expect.arrayContaining(['entities', 'form-data', 'hono', 'parse5', 'zod']));
    expect([...bundled].filter((name) => !licensed.has(name))).toEqual([]);
  });

  test('contain ky only in the remote entry: imported in the ES module, and bundled in CommonJS, which cannot require it', async () => {
    const scripts = files.filter((path) => /\.c?js$/.test(path));
    const texts = await Promise.all(scripts.map(read));
    const having = (pattern: RegExp) => scripts.filter((_path, index) => pattern.test(texts[index] ?? ''));

    expect(having(/\bfrom\s*["']ky["']/)).toEqual(['dist/mock/remote.js']);
    expect(having(/\brequire\(["']ky["']\)/)).toEqual([]);
    // This is one of its own names. The paths of bundled code are not kept there.
    expect(having(/\bkyOptionKeys\b/)).toEqual(['dist/mock/remote.cjs']);
  });

  test('declare no private field, none of the runtime’s own types by name, and no any', async () => {
    const declarations = files.filter((path) => /\.d\.c?ts$/.test(path));
    const texts = await Promise.all(declarations.map(read));
    // A comment can contain the word any.
    const lines = texts
      .join('\n')
      .split('\n')
      .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line));

    expect(lines.length).toBeGreaterThan(500);
    expect(lines.filter((line) => /__#private|\bNodeJS\.|\bany\b(?!')/.test(line))).toEqual([]);
  });

  test('need only ky and zod from the registry, and bundle no second copy of msw', async () => {
    const lock = JSON.parse(await readFile(join(consumer, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Record<string, { dependencies?: Record<string, string> }>;
    };
    const reached = new Set(['installment-payments']);
    for (const name of reached) {
      const dependencies = lock.packages[`node_modules/${name}`]?.dependencies ?? {};
      for (const dependency of Object.keys(dependencies)) reached.add(dependency);
    }

    const own = lock.packages['node_modules/installment-payments']?.dependencies ?? {};
    expect(Object.keys(own).sort()).toEqual(['ky', 'zod']);
    expect(Object.keys(lock.packages).sort()).toEqual(
      [...reached].map((name) => `node_modules/${name}`).sort(),
    );
    expect(await read('dist/mock/msw.js')).toContain('"msw"');
  });
});
