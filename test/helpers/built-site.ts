import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The time when the newest source file of the site was written, in milliseconds. */
function newestSource(): number {
  const below = ['docs', 'examples', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const pages = readdirSync('.').filter((file) => file.endsWith('.md'));
  const files = [...below, ...pages];
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}

/** The folder of the site, built as `npm run docs` does it, if anything has changed since it was built last. */
export async function builtSite(): Promise<string> {
  const builtAt = existsSync('site/index.html') ? statSync('site/index.html').mtimeMs : 0;
  if (newestSource() > builtAt)
    await promisify(execFile)(process.execPath, ['--import', 'tsx', 'docs/.vitepress/build.ts']);
  return 'site';
}
