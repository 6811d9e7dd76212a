import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root, succeed, toolbox } from './support.js';

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

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed;
  }
}

interface PackReport {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** What tests of a consumer use and the package does not bring: peers, and types of the platform. */
const borrowed = ['msw', '@types/node', '@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'];

/** Installs the toolbox, unless it is installed as its lock file says. */
async function installToolbox(): Promise<void> {
  const stamp = join(toolbox, 'node_modules', '.installed');
  const lock = await readFile(join(toolbox, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  const installed = await readFile(stamp, 'utf8').catch(() => '');
  if (installed === wanted) return;
  await succeed('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], toolbox);
  await writeFile(stamp, wanted);
}

async function packInto(folder: string): Promise<PackReport> {
  const stdout = await succeed(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    root,
  );
  const reports = JSON.parse(stdout) as readonly PackReport[];
  if (!reports[0]) throw new Error('npm pack packed nothing');
  return reports[0];
}

/** Packs what is in dist, and installs it in a fresh folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'installment-payments-')));
  const consumer = join(folder, 'merchant');
  await mkdir(consumer);
  const [{ filename, size, files }] = await Promise.all([packInto(folder), installToolbox()]);
  const tarball = join(folder, filename);
  await writeFile(join(consumer, 'package.json'), JSON.stringify({ name: 'merchant', private: true }));
  const install = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball];
  await succeed('npm', install, consumer);
  for (const name of borrowed) {
    const link = join(consumer, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link, 'dir');
  }
  project.provide('packed', { consumer, tarball, size, files: files.map(({ path }) => path) });
  return () => rm(folder, { recursive: true, force: true });
}
