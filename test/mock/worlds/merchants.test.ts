import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createMockService,
  DEMO_MERCHANT,
  type MockServer,
  type MockService,
} from '../../../src/mock/index.js';
import { cleanEnvironment } from '../../examples/run-example.js';
import { freePort } from '../../helpers/free-port.js';
import { commandOf, plantedMerchants, type PlantedMerchant } from './merchants/merchants.js';

const folder = 'test/mock/worlds/merchants';
let mock: MockService;
let server: MockServer;
let port: number;
let temporary: string;
beforeAll(async () => {
  port = await freePort();
  temporary = await mkdtemp(join(tmpdir(), 'merchants-'));
  mock = createMockService({ webhook: { url: `http://127.0.0.1:${port}/webhook` } });
  server = await mock.listen();
});
beforeEach(() => {
  mock.reset();
});
afterAll(async () => {
  await server.close();
  await rm(temporary, { recursive: true });
});

function start([command, ...args]: readonly [string, ...string[]]): ChildProcess {
  const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
  const env = {
    INSTALLMENT_BASE_URL: server.url,
    INSTALLMENT_MOCK_URL: server.url,
    INSTALLMENT_CLIENT_ID: clientId,
    INSTALLMENT_SECRET_KEY: secretKey,
    INSTALLMENT_MERCHANT_ID: merchantId,
    INSTALLMENT_STORE_ID: storeIds[0],
    INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
    WEBHOOK_PORT: String(port),
    PYTHONUTF8: '1',
    TMPDIR: temporary,
  };
  return spawn(command, args, { env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Waits for the end of a command that has to succeed. A missing interpreter is an error that names it. */
async function succeed(child: ChildProcess): Promise<void> {
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (printed += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, printed).toBe(0);
}

const pageOf = async (reference: string) =>
  (await fetch(`http://127.0.0.1:${port}/orders/${reference}`)).text();

/** Takes three orders, and returns what a server says of each beside the status of its payment. */
async function takeOrders(merchant: PlantedMerchant): Promise<{ status: string; page: string }[]> {
  const child = start(commandOf(merchant, port));
  if (!merchant.isServer) {
    await succeed(child);
    return [];
  }
  const closed = once(child, 'close');
  try {
    await expect
      .poll(() => pageOf('none').catch((error: unknown) => error), { timeout: 20_000 })
      .toBe('unknown');
    await succeed(start([process.execPath, `${folder}/customers.mjs`]));
    await expect
      .poll(() => new Set(mock.webhooks.all().map(({ status }) => status)))
      .toEqual(new Set(['delivered']));
    return await Promise.all(
      mock.payments
        .all()
        .map(async ({ referenceId, status }) => ({ status, page: await pageOf(referenceId) })),
    );
  } finally {
    child.kill();
    await closed;
  }
}

test('each backend in the folder is in the table, and its first line names its mistake', async () => {
  const files = await Promise.all(
    ['wrong', 'right'].map(async (name) =>
      (await readdir(join(folder, name))).map((file) => `${name}/${file}`),
    ),
  );
  expect(plantedMerchants.map(({ file }) => file).sort()).toEqual(files.flat().sort());
  for (const { file, rule } of plantedMerchants) {
    const [first] = (await readFile(join(folder, file), 'utf8')).replace('<?php\n', '').split('\n');
    expect(first, file).toMatch(rule ? /^(\/\/|#) Mistake: ./ : /^(\/\/|#) Right: ./);
  }
});

describe('a planted backend, where the mock answers as it does by default,', () => {
  test.each(plantedMerchants)('takes its orders: $file', async (merchant) => {
    const orders = await takeOrders(merchant);

    const calls = mock.journal.filter({ operation: 'initiatePayment' });
    expect(calls.map(({ resultStatus }) => resultStatus)).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
    expect(mock.payments.all().map(({ status }) => status)).toEqual(
      merchant.isServer ? ['paid', 'declined', 'paid'] : ['paid', 'paid', 'paid'],
    );
    if (merchant.world === 'plain') return; // its mistake shows here
    expect(orders.filter(({ status, page }) => status !== page)).toEqual([]);
    const uploads = mock.journal.filter({ operation: 'uploadInvoice' });
    expect(uploads.filter(({ resultStatus }) => resultStatus !== 'APPROVED')).toEqual([]);
    expect(new Set(uploads.map(({ referenceId }) => referenceId)).size).toBe(uploads.length);
  });
});
