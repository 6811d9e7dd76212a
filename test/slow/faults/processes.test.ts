import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMockService } from '../../../src/mock/index.js';
import { bundled, outputOf } from '../../faults/bundle.js';

const timeoutMs = 300_000;

test(
  'the same instant is the same Request-Time in every time zone and locale',
  async () => {
    await using program = await bundled('request-times');
    const surroundings = [
      { TZ: 'UTC', LC_ALL: 'en_US.UTF-8' },
      { TZ: 'America/St_Johns', LC_ALL: 'th_TH.UTF-8' },
      { TZ: 'Asia/Ho_Chi_Minh', LC_ALL: 'ar_EG.UTF-8' },
    ];
    const outputs = await Promise.all(
      surroundings.map((environment) => outputOf(program.start(environment))),
    );
    const seen = outputs.map(
      (output) => JSON.parse(output) as { locale: string; timeZone: string; times: string[] },
    );
    // The surroundings took effect, or nothing would be shown.
    expect(seen.map(({ locale }) => locale)).toEqual(['en-US', 'th-TH', 'ar-EG']);
    expect(seen.map(({ timeZone }) => timeZone)).toEqual(
      surroundings.map(({ TZ }) => TZ.replace('Ho_Chi_Minh', 'Saigon')),
    );
    for (const { times } of seen) {
      expect(times).toEqual([
        '2026-11-20 00:00:00',
        '2026-11-19 23:59:59',
        '2026-12-31 23:59:59',
        '2027-01-01 00:00:00',
        '2028-02-29 00:00:00',
        '2028-02-29 23:59:59',
        '2026-03-08 12:31:00',
      ]);
    }
  },
  timeoutMs,
);

// Beyond the simulation: processes of the system that SIGKILL ends, with sockets that close as they do.
test(
  '50 processes are killed between send and answer: a new one finds every payment, and creates none twice',
  async () => {
    const kills = 50;
    await using program = await bundled('pay');
    const mock = createMockService();
    await using server = await mock.listen();
    const orders = Array.from({ length: kills }, (_, index) => `KILLED-${String(index)}`);
    const keys = new Map<string, string | undefined>();

    const waits = fc.sample(fc.integer({ min: 0, max: 20 }), kills);

    /** Kills a process that has sent its request, at a moment that differs from time to time. */
    async function killDuring(referenceId: string, index: number): Promise<void> {
      const seen = index % 2 === 0;
      // Half of the kills come once the service has acted and while its answer is held back for good; the others come
      // while the request is on its way, or has only just arrived.
      const fault = seen ? 'hang' : { delayMs: 50 };
      mock.injectFault('initiatePayment', fault, { referenceId, phase: 'after' });
      const child = program.start({ BASE_URL: server.url, ORDERS: referenceId });
      const gone = once(child, 'exit');
      const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
      keys.set(referenceId, /^sending (\w+)/.exec(line.toString())?.[1]);
      if (seen) await mock.journal.waitFor({ referenceId }, { timeoutMs: 30_000 });
      await pause(waits[index]);
      child.kill('SIGKILL');
      await gone;
    }
    const queue = [...orders.entries()];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let next = queue.shift(); next; next = queue.shift()) await killDuring(next[1], next[0]);
      }),
    );

    const stored = new Map(
      mock.payments.all().map(({ referenceId, paymentUrl }) => [referenceId, paymentUrl]),
    );
    expect(stored.size).toBeGreaterThan(0);
    expect(stored.size).toBeLessThan(kills);
    const output = await outputOf(program.start({ BASE_URL: server.url, ORDERS: orders.join(',') }));
    const recovered = new Map(
      [...output.matchAll(/^paid (\S+) (\S+)$/gm)].map(([, order = '', url = '']) => [order, url]),
    );
    const newKeys = [...output.matchAll(/^sending (\w+)$/gm)].map(([, key]) => key);
    expect([...recovered.keys()]).toEqual(orders);
    expect(newKeys).toEqual(orders.map((order) => keys.get(order)));
    for (const [order, paymentUrl] of stored) expect(recovered.get(order)).toBe(paymentUrl);
    const payments = mock.payments.all();
    expect(payments).toHaveLength(kills);
    for (const { referenceId, paymentUrl } of payments) expect(recovered.get(referenceId)).toBe(paymentUrl);
  },
  timeoutMs,
);

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
    // Exact, where the size of a heap wavers by megabytes: of the calls' own objects, next to none are left.
    expect(held).toBeGreaterThan(1_000);
    expect(survivors).toBeLessThan(held / 50);
    expect(bodies).toBeGreaterThan(1_000);
    expect(survivingBodies).toBeLessThan(bodies / 50);
    // The first part warms up. After it the size wavers, but does not rise: 1 kB kept by each call would be 8 MB.
    const [, ...warm] = heap;
    expect(Math.min(...warm.slice(2)) - Math.min(...warm.slice(0, 2))).toBeLessThan(8e6);
    // Twenty answers that unpack to 50 MB each.
    expect(residentGrowth).toBeLessThan(100e6);
  },
  timeoutMs,
);
