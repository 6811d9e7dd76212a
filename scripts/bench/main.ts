/**
 * Measures this package beside its peers, on the current Node and on the Node that is installed beside the peers:
 *
 *   npm run bench                                  every table
 *   npm run bench -- call own5                     some of them
 *   npm run -s bench -- --json                     the same as JSON
 *   npm run bench -- --node=/path/to/node call     on another Node, or several
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Section } from './sections.js';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Installs the peers when they are first needed. They are dependencies only of the benchmarks. */
function installPeers(): void {
  if (existsSync(`${folder}node_modules`)) return;
  console.error('Installing the peers into scripts/bench ...');
  const { status } = spawnSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the peers could not be installed');
}

/** A table of one section, measured on one Node. */
type Result = Section & { readonly node: string };

function print({ title, unit, node, standings }: Result): void {
  console.log(`\n${title} (Node ${node})`);
  for (const { name, value, ratio } of standings) {
    const figure = `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
    console.log(`  ${name.padEnd(28)}${figure.padStart(12)}${ratio.toFixed(2).padStart(8)}`);
  }
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, node: { type: 'string', multiple: true } },
});

installPeers();
const { sections } = await import('./sections.js');
const { nodesToMeasure } = await import('./nodes.js');
const nodes = nodesToMeasure(values.node ?? []);
const results: Result[] = [];
const here = { path: process.execPath, version: process.version };
for (const { key, title, unit, measure, isHere } of sections) {
  if (wanted.length > 0 && !wanted.includes(key)) continue;
  for (const { path, version } of isHere ? [here] : nodes) {
    const result = { key, title, unit, node: version.slice(1), standings: await measure(path) };
    results.push(result);
    if (!values.json) print(result);
  }
}
if (values.json) console.log(JSON.stringify({ date: new Date().toISOString(), results }, undefined, 2));
else
  console.log(
    "\nThe last column is this package's figure divided by that of the row: the median of all rounds.",
  );
