import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { reference, run, scenarios, type Interrupt, type ShopUnderTest } from './scenarios-under-test.js';

const titled = scenarios.map((scenario) => [scenario.title, scenario] as const);

// The clock of the machines and of the database, which goes on while a process sleeps.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Longer than a claim, and the minute after it. */
const sleepMinutes = 4;

async function othersGoOn(shop: ShopUnderTest): Promise<void> {
  shop.pass(sleepMinutes);
  await shop.process().sweep();
}

describe.each(titled)('%s', (_title, scenario) => {
  test('has the same final state if its process sleeps after any statement until its claim is over', async () => {
    const { settled, positions } = await reference(scenario, true);
    for (const at of positions) {
      const sleep = (shop: ShopUnderTest): Interrupt => {
        return async (statement, index) => {
          const result = await statement();
          if (index === at) shop.pass(sleepMinutes);
          return result;
        };
      };
      const { shop } = await run(scenario, sleep, true);
      expect([at, await shop.settled()]).toEqual([at, settled]);
    }
  });

  test('has the final state of a call before or after those of other processes that run while it sleeps', async () => {
    const { settled, positions } = await reference(scenario, true);
    const later = await reference(
      {
        ...scenario,
        before: async (payments, shop) => {
          await scenario.before?.(payments, shop);
          await othersGoOn(shop);
        },
      },
      true,
    );
    for (const at of positions) {
      const sleep = (shop: ShopUnderTest): Interrupt => {
        return async (statement, index) => {
          const result = await statement();
          if (index === at) await othersGoOn(shop);
          return result;
        };
      };
      const { shop } = await run(scenario, sleep, true);
      expect([settled, later.settled]).toContainEqual(await shop.settled());
    }
  });
});
