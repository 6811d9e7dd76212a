import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMockService, type MockOptions } from '../../../src/entries/mock.js';
import type { ReadyLine } from '../../../src/workbench/cli/mock-output.js';
import type { ServiceFile } from '../../../src/workbench/probe/file/service-file.js';
import { listening } from '../../helpers/listening.js';
import { runOnce, runUntil, start } from './support.js';

let folder: string;
let out: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-'));
  out = join(folder, 'service.json');
});
afterAll(() => rm(folder, { recursive: true }));

function environment(baseUrl: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    INSTALLMENT_BASE_URL: baseUrl,
    INSTALLMENT_CLIENT_ID: 'demo-client',
    INSTALLMENT_SECRET_KEY: 'demo-secret',
    INSTALLMENT_MERCHANT_ID: 'DEMO-MERCHANT',
    INSTALLMENT_STORE_ID: 'STORE-01',
    INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
    ...more,
  };
}

/** Probes a service at an address, with the flag --sandbox. */
function probeAt(url: string, ...args: string[]) {
  return runOnce(['probe', '--sandbox', new URL(url).host, '--out', out, ...args], environment(url));
}

async function probeMock(options: MockOptions, ...args: string[]) {
  const mock = createMockService(options);
  await using server = await mock.listen();
  return { mock, ...(await probeAt(server.url, ...args)) };
}

async function written(): Promise<ServiceFile> {
  return JSON.parse(await readFile(out, 'utf8')) as ServiceFile;
}

/** A server that counts requests and responds to none. */
async function silent() {
  let requests = 0;
  const server = createServer(() => (requests += 1));
  return { url: `http://127.0.0.1:${await listening(server)}`, requests: () => requests };
}

describe('probe without consent', () => {
  test.each([
    [[], {}, ', the host of INSTALLMENT_BASE_URL'],
    [['--sandbox', '127.0.0.1'], {}, ', the host of INSTALLMENT_BASE_URL'],
    [['--sandbox', 'elsewhere.example'], {}, ', the host of INSTALLMENT_BASE_URL'],
    [['--sandbox', 'HOST'], { INSTALLMENT_CLIENT_ID: 'shop-live' }, 'contains the word live'],
    [['--sandbox', 'HOST'], { INSTALLMENT_CLIENT_ID: 'PROD_7' }, 'contains the word PROD'],
    [['--sandbox', 'HOST'], { INSTALLMENT_BASE_URL: 'URL/api/prod' }, 'contains the word prod'],
    [
      ['--sandbox', 'HOST'],
      { INSTALLMENT_SECRET_KEY: '' },
      'Nothing was sent: INSTALLMENT_SECRET_KEY is not set. Set it to the value of your sandbox',
    ],
    [
      ['--sandbox', 'prod.example'],
      { INSTALLMENT_BASE_URL: 'https://prod.example' },
      'contains the word prod',
    ],
    [['--sandbox', 'pay.example'], { INSTALLMENT_BASE_URL: 'http://pay.example' }, 'must be https'],
    [['--sandbox', 'pay.example'], { INSTALLMENT_BASE_URL: 'pay.example' }, 'must be an absolute URL'],
    [
      ['--sandbox', 'HOST'],
      { INSTALLMENT_BASE_URL: 'URL/v2/payments' },
      'INSTALLMENT_BASE_URL must not include /v2/payments',
    ],
    [['--sandbox', 'HOST'], { INSTALLMENT_CLIENT_ID: 'demo\r' }, 'INSTALLMENT_CLIENT_ID must be a string'],
    [['--sandbox', 'HOST'], { INSTALLMENT_CLIENT_ID: 'aạb' }, 'INSTALLMENT_CLIENT_ID must be a string'],
    [
      ['--sandbox', 'HOST'],
      { INSTALLMENT_SECRET_KEY: 'key\n' },
      'INSTALLMENT_SECRET_KEY must not end with a line break',
    ],
    [['--sandbox', 'HOST', '--order', 'FILE'], {}, '--order: description: is required'],
  ])('sends nothing with %j and %j: %s', async (args, more, problem) => {
    const { url, requests } = await silent();
    const file = join(folder, 'order.json');
    await writeFile(file, '{"paymentMethod":"WEB"}');
    const given = args.map((word) => word.replace('HOST', new URL(url).host).replace('FILE', file));
    const env = Object.entries(more).map(([name, value]) => [name, value.replace('URL', url)] as const);
    const unused = join(folder, 'unused.json');
    const ran = await runOnce(
      ['probe', '--out', unused, ...given],
      environment(url, Object.fromEntries(env)),
    );
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error.split('\n')).toHaveLength(1);
    expect(ran.error).toContain(problem);
    expect(requests()).toBe(0);
    await expect(stat(unused)).rejects.toThrow('ENOENT');
  });

  test('sends nothing if probe has not written the file, or if the file cannot be written', async () => {
    const { url, requests } = await silent();
    const other = join(folder, 'package.json');
    await writeFile(other, '{"name":"shop"}');
    expect(await probeAt(url, '--out', other)).toMatchObject({ code: 2, out: '' });
    expect(await readFile(other, 'utf8')).toBe('{"name":"shop"}');
    const nowhere = await probeAt(url, '--out', join(folder, 'none', 'service.json'));
    expect(nowhere).toMatchObject({ code: 2, error: expect.stringContaining('(ENOENT)') as unknown });
    expect(requests()).toBe(0);
  });
});

describe('probe', () => {
  test('says before the first request what it will do, and at the end what it has observed and created', async () => {
    const { code, out: said, error, mock } = await probeMock({});
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const lines = said.split('\n');
    expect(lines[0]).toMatch(
      /^Sending requests to http:\/\/127\.0\.0\.1:\d+ as demo-client: at most 2 payments, or 3 if /,
    );
    expect(lines.findIndex((line) => line.startsWith('  1  '))).toBeGreaterThan(1);
    expect(said).toMatch(/ {2}signature-encoding +hex: nothing to set\n/);
    const references = mock.payments.all().map(({ referenceId }) => referenceId);
    expect(references).toHaveLength(2);
    for (const reference of references) expect(said).toContain(`  ${reference}  a payment\n`);
  });

  test('lists what it has created even if its file can no longer be written', async () => {
    const lost = await mkdtemp(join(tmpdir(), 'probe-lost-'));
    const mock = createMockService();
    mock.subscribe(({ kind }) => {
      if (kind === 'payment') rmSync(lost, { recursive: true, force: true });
    });
    await using server = await mock.listen();
    const { code, error } = await probeAt(server.url, '--out', join(lost, 'service.json'));
    const [created] = mock.payments.all();
    expect(error).toContain(`  ${String(created?.referenceId)}  a payment`);
    expect(error).toContain('(ENOENT)');
    expect(code).toBe(2);
  });

  test('writes a file that only its owner can read, without a secret in it', async () => {
    await probeMock({ scenario: 'repeat-busy', wire: { absentFields: 'omit' } });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const file = await written();
    expect(file).toMatchObject({
      schema: 1,
      isComplete: true,
      client: { wire: { absentFields: 'omit' } },
      mock: { wire: { absentFields: 'omit' }, scenario: { repeat: 'busy' } },
    });
    expect(file.host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(JSON.stringify(file)).not.toMatch(/demo-secret|0912345678|\/pay\//);
  });

  test('exits with 1 if an option must be set, and prints only the file with --json', async () => {
    const { code, out: said, error } = await probeMock({ scenario: { repeat: 'duplicate' } }, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(said)).toEqual(await written());
    expect(error).toContain('Sending requests to http://');
  });

  test("accepts an order of the merchant, even with fields from the provider's documentation", async () => {
    const order = JSON.parse(await readFile('examples/order.json', 'utf8')) as object;
    const file = join(folder, 'order.json');
    await writeFile(file, JSON.stringify(order));
    const { mock } = await probeMock({}, '--order', file);
    expect(mock.payments.all()[0]?.request.amount.value).toBe(23_480_000);
    const wire = mock.payments.all()[0]?.request;
    await writeFile(file, JSON.stringify({ ...wire, voucher: 'V' }));
    const { code, mock: other } = await probeMock({}, '--order', file);
    expect(code).toBe(0);
    expect(other.payments.all()[0]?.request).toMatchObject({ voucher: 'V' });
  });

  test('exits with 3 and the reason if it stopped early', async () => {
    const { code, out: said } = await probeMock({
      merchants: [{ clientId: 'a', secretKey: 's', merchantId: 'M' }],
    });
    expect(code).toBe(3);
    expect(said).toContain(
      'Stopped early: no form of the signature got a response that differs from the response to a wrong signature: ',
    );
    expect(said).toContain('INVALID_CLIENT_ID');
    expect(said).toContain('Nothing was created.');
    expect(await written()).toMatchObject({ isComplete: false, client: { wire: {} }, mock: {} });
  });

  test('leaves a file that says that Ctrl-C stopped it, and the next run starts again and says so', async () => {
    const { url, requests } = await silent();
    const signals = new EventEmitter();
    const args = ['probe', '--sandbox', new URL(url).host, '--out', out];
    const ended = runUntil(signals, args, environment(url));
    await vi.waitFor(() => {
      expect(requests()).toBe(1);
    });
    expect(await written()).toMatchObject({ isComplete: false, why: 'interrupted', transcript: [] });
    signals.emit('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    expect(signals.eventNames()).toEqual([]);
    expect(await written()).toMatchObject({
      isComplete: false,
      why: 'interrupted',
      transcript: [{ number: 1 }],
    });
    const next = await probeMock({});
    expect(next.out).toContain('did not finish (interrupted). This probe starts again');
    expect(await written()).toMatchObject({ isComplete: true });
  });
});

describe('--service', () => {
  async function ready(...args: string[]): Promise<ReadyLine> {
    const { lines, stop } = await start(['--json', ...args]);
    onTestFinished(async () => {
      await stop();
    });
    return JSON.parse(lines[0] ?? '') as ReadyLine;
  }

  test('makes a mock in which probe finds the same behaviour', async () => {
    await probeMock({
      wire: { signatureEncoding: 'base64' },
      scenario: { repeat: 'duplicate', firstResponse: 'processing', refusals: { INVALID_SIGNATURE: 418 } },
      uploads: 'any',
    });
    const first = await written();
    expect(first.mock).toEqual({
      wire: { signatureEncoding: 'base64' },
      scenario: { repeat: 'duplicate', firstResponse: 'processing', refusals: { INVALID_SIGNATURE: 418 } },
      uploads: 'any',
    });
    const { url, clientOptions } = await ready('--service', out);
    expect(clientOptions.wire).toEqual({ signatureEncoding: 'base64' });
    await probeAt(url);
    const {
      host: _host,
      observedAt: _at,
      transcript: _transcript,
      created: _created,
      ...second
    } = await written();
    const { observations, client, mock } = second;
    expect({ observations, client, mock }).toEqual({
      observations: first.observations,
      client: first.client,
      mock: first.mock,
    });
  });

  test('is overridden by --config, and both by --scenario, in what both of them say', async () => {
    await probeMock({
      wire: { signatureEncoding: 'base64', absentFields: 'omit' },
      scenario: { repeat: 'duplicate', refusals: 'by-kind' },
    });
    const config = join(folder, 'mock.json');
    const wire = { signatureEncoding: 'hex-upper' };
    const given = { repeat: 'conflict', firstResponse: 'processing', network: 'slow' };
    await writeFile(config, JSON.stringify({ wire, scenario: given }));
    const args = ['--service', out, '--config', config, '--scenario', 'gateway'];
    const { clientOptions, scenario } = await ready(...args);
    expect(clientOptions.wire).toEqual({ ...wire, absentFields: 'omit' });
    expect(scenario).toBe('repeat=conflict firstResponse=processing refusals=by-kind network=gateway');
  });

  test('refuses a file that probe has not written', async () => {
    const file = join(folder, 'mock.json');
    await writeFile(file, '{"scenario":{"repeat":"duplicate"}}');
    const { code, error } = await runOnce(['mock', '--service', file]);
    expect(code).toBe(1);
    expect(error).toContain('was not written by probe');
  });
});
