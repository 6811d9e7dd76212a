import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withJoinedFences } from '../helpers/snippets.js';
import { root, run } from '../package/support.js';

interface Example {
  /** The file and line of the example. */
  readonly origin: string;
  readonly code: string;
}

/** The TypeScript and JavaScript in a file's fences, including fences in comments. */
function examplesIn(file: string): Example[] {
  const text = withJoinedFences(readFileSync(join(root, file), 'utf8'));
  return [...text.matchAll(/^( *\* )?```[jt]s\n([^]*?)^(?: *\* )?```$/gm)].map((match) => ({
    origin: `${file}:${String(text.slice(0, match.index).split('\n').length + 1)}`,
    code: (match[2] ?? '').replaceAll(/^ *\* ?/gm, match[1] === undefined ? '$&' : ''),
  }));
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join('src', name));
// The pages in Vietnamese have the code of the English pages.
const guides = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md') && !name.endsWith('.vi.md'))
  .map((name) => join('docs', name));
// These drivers are not installed here. test/databases runs their adapters from the text of the guide.
const { dependencies } = JSON.parse(
  readFileSync(join(root, 'test/databases/adapters/package.json'), 'utf8'),
) as { dependencies: object };
const elsewhere = [...Object.keys(dependencies), 'better-sqlite3'];
const examples = [...sources, 'README.md', 'skills/installment-payments/SKILL.md', ...guides]
  .flatMap(examplesIn)
  .filter(({ code }) => !elsewhere.some((name) => code.includes(`from '${name}`)));

/** The type errors of each example. Each example is a module that imports the package by its name. */
async function problemsOf(all: readonly Example[]): Promise<string[]> {
  // The files are beside the tests, so that other packages are found.
  const folder = mkdtempSync(join(root, 'test/.documentation-'));
  const config = { extends: '../../tsconfig.json', include: ['*.ts'] };
  const compilerOptions = { moduleDetection: 'force' };
  try {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions }));
    // Only the errors of the compiler, as the lint of this project finds them: in a tenth of the time of `tsc`.
    const onlyTypes = { options: { typeAware: true, typeCheck: true }, categories: { correctness: 'off' } };
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ plugins: ['typescript'], ...onlyTypes }));
    const names = all.map((_example, index) => `${String(index)}.ts`);
    for (const [index, { code }] of all.entries()) writeFileSync(join(folder, names[index] ?? ''), code);
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
    const { output } = await run(process.execPath, [oxlint, '--format', 'unix', ...names], folder);
    return output
      .split('\n')
      .filter((line) => /^\d+\.ts:/.test(line))
      .map((line) => line.replace(/^(\d+)\.ts/, (_path, index: string) => all[Number(index)]?.origin ?? ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// One compiler run checks all examples. The broken example shows that an error is found, with its position.
test('every example in the sources, the README and the guides compiles', { timeout: 180_000 }, async () => {
  const broken = { origin: 'here:1', code: "import { Nothing } from 'installment-payments';" };

  expect(examples.length).toBeGreaterThan(30);
  expect(await problemsOf([...examples, broken])).toEqual([expect.stringMatching(/^here:1:.*Nothing/)]);
});

test('the guide to orders has a row for each option, with its default if that is a number', () => {
  const source = readFileSync(join(root, 'src/orders/options.ts'), 'utf8');
  const [options = ''] = /export interface OrderPaymentsOptions \{[^]*?^\}/m.exec(source) ?? [];
  const comments = [...options.matchAll(/\/\*\*([^]*?)\*\/\s+readonly (\w+)/g)];
  const documented = new Map(
    comments.map(([, comment = '', name]) => [name, /@default (\d+)/.exec(comment)?.[1]]),
  );
  const guide = readFileSync(join(root, 'docs/orders.md'), 'utf8');
  const section = guide.slice(guide.indexOf('## Options'), guide.length);
  const rows = new Map<string | undefined, string | undefined>();
  for (const [, names = '', value] of section.matchAll(/^\| (`.*?`)(?: \(([^)]*)\))? +\|/gm))
    for (const [, name] of names.matchAll(/`(\w+)`/g))
      rows.set(name, /^[\d ]+$/.test(value ?? '') ? value?.replace(' ', '') : undefined);

  expect(documented.get('repeatAfterMs')).toBe('60000');
  expect(rows).toEqual(documented);
});

test('no page has a negation as a heading before an imperative, which a skimming reader would misread', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const negation = /\*\*(?:Do not|Never|Không làm|Không|Không được)[.:]\*\*/;

  expect(pages.filter((name) => negation.test(readFileSync(join(root, 'docs', name), 'utf8')))).toEqual([]);
});

describe('the guide to going live', () => {
  const guide = readFileSync(join(root, 'docs/go-live.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| (\d+)\. (.*) \|$/gm)].map(([, number, cells = '']) => ({
    number: Number(number),
    switches: cells.split(' | ')[2] ?? '',
  }));

  test('has ten questions, and the tables of options list its switches', () => {
    const tables = ['configuration', 'assumptions', 'webhooks', 'payment-request']
      .map((page) => readFileSync(join(root, `docs/${page}.md`), 'utf8'))
      .join('\n');
    const names = rows.flatMap(({ switches }) =>
      [...switches.matchAll(/(?<!BullMQ's )`([\w.]+)/g)].map(([, name = '']) => name),
    );

    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !tables.includes(name))).toEqual([]);
  });
});
