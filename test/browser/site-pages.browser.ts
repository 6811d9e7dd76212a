import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { rewriteLinks } from '../../docs/.vitepress/rewrite-links.js';
import { builtSite } from '../helpers/built-site.js';

let files: Set<string>;
/** The pages by path. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const site = await builtSite();
  files = new Set(await readdir(site, { recursive: true }));
  for (const file of files) {
    if (file.endsWith('.html')) pages.set(file, await readFile(join(site, file), 'utf8'));
  }
}, 600_000);

/** The targets of a page's links and images, without other sites. */
function targetsIn(html: string): Set<string> {
  const targets = [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, target = '']) => target);
  return new Set(
    targets
      .map((target) => target.replaceAll('&amp;', '&'))
      .filter((target) => !/^(?:[a-z][a-z+.-]*:|#$)/i.test(target)),
  );
}

const anchorsIn = (html: string) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));

describe('the site', () => {
  test('has no link to a missing page or a missing place on a page', () => {
    const anchors = new Map([...pages].map(([page, html]) => [page, anchorsIn(html)]));
    const broken = [...pages].flatMap(([page, html]) =>
      [...targetsIn(html)]
        .filter((target) => {
          const [path = '', anchor] = target.split('#', 2).map(decodeURIComponent);
          const absolute = posix.resolve('/', posix.dirname(page), path).slice(1);
          const folder = absolute === '' ? 'index.html' : `${absolute}/index.html`;
          const file = path === '' ? page : path.endsWith('/') ? folder : absolute;
          return !files.has(file) || (anchor && anchors.has(file) && !anchors.get(file)?.has(anchor));
        })
        .map((target) => `${page}: ${target}`),
    );

    expect(pages.size).toBeGreaterThan(200);
    expect(broken).toEqual([]);
  });

  test('begins with the README, in English and in Vietnamese, and has every guide', async () => {
    const [, title = ''] = /^# (.+)$/m.exec(await readFile('README.md', 'utf8')) ?? [];
    const guides = (await readdir('docs')).filter((name) => /^[a-z-]+\.md$/.test(name));

    for (const page of ['index.html', 'vi/index.html']) expect(pages.get(page)).toContain(`>${title} <`);
    expect(pages.get('vi/index.html')).toContain('<html lang="vi"');
    for (const guide of guides) {
      const page = `guide/${guide.replace('.md', '.html')}`;
      expect([...pages.keys()]).toContain(page);
      // The reference is in the side bar.
      expect(pages.get('index.html')).toContain(`href="/${page}"`);
    }
  });

  test('links a name in a guide to its page of the reference', () => {
    expect(pages.get('guide/errors.html')).toContain(
      'href="/reference/installment-payments/classes/ValidationError.html"',
    );
  });

  test('can be searched, including the reference', () => {
    expect([...files].filter((file) => file.includes('localSearchIndex')).length).toBeGreaterThan(0);
  });
});

describe('a link to a file', () => {
  const targets = {
    pages: new Set(['README.md', 'docs/webhooks.md', 'examples/README.md', 'examples/shop.ts']),
    names: new Map([['Client', '/reference/Client.md']]),
  };

  test.each([
    ['[a](webhooks.md#b)', '[a](/guide/webhooks.md#b)'],
    ['[a][b]\n\n[b]: webhooks.md#c', '[a][b]\n\n[b]: /guide/webhooks.md#c'],
    ['[a](../README.md)', '[a](/)'],
    ['[`a`](../examples/shop.ts)', '[`a`](/examples/shop.ts.md)'],
    ['![a](diagrams/b.svg)', '![a](/files/docs/diagrams/b.svg)'],
    ['[a](#b) [c](https://d.example/e)', '[a](#b) [c](https://d.example/e)'],
    ['```md\n[a](webhooks.md)\n```', '```md\n[a](webhooks.md)\n```'],
    [
      '`Client` and [`Client`](webhooks.md)',
      '[`Client`](/reference/Client.md) and [`Client`](/guide/webhooks.md)',
    ],
  ])('leads to the place of its target on the site: %s', (markdown, expected) => {
    expect(rewriteLinks(markdown, 'docs/uploads.md', targets)).toBe(expected);
  });
});
