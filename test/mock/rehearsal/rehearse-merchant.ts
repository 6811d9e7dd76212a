import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/cli/run.js';
import type { RehearsalReport } from '../../../src/mock/rehearsal/rehearse.js';
import { DEMO_MERCHANT } from '../../../src/mock/service/merchants.js';
import { freePort } from '../../helpers/free-port.js';
import { commandOf, type PlantedMerchant } from '../worlds/merchants/merchants.js';

export interface Rehearsed {
  readonly code: number;
  readonly report: RehearsalReport;
  readonly output: string;
}

/** Waits until a server answers on a port. */
async function isUp(port: number, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const answers = await fetch(`http://127.0.0.1:${port}/orders/none`).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await pause(50);
  }
  throw new Error(`the backend ended with exit code ${server.exitCode} before it listened`);
}

/** Rehearses a backend by the command line, as its own project would. */
export async function rehearseMerchant(
  merchant: PlantedMerchant,
  args: readonly string[],
): Promise<Rehearsed> {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  const port = await freePort();
  const webhookPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    INSTALLMENT_BASE_URL: url,
    INSTALLMENT_CLIENT_ID: DEMO_MERCHANT.clientId,
    INSTALLMENT_SECRET_KEY: DEMO_MERCHANT.secretKey,
    INSTALLMENT_MERCHANT_ID: DEMO_MERCHANT.merchantId,
    INSTALLMENT_STORE_ID: 'STORE-01',
    INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
    INSTALLMENT_MOCK_URL: url,
    WEBHOOK_PORT: String(webhookPort),
  };
  const [program, ...programArgs] = await commandOf(merchant, webhookPort);
  const server = merchant.isServer ? spawn(program, programArgs, { env, stdio: 'ignore' }) : undefined;
  const lines: string[] = [];
  try {
    if (server) await isUp(webhookPort, server);
    const shop = `http://127.0.0.1:${webhookPort}`;
    const command = server
      ? [process.execPath, 'test/mock/worlds/merchants/customers.mjs']
      : [program, ...programArgs];
    const code = await run(
      [
        'rehearse',
        ...['--port', String(port), '--json', join(folder, 'report.json')],
        ...(server ? ['--webhook', `${shop}/webhook`, '--order-url', `${shop}/orders/{ref}`] : []),
        ...(merchant.customer ? ['--customer', merchant.customer] : []),
        ...args,
        '--',
        ...command,
      ],
      {
        env,
        signals: new EventEmitter(),
        input: new PassThrough(),
        inputIsPipe: false,
        out: (line) => lines.push(line),
        error: (line) => lines.push(line),
      },
    );
    const output = lines.join('\n');
    if (code === 2 || code > 2) throw new Error(output);
    const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as RehearsalReport;
    return { code, report, output };
  } finally {
    if (server?.exitCode === null) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }
}
