import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesOf, modules } from './modules.js';

// A test file that cannot load has no test that fails, so Stryker treats such a change as unnoticed. Here the modules
// are loaded within a test.
const root = fileURLToPath(new URL('../../', import.meta.url));
const module = modules[process.env['MUTATION_MODULE'] ?? ''];

test.each(module ? filesOf(module) : [])('%s loads', async (file) => {
  expect(await import(/* @vite-ignore */ root + file)).toBeTypeOf('object');
});
