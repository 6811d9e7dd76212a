import type { TestProject } from 'vitest/node';
import { packAndInstall, type Packed } from '../package/pack.js';
import { installToolbox } from '../package/support.js';

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed;
  }
}

/** One packed package, and the bundlers, for all tests of this folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [{ packed, remove }] = await Promise.all([packAndInstall(), installToolbox(import.meta.dirname)]);
  project.provide('packed', packed);
  return remove;
}
