import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { userAgent } from '../src/http/runtime.js';
import { version } from '../src/version.js';

it('the version is the one in package.json', () => {
  const json = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(json)).toHaveProperty('version', version);
});

it('User-Agent names the package and the runtime', () => {
  expect(userAgent).toBe(`installment-payments/${version} node/${process.versions.node}`);
});
