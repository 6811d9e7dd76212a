import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest and mostly wait: begun first, they wait while the others compute. */
const waiting = [
  'planted',
  'rehearsed',
  'idle-connections',
  'processes',
  'simulation',
  'rehearse',
  'checkout',
  'forged-notifications',
];

function rank({ moduleId }: TestSpecification): number {
  const found = waiting.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return found === -1 ? waiting.length : found;
}

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
