import { expect, test } from 'vitest';
import { bundled, outputOf } from '../../faults/bundle.js';

const timeoutMs = 300_000;

test(
  '20,000 calls with faults leave no timer, socket or listener, and no growing heap',
  async () => {
    await using program = await bundled('leaks');
    const output = await outputOf(program.start({ CALLS: '20000' }, ['--expose-gc']));
    const found = JSON.parse(output) as {
      heap: number[];
      warnings: string[];
      held: number;
      survivors: number;
      bodies: number;
      survivingBodies: number;
      residentGrowth: number;
      listeners: number;
      resources: string[];
    };
    const { heap, warnings, held, survivors, bodies, survivingBodies, residentGrowth, listeners, resources } =
      found;
    expect(warnings).toEqual([]);
    expect(resources).toEqual([]);
    expect(listeners).toBe(0);
    // The number of objects is exact, while the size of a heap varies by megabytes. Almost no objects of the calls
    // may remain.
    expect(held).toBeGreaterThan(1_000);
    expect(survivors).toBeLessThan(held / 50);
    expect(bodies).toBeGreaterThan(1_000);
    expect(survivingBodies).toBeLessThan(bodies / 50);
    // The first part warms up. After it the size varies, but does not rise: 1 kB for each call would be 8 MB.
    const [, ...warm] = heap;
    expect(Math.min(...warm.slice(2)) - Math.min(...warm.slice(0, 2))).toBeLessThan(8e6);
    // Twenty responses that decompress to 50 MB each.
    expect(residentGrowth).toBeLessThan(100e6);
  },
  timeoutMs,
);
