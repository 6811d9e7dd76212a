import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packAndInstall, type Packed } from './pack.js';
import { installToolbox, root } from './support.js';

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed;
  }
}

/** Packages that the tests of a consumer use beside this one: peers, and types of the platform. */
const borrowed = [
  'msw',
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace-node',
  '@types/node',
  '@nestjs/common',
  '@nestjs/core',
  'reflect-metadata',
  'rxjs',
];

async function borrow(consumer: string): Promise<void> {
  for (const name of borrowed) {
    const link = join(consumer, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link, 'dir');
  }
}

/** One packed package and one installation for all tests of a project. The toolbox is for the consumers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [{ packed, remove }] = await Promise.all([
    packAndInstall(),
    project.name === 'consumers' ? installToolbox() : undefined,
  ]);
  await borrow(packed.consumer);
  project.provide('packed', packed);
  return remove;
}
