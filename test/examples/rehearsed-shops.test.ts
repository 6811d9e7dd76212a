import { describe, expect, it } from 'vitest';
import { compiledCommand } from '../helpers/compiled.js';
import { freePort } from '../helpers/free-port.js';
import { rehearseCommand, shopEnvironment, startShop } from '../workbench/rehearsal/rehearse-command.js';

// `WORLDS=all npx vitest run rehearsed-shops` tries every world.
const worlds = process.env['WORLDS'] === 'all' ? [] : ['--worlds', 'repeat-duplicate,strange'];

const shops = {
  Fastify: 'examples/fastify.ts',
  Hono: 'examples/hono.ts',
  'Next.js': 'test/examples/serve-next-route.ts',
};

/** A rehearsal of an example in a process of its own has no finding. */
async function expectNothing(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { code, report, output } = await rehearseCommand([...args, ...worlds], env);
  expect(report.findings, output).toEqual([]);
  expect(code).toBe(0);
}

describe.concurrent('A rehearsal finds nothing in', { timeout: 600_000 }, () => {
  it.each(Object.entries(shops))('the shop with %s, as its file stands', async (_name, file) => {
    const [port, shopPort] = [await freePort(), await freePort()];
    const env = shopEnvironment(port, shopPort);
    const shop = `http://127.0.0.1:${shopPort}`;
    const stop = await startShop([process.execPath, await compiledCommand(file)], env);
    try {
      await expectNothing(
        [
          ...['--port', String(port), '--customer', 'pays', '--settle-ms', '200'],
          ...['--checkout', `POST ${shop}/checkout/ORDER-{order}`, '--order-url', `${shop}/orders/{ref}`],
          ...['--webhook', `${shop}/webhooks/installments`],
        ],
        env,
      );
    } finally {
      await stop();
    }
  });

  it.each([
    ['PHP', 'php', 'merchant.php'],
    ['Python', 'python3', 'merchant.py'],
  ])('the merchant in %s, as its file stands', async (_name, program, file) => {
    const port = await freePort();
    const command = [program, `examples/other-languages/${file}`, `http://127.0.0.1:${port}`];
    const { findings } = (
      await rehearseCommand(
        ['--port', String(port), '--settle-ms', '200', ...worlds, '--', ...command],
        process.env,
      )
    ).report;
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
