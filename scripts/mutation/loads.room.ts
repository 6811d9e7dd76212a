import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesOf, rooms } from './rooms.js';

// A test file that cannot load has no test that fails, so Stryker takes such a change for unnoticed. Here the modules are
// loaded within a test.
const root = fileURLToPath(new URL('../../', import.meta.url));
const room = rooms[process.env['MUTATION_ROOM'] ?? ''];

test.each(room ? filesOf(room) : [])('%s loads', async (file) => {
  expect(await import(/* @vite-ignore */ root + file)).toBeTypeOf('object');
});
