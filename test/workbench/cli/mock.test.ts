import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ReadyLine } from '../../../src/workbench/cli/mock-output.js';
import { InstallmentClient, type InstallmentClientOptions } from '../../../src/entries/index.js';
import {
  createMockService,
  DEMO_MERCHANT,
  sampleInvoice,
  samplePaymentRequest,
} from '../../../src/entries/mock.js';
import { connectMock } from '../../../src/entries/remote.js';
import { receiver } from '../../helpers/receiver.js';
import { initiate } from '../../helpers/signed-requests.js';
import { hmac } from '../../helpers/wire-reader.js';
import { runOnce, start } from './support.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mock-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function configFile(content: unknown): Promise<string> {
  const file = join(folder, 'mock.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('installment-payments mock', () => {
  test('prints the address, the credentials, and a line for each request', async () => {
    const { lines, signals, ended } = await start([]);
    const [banner = ''] = lines;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0] ?? '';
    for (const [name, value] of [
      ['BASE_URL', url],
      ['CLIENT_ID', 'demo-client'],
      ['SECRET_KEY', 'demo-secret'],
      ['MERCHANT_ID', 'DEMO-MERCHANT'],
      ['STORE_ID', 'STORE-01'],
    ]) {
      expect(banner).toContain(`export INSTALLMENT_${name ?? ''}='${value ?? ''}'`);
    }
    const { path, init } = initiate(undefined, { key: 'key-1' });
    for (let time = 0; time < 2; time++) await (await fetch(url + path, init)).text();
    expect(lines[1]).toMatch(
      /^\d\d:\d\d:\d\d {2}initiatePayment {2}ORDER:2026-0001 {2}APPROVED {2}[\d.]+ ms$/,
    );
    expect(lines[2]).toContain('(replay)');
    signals.emit('SIGINT');
    expect(await ended).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
    expect(signals.eventNames()).toEqual([]);
  });

  test('prints one line for each request, with control characters escaped', async () => {
    const { lines, stop } = await start([]);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0] ?? '';
    await fetch(`${url}/_mock/faults`, {
      method: 'POST',
      body: '{"operation":"initiatePayment","fault":{"delayMs":1}}',
    });
    const forged = initiate('{"referenceId":"\\u001b[2J\\n"}', { headers: { Signature: 'x' } });
    await fetch(url + forged.path, forged.init);
    await fetch(`${url}/${'x'.repeat(300)}`);

    expect(lines[1]).toMatch(
      /initiatePayment {2}\\u\{1b\}\[2J\\u\{a\} {2}INVALID_SIGNATURE {2}[\d.]+ ms {2}\(fault delay 1 ms, why: http:\/\/127\.0\.0\.1:\d+\/_mock\/ui\/requests\/1\)$/,
    );
    expect(lines[2]?.length).toBeLessThan(200);
    expect(lines).toHaveLength(3);
    expect(await stop()).toBe(0);
  });

  test('prints one line with --json, with everything that a client needs', async () => {
    const merchants = [
      { clientId: 'a', secretKey: 's:e:c', merchantId: 'M-1' },
      { clientId: "it's", secretKey: 'other', merchantId: 'M-2' },
    ];
    const { lines, stop } = await start(['--json', '--config', await configFile({ merchants })]);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      ready: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as unknown,
      port: expect.any(Number) as unknown,
      scenario: 'baseline',
      clientOptions: {
        baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as unknown,
        clientId: 'a',
        secretKey: 's:e:c',
        merchantId: 'M-1',
        storeId: 'STORE-01',
        platformId: 'WEBSHOP',
        wire: {},
      },
      merchants: merchants.map((merchant) => ({ ...merchant, storeIds: ['STORE-01'] })),
    });
    const { clientOptions } = JSON.parse(lines[0] ?? '') as { clientOptions: InstallmentClientOptions };
    const client = new InstallmentClient(clientOptions);
    expect(await client.initiatePayment(samplePaymentRequest())).toMatchObject({ resultStatus: 'APPROVED' });
    expect(await stop()).toBe(0);
    expect(lines).toHaveLength(1);
  });

  test('ends when a pipe on standard input ends', async () => {
    const input = new PassThrough();
    const { ended } = await start(['--json'], input);
    input.end();
    expect(await ended).toBe(0);
    expect(input.destroyed).toBe(true);
  });

  test('keeps running when the pipe on standard input had ended before', async () => {
    const { lines, stop } = await start(['--json'], Readable.from([]));
    const { url } = JSON.parse(lines[0] ?? '') as { url: string };
    expect((await fetch(`${url}/_mock/health`)).status).toBe(200);
    expect(await stop()).toBe(0);
  });

  test.each([
    ['ends when the npx that started it has gone', { npm_lifecycle_event: 'npx' }, true],
    ['outlives the shell that started it', {}, false],
  ])('%s', async (_title, env, isEnded) => {
    let parent = 7;
    const { ended, stop } = await start(['--json'], undefined, { env, parentId: () => parent });
    parent = 1;
    expect(await Promise.race([ended.then(() => true), sleep(600, false)])).toBe(isEnded);
    expect(await stop()).toBe(0);
  });

  test('reports a port in use in one line, with exit code 1', async () => {
    await using server = await createMockService().listen();
    const { code, out, error } = await runOnce(['mock', '--port', String(server.port)]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toBe(
      `127.0.0.1:${String(server.port)} is in use: choose another port with --port. See installment-payments mock --help.`,
    );
  });

  test('reports a host that is not this machine in one line', async () => {
    const { code, error } = await runOnce(['mock', '--port', '0', '--host', '203.0.113.1']);
    expect(code).toBe(1);
    expect(error).toMatch(/^Cannot listen on 203\.0\.113\.1:0 \(E[A-Z]+\)\. See/);
  });
});

describe('installment-payments mock with options', () => {
  async function ready(args: string[]) {
    const { lines, stop } = await start(['--json', ...args]);
    return { line: JSON.parse(lines[0] ?? '') as ReadyLine, stop };
  }

  test('reads all options of createMockService that are data from a file', async () => {
    const { url, requests } = await receiver();
    const shop = {
      clientId: 'shop',
      secretKey: 's',
      merchantId: 'M',
      storeIds: ['S-1', 'S-2'],
      maxAmount: 5,
    };
    const off = { clientId: 'off', secretKey: 's', merchantId: 'OFF', active: false };
    const config = {
      merchants: [{ ...shop, maxAmount: 20_000_000 }, off],
      wire: { signatureEncoding: 'base64' },
      uploads: 'any',
      scenario: { responses: 'extra' },
      journalLimit: 1,
      lender: { applicationIdField: 'appId', reversals: 'own-code' },
      webhook: { url, secretKey: 'w', template: { header: 'X-Signed' } },
    };
    const { line, stop } = await ready(['--config', await configFile(`\uFEFF${JSON.stringify(config)}`)]);
    const client = new InstallmentClient(line.clientOptions);
    const remote = connectMock(line.url);
    await client.initiatePayment(samplePaymentRequest({ storeId: 'S-2' }));
    await client.uploadInvoice(sampleInvoice());
    await expect(
      new InstallmentClient({ ...line.clientOptions, clientId: 'off', merchantId: 'OFF' }).initiatePayment(
        samplePaymentRequest({ storeId: 'STORE-01' }),
      ),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await remote.settle('ORDER:2026-0001', 'paid');
    await vi.waitFor(() => {
      expect(requests).toMatchObject([{ headers: { 'x-signed': hmac(requests[0]?.body ?? '', 'w') } }]);
    }, 10_000);

    expect(line.scenario).toBe('extra-fields');
    expect(line.merchants).toMatchObject([{ storeIds: ['S-1', 'S-2'] }, { active: false }]);
    expect(line.clientOptions).toMatchObject({ storeId: 'S-1', wire: { signatureEncoding: 'base64' } });
    expect(await remote.journal.all()).toHaveLength(1);
    await stop();
  });

  test('names every mistake in a file in one line, without values', async () => {
    const file = await configFile({
      merchants: [{ clientId: 7, secretKey: 'top-secret', merchantID: 'M' }, DEMO_MERCHANT],
      webhook: { url: 'https://user:top-secret@shop.example', body: {} },
      uploads: 'sometimes',
      world: 'slow',
      port: 4010,
      publicUrl: 'mock:4010',
      allowedHosts: ['mock:4010'],
      ['__proto__\n']: 1,
      journalLimit: '5',
    });
    const { code, error } = await runOnce(['mock', '--config', file]);

    expect(code).toBe(1);
    for (const problem of [
      'merchants[0].clientId must be a string',
      'merchants[0].merchantId is required',
      'merchants[0].merchantID is an unknown option: did you mean merchantId?',
      'webhook.url must be an http or https URL without credentials',
      'webhook.body must be a function',
      "uploads must be 'paid' or 'any'",
      'world is an unknown option: did you mean scenario?',
      'port is an unknown option',
      'publicUrl must be an http or https URL',
      'allowedHosts[0] must be a host name without a port',
      'journalLimit must be an integer from 1 to',
    ])
      expect(error).toContain(problem);
    expect(error).not.toContain('top-secret');
    expect(error).toMatch(/^[^\n]+\. See installment-payments mock --help\.$/);
  });

  test.each([
    ['{ "secretKey": "top-secret", }', 'must contain a JSON object'],
    ['[]', 'must contain a JSON object'],
    ['{"merchants":[]}', 'merchants must not be empty'],
    ['{"now":"2026-01-01"}', 'now must be a function'],
  ])('refuses the file %s', async (content, message) => {
    const { code, error } = await runOnce(['mock', '--config', await configFile(content)]);
    expect({ code, out: '' }).toEqual({ code: 1, out: '' });
    expect(error).toContain(message);
    expect(error).not.toContain('top-secret');
  });

  test('uses a public address for payments and for the client', async () => {
    const { line, stop } = await ready(['--public-url', 'http://mock:4010/', '--allow-host', 'proxy']);
    expect(line).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) as unknown,
      publicUrl: 'http://mock:4010',
      clientOptions: { baseUrl: 'http://mock:4010', allowInsecureHttp: true },
    });
    const { path, init } = initiate();
    expect(await (await fetch(line.url + path, init)).json()).toMatchObject({
      paymentUrl: 'http://mock:4010/pay/00000001',
    });
    for (const host of ['mock:4010', 'proxy']) expect(await statusAt(line.port, host)).toBe(200);
    expect(await statusAt(line.port, 'elsewhere')).toBe(403);
    await stop();
  });

  test('does not let a client accept plain HTTP if the address does not need it', async () => {
    const { line, stop } = await ready(['--public-url', 'https://mock.example//']);
    expect(line.clientOptions.baseUrl).toBe('https://mock.example');
    expect(line.clientOptions).not.toHaveProperty('allowInsecureHttp');
    await stop();
  });

  test('adds the webhook of the command line to the options of the file', async () => {
    const { url, requests } = await receiver();
    const file = await configFile({ webhook: { url: 'http://127.0.0.1:1', secretKey: 'w' } });
    const template = join(folder, 'template.json');
    await writeFile(template, '{ "header": "X-Signed", "body": "{referenceId} {status}" }');
    const flags = ['--webhook', url, '--webhook-body', template, '--scenario', 'slow'];
    const { line, stop } = await ready(['--config', file, ...flags]);
    expect(line.scenario).toBe('slow');
    const { path, init } = initiate();
    await fetch(line.url + path, init);
    await connectMock(line.url).settle('ORDER:2026-0001', 'paid');
    await vi.waitFor(() => {
      expect(requests).toMatchObject([{ headers: { 'x-signed': hmac('ORDER:2026-0001 paid', 'w') } }]);
    }, 10_000);
    await stop();
  });

  test('refuses --webhook-body without a webhook, or with an unknown placeholder', async () => {
    const template = await configFile({ body: '{orderId}' });
    const alone = await runOnce(['mock', '--webhook-body', template]);
    expect(alone).toMatchObject({ code: 1, error: expect.stringContaining('needs --webhook') as unknown });
    const { error } = await runOnce(['mock', '--webhook', 'http://127.0.0.1:1', '--webhook-body', template]);
    expect(error).toContain(`webhook.template.body has unknown placeholders: {orderId}`);
  });

  test('prints one line for each attempt of a webhook', async () => {
    const { url } = await receiver({ status: 500 });
    const { lines, stop } = await start(['--webhook', url]);
    expect(lines[0]).toContain(`Webhook: ${url}, when a payment is settled`);
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0] ?? '';
    const { path, init } = initiate();
    await fetch(address + path, init);
    await connectMock(address).settle('ORDER:2026-0001', 'paid');
    await vi.waitFor(() => {
      expect(lines.filter((line) => line.includes('webhook  '))).toEqual([
        expect.stringMatching(
          /^[\d:]{8} {2}webhook {2}ORDER:2026-0001 {2}HTTP 500 {2}\(again at [\d:]{8}\)$/,
        ),
      ]);
    }, 10_000);
    expect(await stop()).toBe(0);
  });
});

/** The status of a control that was called with a Host header. */
async function statusAt(port: number, host: string): Promise<number | undefined> {
  const asked = get({ port, path: '/_mock/health', headers: { host } });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
