import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesOf, modules } from './modules.js';

// If a change prevents a test file from loading, no test of this file fails, and Stryker treats the change as
// unnoticed. So these tests load the modules.
const root = fileURLToPath(new URL('../../', import.meta.url));
const module = modules[process.env['MUTATION_MODULE'] ?? ''];

test.each(module ? filesOf(module) : [])('%s loads', async (file) => {
  expect(await import(/* @vite-ignore */ root + file)).toBeTypeOf('object');
});
