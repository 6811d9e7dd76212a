import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

async function licenseOf(name: string): Promise<string> {
  const folder = join('node_modules', name);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled, and its license cannot be found`);
  const text = await readFile(join(folder, file), 'utf8');
  return `${name}\n${'='.repeat(name.length)}\n\n${text.trim()}\n`;
}

/** The licenses of bundled packages. */
export async function licensesOf(names: Iterable<string>): Promise<string> {
  const licenses = await Promise.all([...new Set(names)].sort().map(licenseOf));
  return licenses.join('\n\n');
}
