import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../../src/workbench/cli/rehearse-options.js';
import { shopRestart } from '../../../src/workbench/cli/rehearse-restart.js';
import type { OrderPage } from '../../../src/workbench/rehearsal/order-page-checks.js';

const shown = () => Promise.resolve({ showsPaid: false });
const gone = () => Promise.reject(new Error('ECONNREFUSED'));
const never = new AbortController().signal;

/** Restarts a shop whose order page shows these states, one after another. The last state remains. */
function restart(command: string, pageChecks: readonly OrderPage[], signal = never) {
  let asked = 0;
  const page: OrderPage = (referenceId, limit) => {
    const pageCheck = pageChecks[Math.min(asked, pageChecks.length - 1)] ?? gone;
    asked += 1;
    return pageCheck(referenceId, limit);
  };
  return shopRestart(command, process.env, page, 1500)('R-1', signal).then(() => asked);
}

describe('a restart of the shop', () => {
  test('is over once its command has ended and the order page responds', async () => {
    expect(await restart('true', [gone, gone, shown])).toBeGreaterThanOrEqual(5);
  });

  test('is over while its command still runs, if the order page was gone and responds again', async () => {
    expect(await restart('sleep 5', [shown, gone, shown])).toBeGreaterThanOrEqual(5);
  });

  test('is not over while the old process still responds, and its command has not ended', async () => {
    await expect(restart('sleep 5', [shown])).rejects.toThrow(
      'the order page did not respond within 1.5 s after --restart',
    );
  });

  test('fails with the exit code of its command', async () => {
    await expect(restart('exit 3', [shown])).rejects.toThrow('the command of --restart failed (exit code 3)');
  });

  test('fails if the order page does not come back', async () => {
    await expect(restart('true', [gone])).rejects.toThrow('did not respond within 1.5 s after --restart');
  });

  test('fails in time even if garbage is collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const goneAfterwards = () => {
      collect();
      return gone();
    };
    await expect(restart('true', [goneAfterwards])).rejects.toThrow('did not respond within 1.5 s');
  });

  test('ends with the rehearsal', async () => {
    await expect(restart('true', [gone], AbortSignal.timeout(50))).rejects.toThrow('did not respond');
  });

  test('does not hold a shop that ends once its connections are closed', async () => {
    const shop = createServer((_request, response) => void delay(50).then(() => response.end('unpaid')));
    // Node would close an idle connection itself after 5 seconds.
    shop.keepAliveTimeout = 300_000;
    await once(shop.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${String((shop.address() as AddressInfo).port)}`;
    const order = ['--checkout', `POST ${address}/{order}`, '--order-url', `${address}/{ref}`];
    const plan = await readPlan([...order, '--restart', './restart.sh']);

    const asked = once(shop, 'request');
    const response = plan.restart?.page('R-1', never);
    await asked;
    const ended = new Promise<string>((resolve) => shop.close(() => resolve('ended')));
    await response;

    expect(await Promise.race([ended, delay(2000, 'held')])).toBe('ended');
    shop.closeAllConnections();
  });
});
