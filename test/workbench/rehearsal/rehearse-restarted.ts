import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../helpers/free-port.js';
import type { ScenarioName } from '../../../src/entries/mock.js';
import type { RuleName } from '../../../src/workbench/findings/all-rules.js';
import { rehearseCommand, shopEnvironment, untilUp, type Rehearsed } from './rehearse-command.js';

/** The rule and the scenario that find a shop which keeps its orders in memory. */
export const forgetfulShop: readonly [RuleName, ScenarioName] = ['paid-not-counted', 'restarted'];

/** Ends the shop whose process ID is in the file `pid`. */
const stop = 'old=$(cat pid); kill -9 $old; while kill -0 $old 2>/dev/null; do sleep 0.05; done';

/** Commands that restart the shop: the first ends, the second becomes the shop. */
export const restarts = {
  'that starts the shop and ends': `${stop}; "$NODE" "$SHOP" & echo $! > pid`,
  'that becomes the shop': `${stop}; echo $$ > pid; exec "$NODE" "$SHOP"`,
} as const;

export interface RestartedShop {
  /** A script that Node runs, which listens on PORT. */
  readonly script: string;
  /** The variable with the file of its orders. Without this variable, the orders are only in memory. */
  readonly storedIn?: string;
  readonly webhook: string;
  /** Longer than it waits until it sweeps. */
  readonly settleMs: number;
}

/** A shop in plain JavaScript. */
export function plainShop(storedIn?: string): RestartedShop {
  const script = join(process.cwd(), 'test/workbench/rehearsal/merchants/restarted.mjs');
  return { script, webhook: '/webhook', settleMs: 200, ...(storedIn !== undefined && { storedIn }) };
}

/** Rehearses a shop with `--restart`. */
export async function rehearseRestarted(
  { script, storedIn, webhook, settleMs }: RestartedShop,
  command: string,
): Promise<Rehearsed> {
  const [port, shopPort] = [await freePort(), await freePort()];
  const folder = await mkdtemp(join(tmpdir(), 'restarted-'));
  const env = {
    ...shopEnvironment(port, shopPort),
    NODE: process.execPath,
    SHOP: script,
    SWEEP_EVERY_MS: '300',
    ...(storedIn !== undefined && { [storedIn]: join(folder, 'orders') }),
  };
  const first = spawn(env.NODE, [env.SHOP], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${shopPort}`;
  try {
    await writeFile(join(folder, 'pid'), String(first.pid));
    await untilUp(shopPort, first);
    return await rehearseCommand(
      [
        ...['--port', String(port), '--settle-ms', String(settleMs), '--scenarios', 'restarted'],
        ...['--customer', 'pays', '--checkout', `POST ${url}/checkout?order={order}`],
        ...['--webhook', url + webhook, '--order-url', `${url}/orders/{ref}`],
        ...['--restart', `cd '${folder}'; ${command}`],
      ],
      env,
    );
  } finally {
    process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 'SIGKILL');
    await rm(folder, { recursive: true });
  }
}
