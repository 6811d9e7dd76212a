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
  // One file as ESM, one as CommonJS: nodenext resolves and reads each in its own way.
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

describe('the declarations of every package are checked', () => {
  test.each(['5.4', '5.9', '6', '7'])('TypeScript %s takes the entries', async (version) => {
    expect(await problemsOf(version, 'nodenext')).toBe('');
  });

  // The files are those that nodenext reads, and the other versions have checked them there.
  test.each([
    ['5.4', ['--skipLibCheck']],
    ['5.9', ['--skipLibCheck']],
    ['6', ['--skipLibCheck']],
    ['7', []],
  ])('TypeScript %s takes the entries as a bundler finds them', async (version, flags) => {
    expect(await problemsOf(version, 'bundler', ...flags)).toBe('');
  });

  test('TypeScript takes the MSW entry, in ESM and CommonJS', async () => {
    expect(await problemsOf('7', 'msw')).toBe('');
  });
});
