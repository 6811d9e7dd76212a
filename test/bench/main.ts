import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Section } from './sections.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The peers are dependencies of the benchmarks alone: they are installed when they are first needed. */
function installPeers(): void {
  if (existsSync(`${here}node_modules`)) return;
  console.error('Installing the peers into test/bench ...');
  const { status } = spawnSync('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the peers could not be installed');
}

function print({ title, unit, standings }: Section): void {
  const [first] = standings;
  console.log(`\n${title}`);
  for (const { name, value, ratio } of standings) {
    const figure = `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
    const compared = name === first?.name ? '1' : ratio.toFixed(2);
    console.log(`  ${name.padEnd(28)}${figure.padStart(12)}${compared.padStart(8)}`);
  }
}

const json = process.argv.includes('--json');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));

installPeers();
const { sections } = await import('./sections.js');
const results: Section[] = [];
for (const { key, title, unit, measure } of sections) {
  if (wanted.length > 0 && !wanted.includes(key)) continue;
  const section = { key, title, unit, standings: await measure() };
  results.push(section);
  if (!json) print(section);
}
if (json)
  console.log(
    JSON.stringify({ node: process.version, date: new Date().toISOString(), results }, undefined, 2),
  );
else console.log('\nThe last column is the ratio to the first line: medians over rounds that alternate.');
