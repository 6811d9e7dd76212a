import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const folder = (name: string) =>
  readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file}`);

const pages = [...readdirSync(root), ...folder('docs'), ...folder('examples')].filter((file) =>
  file.endsWith('.md'),
);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** Text without fences; `code` too is left out, where a link would be no link. */
const withoutFences = (markdown: string) => markdown.replaceAll(/^(```+)[^]*?^\1$/gm, '');
const withoutCode = (markdown: string) => withoutFences(markdown).replaceAll(/`[^`\n]*`/g, '');

/** The targets of links and images, also in HTML. */
function targetsIn(markdown: string): string[] {
  const text = withoutCode(markdown);
  const forms = [/\]\(<?([^)\s>]+)/g, /^\[[^\]]+\]: *(\S+)/gm, /\b(?:href|src)="([^"]+)"/g];
  return forms.flatMap((form) => [...text.matchAll(form)].map(([, target = '']) => target));
}

/** The anchors of a page's headings, as GitHub names them. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${slug}-${String(copy)}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The problem with a target, or undefined. Other sites are not asked. */
function problemOf(target: string, page: string, markdown: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) {
    return /^https:\/\/[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(target)
      ? undefined
      : `${target} is not an https URL`;
  }
  const [path = '', anchor] = target.split('#', 2);
  const file = relative(root, join(root, dirname(page), decodeURIComponent(path)));
  if (path !== '' && (file.startsWith('..') || !existsSync(join(root, file))))
    return `${target} does not exist`;
  if (anchor === undefined) return undefined;
  const anchors = anchorsOf(path === '' ? markdown : read(file));
  return anchors.has(decodeURIComponent(anchor)) ? undefined : `${target} has no such heading`;
}

function brokenLinks(page: string, markdown: string): string[] {
  return targetsIn(markdown).flatMap((target) => problemOf(target, page, markdown) ?? []);
}

/** Paths in `code`, and commands of npm anywhere, that the project does not have. */
function unknownNames(markdown: string): string[] {
  const paths = [...withoutFences(markdown).matchAll(/`((?:src|test|docs|examples|\.ci)\/[\w./-]*)`/g)];
  const commands = [...markdown.matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)];
  return [
    ...paths.flatMap(([, path = '']) => (existsSync(join(root, path)) ? [] : path)),
    ...commands.flatMap(([command, name = '']) => (name in scripts ? [] : command)),
  ];
}

describe('the pages that people read', () => {
  test('are the pages of the root, the guides and the examples', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/webhooks.md', 'examples/README.md']));
    expect(pages.flatMap((page) => targetsIn(read(page))).length).toBeGreaterThan(50);
  });

  test.each(pages)('%s has no broken link, and names only paths and commands that exist', (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
    expect(unknownNames(read(page))).toEqual([]);
  });

  test('the README leads to every guide', () => {
    const linked = targetsIn(read('README.md')).map((target) => target.split('#', 1)[0]);

    // The README in Vietnamese leads to the other pages in Vietnamese.
    const guides = pages.filter((page) => page.startsWith('docs/') && !page.endsWith('.vi.md'));
    expect(guides.filter((page) => !linked.includes(page))).toEqual([]);
  });

  test.each([
    ['[a](missing.md)', 'missing.md does not exist'],
    ['[a](webhooks.md#no-heading)', 'webhooks.md#no-heading has no such heading'],
    ['[a](http://example.com/)', 'http://example.com/ is not an https URL'],
    ['<img src="missing.png">', 'missing.png does not exist'],
  ])('a broken link is found: %s', (markdown, problem) => {
    expect(brokenLinks('docs/page.md', markdown)).toEqual([problem]);
  });

  test('links in code are not followed, and repeated headings are told apart', () => {
    const markdown =
      '# Trả góp: `wire`?\n# A\n# A\n[b](#trả-góp-wire) [c](#a-1) `[d](e.md)`\n```ts\n// [f](g.md)\n```\n';

    expect(brokenLinks('docs/page.md', markdown)).toEqual([]);
  });

  test('an unknown path or command is found', () => {
    expect(unknownNames('`src/nothing.ts` and npm run nothing')).toEqual([
      'src/nothing.ts',
      'npm run nothing',
    ]);
  });
});
