import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { seed } from '../helpers/seed.js';
import { defects } from './defects.js';
import { runEpisode } from './episode.js';
import { planOf } from './plan.js';
import { root, withDefect } from './program.js';

beforeEach(() => {
  // The shop writes down what it refuses.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the simulation', () => {
  test('two hundred orders of a random seed break no promise', async () => {
    for (const planned of planOf(seed, 200)) {
      const { violations } = await runEpisode(planned.seed, planned.orders);
      expect(violations, `npm run simulate -- --seed ${String(planned.seed)} --orders ${String(planned.orders)}`).toEqual([]); // prettier-ignore
    }
  }, 120_000);

  test('one seed gives one journal, run again and run beside another', async () => {
    const { hash } = await runEpisode(seed, 5);
    const [beside, other] = await Promise.all([runEpisode(seed, 5), runEpisode(seed + 1, 5)]);

    expect(beside.hash).toBe(hash);
    expect(other.hash).not.toBe(hash);
  });
});

test.each(defects)('the defect $name can be planted', (defect) => {
  for (const { file } of [defect, ...(defect.also ? [defect.also] : [])]) {
    const code = readFileSync(join(root, file), 'utf8');

    expect(withDefect(code, file, defect)).not.toBe(code);
  }
});
