import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// As `npm run docs` builds it, into another folder.
let site: string;
let files: Set<string>;
/** The pages by path. */
const pages = new Map<string, string>();

beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), 'site-'));
  const typedoc = ['node_modules/typedoc/bin/typedoc', '--options', 'test/typedoc.json', '--out', site];
  await promisify(execFile)(process.execPath, typedoc);
  files = new Set(await readdir(site, { recursive: true }));
  for (const file of files) {
    if (file.endsWith('.html')) pages.set(file, await readFile(join(site, file), 'utf8'));
  }
}, 600_000);
afterAll(() => rm(site, { recursive: true }));

/** The targets of a page's links and images, without other sites. */
function targetsIn(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)]
    .map(([, target = '']) => target.replaceAll('&amp;', '&'))
    .filter((target) => !/^(?:[a-z][a-z+.-]*:|#$)/i.test(target));
}

test('every link between the pages of the site leads to a page and to a place on it', () => {
  const broken = [...pages].flatMap(([page, html]) =>
    targetsIn(html)
      .filter((target) => {
        const [path = '', anchor] = target.split('#', 2).map(decodeURIComponent);
        // The front page is `../` to a guide.
        const file = path === '' ? page : normalize(join(dirname(page), path.replace(/\/$/, '/index.html')));
        const place = pages.get(file);
        return !files.has(file) || (anchor && place !== undefined && !place.includes(`id="${anchor}"`));
      })
      .map((target) => `${page}: ${target}`),
  );

  expect(pages.size).toBeGreaterThan(100);
  expect(broken).toEqual([]);
});

test('the README is the front page, and guides, reference and search are one site', async () => {
  const [, title = ''] = /^# (.+)$/m.exec(await readFile('README.md', 'utf8')) ?? [];
  const guides = (await readdir('docs')).filter((name) => name.endsWith('.md'));

  expect(pages.get('index.html')).toContain(`>${title}<`);
  expect(files).toContain(join('assets', 'search.js'));
  expect([...pages.keys()].filter((page) => page.startsWith('documents')).length).toBeGreaterThan(
    guides.length,
  );
  expect(pages.get(join('documents', 'Outcomes_and_errors.html'))).toContain(
    'href="../classes/index.ValidationError.html"',
  );
});
