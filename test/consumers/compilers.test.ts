import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { root, run, toolbox } from '../package/support.js';

const { consumer } = inject('packed');

const common = {
  target: 'ES2022',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext', lib: ['ES2023'] };
const bundler = { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2023'] };

const projects = {
  // One file is ESM and one is CommonJS, because nodenext resolves and reads them differently.
  nodenext: { source: 'usage.ts', files: ['usage.mts', 'usage.cts'], options: nodenext },
  bundler: { source: 'usage.ts', files: ['usage.ts'], options: bundler },
  msw: {
    source: 'msw.ts',
    files: ['msw.mts', 'msw.cts'],
    options: { ...nodenext, lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
  },
};

beforeAll(async () => {
  for (const [name, { source, files, options }] of Object.entries(projects)) {
    const folder = join(consumer, name);
    await mkdir(folder);
    for (const file of files) await cp(join(root, 'test/package/consumer', source), join(folder, file));
    const config = { compilerOptions: { ...common, ...options }, files };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  }
});

async function problemsOf(version: string, project: string, ...flags: string[]): Promise<string> {
  const compiler = join(toolbox, 'node_modules', `typescript-${version}`, 'bin/tsc');
  const args = [compiler, '-p', join(consumer, project), ...flags];
  const { code, output } = await run(process.execPath, args, consumer);
  return code === 0 ? output : `exit code ${String(code)}\n${output}`;
}

describe('the declarations of every package', () => {
  test.each(['5.4', '5.9', '6', '7'])('compile with TypeScript %s', async (version) => {
    expect(await problemsOf(version, 'nodenext')).toBe('');
  });

  // These are the files that nodenext reads. The other versions have already checked them there.
  test.each([
    ['5.4', ['--skipLibCheck']],
    ['5.9', ['--skipLibCheck']],
    ['6', ['--skipLibCheck']],
    ['7', []],
  ])('compile with TypeScript %s, with the resolution of a bundler', async (version, flags) => {
    expect(await problemsOf(version, 'bundler', ...flags)).toBe('');
  });

  test('include the MSW entry, in ESM and CommonJS', async () => {
    expect(await problemsOf('7', 'msw')).toBe('');
  });
});
