import { describe, test } from 'vitest';
import { outages, statementFaults } from './interrupted-storage.js';
import { reference, run, scenarios, type Interrupt, type ShopUnderTest } from './scenarios-under-test.js';

const titled = scenarios.map((scenario) => [scenario.title, scenario] as const);

function isFirst(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'firstPaid' in result && result.firstPaid === true;
}

describe.each(titled)('%s', (_title, scenario) => {
  test.concurrent.for(Object.entries(statementFaults))(
    'has the same result and the same stored order after %s at any statement',
    async ([, fault], { expect }) => {
      const { result, seen, history, positions } = await reference(scenario);
      const outcomes = await Promise.all(
        positions.map(async (at) => {
          const { shop, result: own } = await run(scenario, () => fault(at));
          return [at, own, await shop.seen(), await shop.process().history('A-1')];
        }),
      );
      expect(outcomes).toEqual(positions.map((at) => [at, result, seen, history]));
      expect(seen.violations).toEqual([]);
    },
  );

  test.concurrent.for(Object.entries(outages))(
    'is continued by the next call if the database fails from any statement on, %s',
    async ([, fault], { expect }) => {
      const { settled, positions } = await reference(scenario);
      const outcomes = await Promise.all(
        positions.map(async (at) => {
          const { shop, result } = await run(scenario, () => fault(at));
          // A sweep does not reject with the error of an order.
          if (result instanceof Error) await scenario.call(shop.process());
          return [at, await shop.settled()];
        }),
      );
      expect(outcomes).toEqual(positions.map((at) => [at, settled]));
    },
  );

  test.concurrent('has the same final state and one firstPaid if another process makes the same call before any statement', async ({
    expect,
  }) => {
    const { settled, result, positions } = await reference(scenario);
    const outcomes = await Promise.all(
      positions.map(async (at) => {
        let other: unknown;
        const otherFirst = (shop: ShopUnderTest): Interrupt => {
          return async (statement, index) => {
            if (index === at) other = await scenario.call(shop.process());
            return statement();
          };
        };
        const { shop, result: own } = await run(scenario, otherFirst);
        return [at, [own, other].filter(isFirst).length, await shop.settled()];
      }),
    );
    const firstPaid = isFirst(result) ? 1 : 0;
    expect(outcomes).toEqual(positions.map((at) => [at, firstPaid, settled]));
  });
});
