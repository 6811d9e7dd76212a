/**
 * Payments from a backend on Cloudflare Workers, in workerd, which they run on. Runs on Node, where the servers are;
 * its environment names the binary, the bundled backend and the configuration to write.
 */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createMockService } from '../../src/entries/mock.js';
import type { Operation } from '../../src/protocol/endpoints.js';
import { freePort } from '../helpers/free-port.js';
import { FaultServer } from '../faults/fault-server.js';
import { merchant } from './histories/make-call.js';
import { runHistories, type Ending } from './histories/run-histories.js';
import { close, json } from '../faults/steps.js';

const binary = process.env['WORKERD'] ?? 'workerd';
const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const port = await freePort();
const worker = `http://127.0.0.1:${String(port)}`;

await writeFile(
  'worker.capnp',
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${String(port)}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.bundle.mjs")],
  compatibilityDate = "2025-09-15",
  compatibilityFlags = ["nodejs_compat"],
);
`,
);
const workerd = spawn(binary, ['serve', 'worker.capnp'], { stdio: 'inherit' });

async function isReady(): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${worker}/ready`).catch(() => undefined);
    if (answer?.ok) return true;
    await wait(100);
  }
  return false;
}

async function ask(operation: Operation, referenceId: string, baseUrl: string): Promise<Ending> {
  const body = JSON.stringify({ operation, referenceId, baseUrl });
  const answer = await fetch(worker, { method: 'POST', body });
  return (await answer.json()) as Ending;
}

async function notify(secretKey: string): Promise<number> {
  const body = JSON.stringify({ referenceId: 'ORDER-1' });
  const headers = { Signature: createHmac('sha256', secretKey).update(body).digest('hex') };
  return (await fetch(`${worker}/webhook`, { method: 'POST', body, headers })).status;
}

const wrong: string[] = [];

function expect(what: string, seen: unknown, expected: unknown): void {
  if (JSON.stringify(seen) === JSON.stringify(expected)) return;
  wrong.push(`${what}: ${JSON.stringify(seen)}; expected ${JSON.stringify(expected)}`);
}

async function checkService(): Promise<void> {
  const { clientId, secretKey, merchantId, storeId } = merchant;
  const merchants = [{ clientId, secretKey, merchantId, storeIds: [storeId] }];
  const mock = createMockService({ merchants, uploads: 'any' });
  const server = await mock.listen();
  expect('a payment', (await ask('initiatePayment', 'ORDER-1', server.url)).attempts, ['accepted']);
  expect('an upload', (await ask('uploadInvoice', 'ORDER-1', server.url)).attempts, ['accepted']);
  expect('payments', mock.payments.all().length, 1);
  expect(
    'files',
    mock.invoices.all().map(({ file }) => file !== undefined && file.size > 0),
    [true],
  );
  await server.close();
}

async function checkLostAnswers(): Promise<void> {
  const approved = json({
    referenceId: 'ORDER-1',
    resultStatus: 'APPROVED',
    paymentUrl: 'https://pay.example/1',
  });
  for (const [operation, attempts] of [
    ['initiatePayment', ['unknown', 'accepted']],
    ['uploadInvoice', ['unknown']],
  ] as const) {
    await using server = await FaultServer.start([close, approved]);
    expect(`a lost answer to ${operation}`, (await ask(operation, 'ORDER-1', server.url)).attempts, attempts);
    expect('requests on the wire', server.requests.length, attempts.length);
  }
}

async function checkHistories(): Promise<void> {
  const { problems, outcomes } = await runHistories({
    count: 200,
    seed,
    settle: () => wait(5),
    makeCall: ({ operation, referenceId, baseUrl }) => ask(operation, referenceId, baseUrl),
  });
  wrong.push(...problems);
  console.log(JSON.stringify(outcomes));
}

try {
  expect('ready', await isReady(), true);
  await checkService();
  await checkLostAnswers();
  const dead = `http://127.0.0.1:${String(await freePort())}`;
  // Its fetch does not say why it failed.
  expect('no server', (await ask('uploadInvoice', 'ORDER-1', dead)).outcome, 'unknown');
  expect('webhooks', [await notify(merchant.secretKey), await notify('another')], [204, 401]);
  expect('an agent', await (await fetch(`${worker}/agent`)).text(), 'agent');
  await checkHistories();
} finally {
  workerd.kill();
}
for (const problem of wrong) console.log(problem);
console.log(`TEST_SEED=${String(seed)}: Workers, ${String(wrong.length)} wrong`);
process.exit(wrong.length === 0 ? 0 : 1);
