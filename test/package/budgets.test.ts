import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { evaluate } from './support.js';

const { consumer, size, files } = inject('packed');
const figures = await readFile('docs/performance.md', 'utf8');
const dist = join(consumer, 'node_modules/installment-payments/dist/esm');

/** A file and every file that it loads at once, by path. */
async function loadedWith(path: string, loaded = new Set<string>()): Promise<Set<string>> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  const code = await readFile(path, 'utf8');
  for (const [, next = ''] of code.matchAll(/\b(?:import|from) ?["'](\.[^"']+)["']/g)) {
    await loadedWith(join(dirname(path), next), loaded);
  }
  return loaded;
}

/**
 * CPU milliseconds of whole processes that load something: of seven rounds, the least disturbed of each. Where these are not
 * within a budget there are more rounds, 40 at most: other work on the machine adds to a figure and never takes from it.
 */
async function leastCpu(loads: readonly string[], isWithin: (least: number[]) => boolean): Promise<number[]> {
  const least = loads.map(() => Infinity);
  for (let round = 0; round < 7 || (round < 40 && !isWithin(least)); round++) {
    for (const [index, load] of loads.entries()) {
      const code = `${load}; const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
      const used = (await evaluate(code, 'module', consumer)) as number;
      least[index] = Math.min(least[index] ?? Infinity, used);
    }
  }
  return least;
}

/** A figure of the guide to size and speed. The budget is a little above it, so that neither moves without the other. */
function said(sentence: RegExp): number {
  const figure = Number(sentence.exec(figures)?.[1]);
  if (Number.isNaN(figure)) throw new Error(`docs/performance.md has no figure like ${String(sentence)}`);
  return figure;
}

beforeAll(() => writeFile(join(consumer, 'empty.mjs'), ''));

describe('the package stays small', () => {
  test('packed', () => {
    // Most of it is the mock with its pages, and the guides.
    expect(size).toBeLessThan(800_000);
    expect(size / 1e6).toBeGreaterThan(said(/([\d.]+) MB packed/) * 0.9);
    // The other files are listed in contents.test.ts.
    expect(files.filter((path) => path.startsWith('dist/')).length).toBeLessThan(85);
  });

  test('the main entry, with all it loads at once', async () => {
    const loaded = await loadedWith(join(dist, 'index.js'));
    const sizes = await Promise.all([...loaded].map(async (path) => (await stat(path)).size));
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);

    const kilobytes = said(/(\d+) kB of JavaScript/);
    expect(total / 1e3).toBeLessThan(kilobytes * 1.03);
    expect(total / 1e3).toBeGreaterThan(kilobytes * 0.9);
  });

  test('the main entry loads neither the mock nor the modules that connections are made with', async () => {
    const loaded = await loadedWith(join(dist, 'index.js'));
    const code = (await Promise.all([...loaded].map((path) => readFile(path, 'utf8')))).join('\n');

    expect(code).not.toMatch(/createMockService|from ?"node:(?:https?|tls)"/);
    expect(code).toContain('createHmac');
  });
});

test('the package starts fast: a process that loads it against one that imports an empty module', async () => {
  const budgets = [said(/uses ([\d.]+) times the CPU/) * 1.3, 2.5];
  const ratios = ([empty = 0, ...loaded]: number[]) => loaded.map((milliseconds) => milliseconds / empty);
  const isWithin = (least: number[]) => ratios(least).every((ratio, index) => ratio < (budgets[index] ?? 0));

  const least = await leastCpu(
    [
      'await import("./empty.mjs")',
      'await import("installment-payments")',
      'process.getBuiltinModule("node:module").createRequire(`${process.cwd()}/`)("installment-payments")',
    ],
    isWithin,
  );

  expect(isWithin(least), `budgets ${String(budgets)}, used ${String(ratios(least))}`).toBe(true);
});
