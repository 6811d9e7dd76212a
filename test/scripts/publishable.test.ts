import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'publishable-'));
afterAll(() => rmSync(folder, { recursive: true }));

function check(manifest: object) {
  const file = join(folder, 'package.json');
  writeFileSync(file, JSON.stringify(manifest));
  const { status, stderr } = spawnSync(process.execPath, ['.ci/check-publishable.mjs', file], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('a package is not published without its place, which a person names', () => {
  const place = {
    repository: 'github:shop/payments',
    homepage: 'https://shop.example',
    bugs: 'bugs@shop.example',
  };
  expect(check(place)).toEqual({ status: 0, stderr: '' });
  expect(check({ ...place, bugs: undefined, homepage: '' })).toEqual({
    status: 1,
    stderr: 'package.json has no homepage, no bugs: set what is missing before a release.\n',
  });
});
