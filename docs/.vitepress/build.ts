import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { DefaultTheme } from 'vitepress';
import { build } from 'vitepress';
import { pageGroups, routeOf, vietnamesePages } from './pages.js';
import { rewriteLinks } from './rewrite-links.js';

/**
 * Builds the site: the guides, the examples that they link, and the reference made from TSDoc.
 *
 *   tsx docs/.vitepress/build.ts [FOLDER]     into `site` without FOLDER
 *
 * VitePress reads one folder of pages, and the pages are in three: they are copied to a temporary one, with their links
 * turned to where they lead on the site.
 */
const out = resolve(process.argv[2] ?? 'site');
// Below the project, so that VitePress finds Vue.
const source = await mkdtemp('.site-');

try {
  await buildSite();
} finally {
  await rm(source, { recursive: true });
}

async function buildSite(): Promise<void> {
  const typedoc = ['node_modules/typedoc/bin/typedoc', '--options', 'docs/.vitepress/typedoc.mjs'];
  await promisify(execFile)(process.execPath, [
    ...typedoc,
    ...['--docsRoot', source],
    ...['--out', join(source, 'reference')],
  ]);
  const reference = JSON.parse(
    await readFile(join(source, 'reference/typedoc-sidebar.json'), 'utf8'),
  ) as DefaultTheme.SidebarItem[];

  const guides = [
    ...pageGroups.flatMap(({ pages }) => pages.map(([file]) => file)),
    ...vietnamesePages.map(([file]) => file),
  ];
  const texts = new Map<string, string>();
  for (const file of guides) texts.set(file, await readFile(file, 'utf8'));
  const linking = [...texts.keys()];
  for (const from of linking) {
    for (const file of linkedFiles(texts.get(from) ?? '', from)) {
      if (texts.has(file)) continue;
      if (/\.(?:svg|png|pdf)$/.test(file)) await copyFile(file);
      else texts.set(file, await asPage(file));
      // A page that no guide links directly needs its own links, too.
      if (file.endsWith('.md')) linking.push(file);
    }
  }

  const targets = { pages: new Set(texts.keys()), names: pagesOfNames(reference) };
  for (const [file, text] of texts) {
    const route = routeOf(file);
    const page = join(source, `${route.endsWith('/') ? `${route}index` : route}.md`);
    await mkdir(dirname(page), { recursive: true });
    await writeFile(page, rewriteLinks(text, file, targets));
  }

  const vitepress = join(source, '.vitepress');
  await mkdir(join(vitepress, 'theme'), { recursive: true });
  const config = JSON.stringify(resolve('docs/.vitepress/config.ts'));
  await writeFile(
    join(vitepress, 'config.ts'),
    `import { siteConfig } from ${config};\n\nexport default siteConfig(${JSON.stringify(reference)});\n`,
  );
  const theme = JSON.stringify(resolve('docs/.vitepress/theme/index.ts'));
  await writeFile(join(vitepress, 'theme/index.ts'), `export { default } from ${theme};\n`);
  await build(source, { outDir: out });
  await writeFile(join(out, 'llms.txt'), await llmsText());
}

/** The index that code assistants read (llmstxt.org): each guide with its title and its first sentence. */
async function llmsText(): Promise<string> {
  const groups = await Promise.all(
    pageGroups.map(async ({ title, pages }) => {
      const lines = await Promise.all(
        pages.map(async ([file, name]) => {
          const [, first = ''] =
            /^# .*\n+([^#\n|`-][^]*?)(?:\n\n|$)/m.exec(await readFile(file, 'utf8')) ?? [];
          const route = routeOf(file);
          const sentence = first.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
          return `- [${name}](${route.endsWith('/') ? route : `${route}.html`}): ${/^.*?[.:](?= |$)/.exec(sentence)?.[0] ?? sentence}`;
        }),
      );
      return `## ${title}\n\n${lines.join('\n')}\n`;
    }),
  );
  const skill = await readFile('skills/installment-payments/SKILL.md', 'utf8');
  const rules = skill.replace(/^---\n[^]*?\n---\n+# .*\n/, '').replaceAll(/^## /gm, '### ');
  return `# installment-payments\n\n> A TypeScript client for installment payments in Vietnam, with a mock of the service.\n\n${groups.join('\n')}\n## Rules for code\n${rules}`;
}

/** The files of the repository that a page links or shows. */
function linkedFiles(markdown: string, from: string): string[] {
  return [...markdown.matchAll(/\]\(([^)#\s]+)[^)]*\)|^\[[^\]]+\]: +([^#\s]+)/gm)]
    .map(([, inline, reference = '']) => inline ?? reference)
    .filter((target) => !/^(?:[a-z][a-z+.-]*:|#)/i.test(target))
    .map((target) => posix.join(posix.dirname(from), target))
    .filter((file) => /\.[a-z]+$/.test(file));
}

async function copyFile(file: string): Promise<void> {
  await cp(file, join(source, 'public/files', file));
}

/** A file of code as a page; another guide as it is. */
async function asPage(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (file.endsWith('.md')) return text;
  const language = /\.(\w+)$/.exec(file)?.[1] ?? 'text';
  return `---\neditLink: false\n---\n\n# ${file}\n\n\`\`\`\`${language}\n${text}\`\`\`\`\n`;
}

/** Exported names that one module alone has, and their pages. */
function pagesOfNames(items: readonly DefaultTheme.SidebarItem[]): Map<string, string> {
  const all = items.flatMap(function flat({ text, link, items: below }): (readonly [string, string])[] {
    const own = text !== undefined && link !== undefined ? [[text, link] as const] : [];
    return [...own, ...(below ?? []).flatMap(flat)];
  });
  return new Map(all.filter(([, link]) => !link.endsWith('/')).reverse());
}
