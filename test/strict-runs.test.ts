import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';
import { expect, test } from 'vitest';
import { StrictReporter } from './helpers/strict-reporter.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = readdirSync(join(root, 'test'), { withFileTypes: true }).filter(
  // A name that begins with a dot belongs to another test that runs now.
  (entry) => entry.isDirectory() && !entry.name.startsWith('.'),
);
const configs = ['.', ...folders.map(({ name }) => `test/${name}`)]
  .map((folder) => join(folder, 'vitest.config.ts'))
  .filter((config) => existsSync(join(root, config)));

test('the suites with a configuration of their own are known', () => {
  expect(configs).toEqual(
    expect.arrayContaining([
      'vitest.config.ts',
      'test/browser/vitest.config.ts',
      'test/redis/vitest.config.ts',
    ]),
  );
});

test.each(configs)(
  '%s fails a run with .only, with skips, and with tests that assert nothing',
  async (config) => {
    const { default: given } = (await import(pathToFileURL(join(root, config)).href)) as {
      default: ViteUserConfig;
    };

    expect(given.test).toMatchObject({ allowOnly: false, expect: { requireAssertions: true } });
    expect(given.test?.reporters).toContainEqual(expect.any(StrictReporter));
  },
);
