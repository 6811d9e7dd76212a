import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, succeed } from './support.js';

/** The packed package. */
export interface Packed {
  /** A folder in which only the package is installed. */
  readonly consumer: string;
  /** The packed file. */
  readonly tarball: string;
  /** The size of the packed file in bytes. */
  readonly size: number;
  /** The paths in the package. */
  readonly files: readonly string[];
}

interface PackReport {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the content of dist, and installs it in a new folder. `remove` deletes the folder. */
export async function packAndInstall(): Promise<{ packed: Packed; remove: () => Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'installment-payments-')));
  const consumer = join(folder, 'merchant');
  await mkdir(consumer);
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [report] = JSON.parse(await succeed('npm', pack, root)) as readonly PackReport[];
  if (!report) throw new Error('npm pack packed nothing');
  const tarball = join(folder, report.filename);
  await writeFile(join(consumer, 'package.json'), JSON.stringify({ name: 'merchant', private: true }));
  const install = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball];
  await succeed('npm', install, consumer);
  return {
    packed: { consumer, tarball, size: report.size, files: report.files.map(({ path }) => path) },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
