import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { shopAt } from '../../examples/shop/test-support.js';
import { InstallmentClient } from '../../src/entries/index.js';
import { createMockService } from '../../src/entries/mock.js';
import { compiledCommand } from '../helpers/compiled.js';
import { freePort } from '../helpers/free-port.js';
import { rehearseCommand, shopEnvironment, startShop } from '../workbench/rehearsal/rehearse-command.js';
import { expectClean } from './expect-clean.js';
import { fewScenarios } from './few-scenarios.js';

beforeAll(() => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockReturnValue(undefined); // of forged and early webhooks
});
afterAll(() => {
  vi.restoreAllMocks();
});

const sweepEveryMs = 300;

/** A rehearsal of a shop that listens. It calls the checkout, sends webhooks, and reads the order page. */
async function rehearsed(
  port: number,
  shopPort: number,
  checkout: string,
  more: readonly string[],
  changed?: string,
) {
  const shop = `http://127.0.0.1:${shopPort}`;
  const env = shopEnvironment(port, shopPort);
  const { code, report, output } = await rehearseCommand(
    [
      // Longer than the shop waits until it sweeps.
      ...['--port', String(port), '--customer', 'pays', '--settle-ms', String(3 * sweepEveryMs)],
      ...['--checkout', `POST ${shop}${checkout}`, '--order-url', `${shop}/orders/{ref}`],
      ...['--webhook', `${shop}/webhooks/installments`, ...more],
      ...(changed === undefined ? [] : ['--checkout-changed', `POST ${shop}${changed}`]),
    ],
    env,
  );
  expect(report.findings, output).toEqual([]);
  const unjudged = report.scenarios.filter(({ notJudged }) => notJudged !== undefined);
  // These scenarios need a command that restarts the shop (see test/slow/rehearsal), an upload, and a checkout for a
  // more expensive basket.
  const wanting = ['restarted', 'uploads-recognised', ...(changed === undefined ? ['basket-changed'] : [])];
  expect(unjudged.filter(({ name }) => !wanting.includes(name))).toEqual([]);
  expect(code, output).toBe(0);
  return report;
}

const files = [
  [
    'the shop of forty lines',
    'examples/orders/shop.ts',
    '/checkout?order={order}',
    [],
    '/checkout?order={order}&units=3',
  ],
  ['the shop with Fastify', 'examples/fastify.ts', '/checkout/ORDER-{order}', fewScenarios, undefined],
  ['the shop with Hono', 'examples/hono.ts', '/checkout/ORDER-{order}', fewScenarios, undefined],
  [
    'the shop with Next.js',
    'test/examples/serve-next-route.ts',
    '/checkout/ORDER-{order}',
    fewScenarios,
    undefined,
  ],
] as const;

describe.concurrent('a rehearsal finds nothing in', { timeout: 600_000 }, () => {
  it.for(files)('%s', async ([, file, checkout, scenarios, changed], { onTestFinished }) => {
    const [port, shopPort] = [await freePort(), await freePort()];
    const env = { ...shopEnvironment(port, shopPort), SWEEP_EVERY_MS: String(sweepEveryMs) };
    onTestFinished(await startShop([process.execPath, await compiledCommand(file)], env));

    await rehearsed(port, shopPort, checkout, scenarios, changed);
  });

  it('the demo shop, whose form is filled in', async ({ expect, onTestFinished }) => {
    const [port, shopPort] = [await freePort(), await freePort()];
    const client = new InstallmentClient({
      ...createMockService().clientOptions(),
      fetch: undefined,
      baseUrl: `http://127.0.0.1:${port}`,
    });
    const shop = shopAt(createMockService(), {
      client,
      shopUrl: `http://127.0.0.1:${shopPort}`,
      repeatAfterMs: sweepEveryMs,
    });
    const ids = new Map<string, string>();
    const front = new Hono();
    front.post('/checkout', ({ req }) => {
      const order = req.query('order') ?? '';
      const id = ids.get(order) ?? randomUUID();
      ids.set(order, id);
      return shop.checkOut(id);
    });
    front.route('/', shop.app);
    const listener = serve({ fetch: front.fetch, port: shopPort, overrideGlobalObjects: false });
    const timer = setInterval(() => void shop.payments.sweep().catch(console.error), sweepEveryMs);
    onTestFinished(() => {
      clearInterval(timer);
      listener.close();
    });

    expectClean(expect, await rehearsed(port, shopPort, '/checkout?order={order}', []));
  });

  it.for([
    ['PHP', 'php', 'merchant.php'],
    ['Python', 'python3', 'merchant.py'],
  ])('the merchant in %s', async ([, program = '', file], { expect }) => {
    const port = await freePort();
    const command = [program, `examples/other-languages/${file}`, `http://127.0.0.1:${port}`];
    const { report } = await rehearseCommand(
      ['--port', String(port), '--settle-ms', '200', ...fewScenarios, '--', ...command],
      process.env,
    );
    expect(report.findings.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
