import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, succeed } from './support.js';

/** The package as its users get it. */
export interface Packed {
  /** A folder in which nothing is installed but the package. */
  readonly consumer: string;
  /** The packed file. */
  readonly tarball: string;
  /** Bytes of the packed file. */
  readonly size: number;
  /** Paths in the package. */
  readonly files: readonly string[];
}

interface PackReport {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs what is in dist, and installs it in a fresh folder; `remove` takes that away again. */
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
