import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from '../../../src/cli/run.js';
import type { RehearsalReport } from '../../../src/mock/index.js';
import { freePort } from '../../helpers/free-port.js';
import { checkoutShop, type Habit } from './checkout-shop.js';

/** A rehearsal that clicks in a shop. */
export async function rehearseShop(habit: Habit | undefined, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'));
  const json = join(folder, 'report.json');
  const port = await freePort();
  const shop = await checkoutShop(`http://127.0.0.1:${port}`, habit);
  const lines: string[] = [];
  const tell = (line: string) => lines.push(line);
  try {
    const code = await run(
      [
        ...['rehearse', '--port', String(port), '--json', json, '--settle-ms', '200', '--customer', 'pays'],
        ...['--checkout', `POST ${shop.url}/checkout?order={order}`, '--webhook', `${shop.url}/webhook`],
        ...['--order-url', `${shop.url}/orders/{ref}`, '--once', 'shipped: (\\d+)', ...args],
      ],
      {
        env: {},
        signals: new EventEmitter(),
        input: new PassThrough(),
        inputIsPipe: false,
        out: tell,
        error: tell,
      },
    );
    const report = JSON.parse(await readFile(json, 'utf8')) as RehearsalReport;
    return { code, report, output: lines.join('\n') };
  } finally {
    shop.close();
    await rm(folder, { recursive: true });
  }
}
