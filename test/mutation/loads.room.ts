import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// A test file that cannot load has no test that fails, so Stryker takes such a change for unnoticed. Here the modules are
// loaded within a test.
const room = fileURLToPath(new URL(`../../src/${process.env['MUTATION_ROOM'] ?? ''}`, import.meta.url));
const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

test.each(files)('%s loads', async (file) => {
  expect(await import(/* @vite-ignore */ `${room}/${file}`)).toBeTypeOf('object');
});
