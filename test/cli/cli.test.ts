import { execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ReadyLine } from '../../src/cli/mock-output.js';
import { run } from '../../src/cli/run.js';
import { InstallmentClient, type InstallmentClientOptions } from '../../src/index.js';
import {
  createMockService,
  DEMO_MERCHANT,
  sampleInvoice,
  samplePaymentRequest,
} from '../../src/mock/index.js';
import { connectMock } from '../../src/mock/remote/index.js';
import { signPayment } from '../../src/protocol/signature.js';
import { version } from '../../src/version.js';
import { compiledCommand } from '../helpers/compiled.js';
import { vectors } from '../helpers/vectors.js';
import { initiate, order } from '../helpers/signed-requests.js';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command line that ends by itself. */
async function runOnce(
  args: string[],
  env: Record<string, string> = {},
  input: Uint8Array | string = '',
): Promise<Ran> {
  const out: string[] = [];
  const error: string[] = [];
  const code = await run(args, {
    env,
    signals: new EventEmitter(),
    input: Readable.from([Buffer.from(input)]),
    inputIsPipe: false,
    out: (line) => out.push(line),
    error: (line) => error.push(line),
  });
  return { code, out: out.join('\n'), error: error.join('\n') };
}

/** Runs the `mock` command until it has said something, or is there. */
async function start(
  args: string[],
  input?: Readable,
): Promise<{ lines: string[]; signals: EventEmitter; ended: Promise<number> }> {
  const lines: string[] = [];
  const signals = new EventEmitter();
  const spoken = new EventEmitter();
  const ended = run(['mock', '--port', '0', ...args], {
    env: {},
    signals,
    input: input ?? new PassThrough(),
    inputIsPipe: input !== undefined,
    out: (line) => {
      lines.push(line);
      spoken.emit('line');
    },
    error: (line) => lines.push(line),
  });
  await once(spoken, 'line');
  return { lines, signals, ended };
}

describe('installment-payments mock', () => {
  test('prints the address, the credentials and a request that works as pasted', async () => {
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
    const curl = banner.slice(banner.indexOf('curl'));
    const answers = [await paste(curl), await paste(curl)];

    expect(answers[0]).toContain('"resultStatus":"APPROVED"');
    expect(answers[1]).toBe(answers[0]);
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}initiatePayment {2}FIRST-CURL {2}APPROVED {2}[\d.]+ ms$/);
    expect(lines[2]).toContain('(replay)');
    signals.emit('SIGINT');
    expect(await ended).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('prints one line for each request, with control characters escaped', async () => {
    const { lines, signals, ended } = await start([]);
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
    signals.emit('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('prints one line with --json, with everything that a client needs', async () => {
    const merchants = ['--merchant', 'a:s:e:c:M-1', '--merchant', "it's:other:M-2"];
    const { lines, signals, ended } = await start(['--json', ...merchants]);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      ready: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as unknown,
      port: expect.any(Number) as unknown,
      world: 'plain',
      clientOptions: {
        baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as unknown,
        clientId: 'a',
        secretKey: 's:e:c',
        merchantId: 'M-1',
        storeId: 'STORE-01',
        platformId: 'WEBSHOP',
        wire: {},
      },
      merchants: [
        { clientId: 'a', secretKey: 's:e:c', merchantId: 'M-1', storeIds: ['STORE-01'] },
        { clientId: "it's", secretKey: 'other', merchantId: 'M-2', storeIds: ['STORE-01'] },
      ],
    });
    const { clientOptions } = JSON.parse(lines[0] ?? '') as { clientOptions: InstallmentClientOptions };
    const client = new InstallmentClient(clientOptions);
    expect(await client.initiatePayment(samplePaymentRequest())).toMatchObject({ resultStatus: 'APPROVED' });
    signals.emit('SIGTERM');
    expect(await ended).toBe(0);
    expect(lines).toHaveLength(1);
  });

  test('does not print the secret of a merchant that was given, and its curl works', async () => {
    const { lines, signals, ended } = await start(['--merchant', "it's:s:e:c:M-1", '--journal-limit', '1']);
    const [banner = ''] = lines;
    expect(banner).not.toContain('s:e:c');
    expect(banner).toContain(`export INSTALLMENT_CLIENT_ID='it'\\''s'`);
    expect(await paste(banner.slice(banner.indexOf('curl')))).toContain('"resultStatus":"APPROVED"');
    signals.emit('SIGINT');
    expect(await ended).toBe(0);
  });

  test('ends although a request hangs', async () => {
    const { lines, signals, ended } = await start(['--json']);
    const { url } = JSON.parse(lines[0] ?? '') as { url: string };
    const fault = { operation: 'initiatePayment', fault: { delayMs: 600_000 } };
    await fetch(`${url}/_mock/faults`, { method: 'POST', body: JSON.stringify(fault) });
    const { path, init } = initiate();
    const pending = fetch(url + path, init).catch((error: unknown) => error);
    const wait = { match: { operation: 'initiatePayment', completed: false } };
    await fetch(`${url}/_mock/journal/wait`, { method: 'POST', body: JSON.stringify(wait) });
    signals.emit('SIGTERM');
    expect(await ended).toBe(0);
    expect(await pending).toBeInstanceOf(TypeError);
  });

  test('ends when a pipe on standard input ends', async () => {
    const input = new PassThrough();
    const { ended } = await start(['--json'], input);
    input.end();
    expect(await ended).toBe(0);
    expect(input.destroyed).toBe(true);
  });

  test('keeps running when the pipe on standard input had ended before', async () => {
    const { lines, signals, ended } = await start(['--json'], Readable.from([]));
    const { url } = JSON.parse(lines[0] ?? '') as { url: string };
    expect((await fetch(`${url}/_mock/health`)).status).toBe(200);
    signals.emit('SIGTERM');
    expect(await ended).toBe(0);
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

  async function ready(args: string[]) {
    const { lines, signals, ended } = await start(['--json', ...args]);
    const stop = async () => {
      signals.emit('SIGTERM');
      expect(await ended).toBe(0);
    };
    return { line: JSON.parse(lines[0] ?? '') as ReadyLine, stop };
  }

  test('takes all options of createMockService that are data from a file', async () => {
    const received: unknown[] = [];
    const webhooks = createServer((request, response) => {
      received.push(request.headers['x-signed']);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(webhooks, 'listening');
    const url = `http://127.0.0.1:${String((webhooks.address() as AddressInfo).port)}`;
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
      journalLimit: 1,
      lender: { applicationIdField: 'appId' },
      webhook: { url, secretKey: 'w', header: 'X-Signed' },
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
      expect(received).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    });

    expect(line.merchants).toMatchObject([{ storeIds: ['S-1', 'S-2'] }, { active: false }]);
    expect(line.clientOptions).toMatchObject({ storeId: 'S-1', wire: { signatureEncoding: 'base64' } });
    expect(await remote.journal.all()).toHaveLength(1);
    await stop();
    webhooks.close();
  });

  test('prefers options of the command line to options of the file', async () => {
    const file = await configFile({ merchants: [{ ...DEMO_MERCHANT, clientId: 'x' }], journalLimit: 7 });
    const { line, stop } = await ready(['--config', file, '--merchant', 'a:b:c']);

    expect(line.clientOptions.clientId).toBe('a');
    await stop();
  });

  test('names every mistake in a file in one line, without values', async () => {
    const file = await configFile({
      merchants: [{ clientId: 7, secretKey: 'top-secret', merchantID: 'M' }, DEMO_MERCHANT],
      webhook: { url: 'https://user:top-secret@shop.example', body: {} },
      uploads: 'sometimes',
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
      'port is an unknown option',
      'publicUrl must be an http or https URL',
      'allowedHosts[0] must be a host name without a port',
      'journalLimit must be an integer greater than 0',
    ])
      expect(error).toContain(problem);
    expect(error).toContain(file);
    expect(error).not.toContain('top-secret');
    expect(error).toMatch(/^[^\n]+\. See installment-payments mock --help\.$/);
  });

  test.each([
    ['{ "secretKey": "top-secret", }', 'is not JSON'],
    ['', 'is not JSON'],
    ['[]', 'options must be an object'],
    ['null', 'options must be an object'],
    ['{"merchants":[]}', 'merchants must not be empty'],
    ['{"merchants":{}}', 'merchants must be an array of merchants'],
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

  test('prints an address for this machine, and one for a client elsewhere', async () => {
    const { lines, signals, ended } = await start(['--host', '0.0.0.0', '--public-url', 'http://mock:4010']);
    const [banner = ''] = lines;
    const url = /Listening on (http:\/\/localhost:\d+) and every other address/.exec(banner)?.[1] ?? '';

    expect(banner).toContain('Public address: http://mock:4010\n');
    expect(banner).toContain(`Inspector: ${url}/_mock\n`);
    expect(banner).toContain("export INSTALLMENT_BASE_URL='http://mock:4010'");
    expect(banner).toContain("export INSTALLMENT_ALLOW_INSECURE_HTTP='1'");
    expect(banner).not.toContain('0.0.0.0');
    expect((await fetch(`${url}/_mock`)).status).toBe(200);
    expect(await paste(banner.slice(banner.indexOf('curl')))).toContain('"resultStatus":"APPROVED"');
    signals.emit('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('signs the printed request as the switches say, and leaves out one that would be refused', async () => {
    const merchant = { ...DEMO_MERCHANT, clientId: 'shop' };
    for (const [given, hasCurl] of [
      [{ merchants: [merchant], wire: { signatureEncoding: 'base64' } }, true],
      [{ merchants: [{ ...merchant, maxAmount: 5 }] }, false],
      [{ merchants: [{ ...merchant, storeIds: [] }] }, false],
      [{ merchants: [{ ...merchant, active: false }] }, false],
    ] as const) {
      const { lines, signals, ended } = await start(['--config', await configFile(given)]);
      const at = (lines[0] ?? '').indexOf('curl');
      expect(at > 0).toBe(hasCurl);
      if (hasCurl) expect(await paste((lines[0] ?? '').slice(at))).toContain('"resultStatus":"APPROVED"');
      expect(lines[0]).not.toContain("STORE_ID=''");
      signals.emit('SIGTERM');
      expect(await ended).toBe(0);
    }
  });

  test('prints one line for each try of a webhook', async () => {
    const webhooks = createServer((_request, response) => response.writeHead(500).end()).listen(
      0,
      '127.0.0.1',
    );
    await once(webhooks, 'listening');
    const url = `http://127.0.0.1:${String((webhooks.address() as AddressInfo).port)}`;
    const { lines, signals, ended } = await start(['--webhook', url]);
    expect(lines[0]).toContain(`Webhook: ${url}, when a payment is settled`);
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0] ?? '';
    const { path, init } = initiate();
    await fetch(address + path, init);
    await connectMock(address).settle('ORDER:2026-0001', 'paid');
    await vi.waitFor(() => {
      expect(lines.at(-1)).toMatch(
        /^\d\d:\d\d:\d\d {2}webhook {2}ORDER:2026-0001 {2}HTTP 500 {2}\(again at \d\d:\d\d:\d\d\)$/,
      );
    });
    signals.emit('SIGTERM');
    expect(await ended).toBe(0);
    webhooks.close();
  });
});

/** The status of a control that was asked for under a host. */
async function statusAt(port: number, host: string): Promise<number | undefined> {
  const asked = get({ port, path: '/_mock/health', headers: { host } });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('a wrong command line', () => {
  test.each([
    [[], 'A command is missing: mock, explain or rehearse'],
    [['serve'], "Unknown command 'serve': the commands are mock, explain or rehearse"],
    [['explian'], "Unknown command 'explian': did you mean explain?"],
    [['\u001b[2J'], "Unknown command '\\u{1b}[2J'"],
    [['mock', '--prot', '1'], "Unknown option '--prot': did you mean --port?"],
    [['mock', '--webhok=x'], "Unknown option '--webhok': did you mean --webhook?"],
    [['mock', '-x'], "Unknown option '-x'"],
    [['mock', '--constructor'], "Unknown option '--constructor'"],
    [['mock', 'now'], "Unexpected argument 'now'"],
    [['mock', '--port'], "'--port <value>' argument missing"],
    [['mock', '--port', '65536'], '--port must be a whole number from 0 to 65535'],
    [['mock', '--port', '1e3'], '--port must be'],
    [['mock', '--host='], '--host must be a host name or an IP address'],
    [['mock', '--json', '--quiet'], '--json and --quiet exclude each other'],
    [['explain', 'payment', 'a', '--secret-env='], '--secret-env is missing'],
    [['mock', '--journal-limit', '0'], '--journal-limit must be'],
    [['mock', '--config', '/nowhere/at/all'], 'Cannot read /nowhere/at/all (ENOENT)'],
    [['mock', '--webhook', 'shop'], 'webhook.url must be an http or https URL'],
    [['mock', '--public-url', 'mock'], 'publicUrl must be an http or https URL'],
    [['mock', '--public-url', 'http://mock/?a'], 'publicUrl must not have a query or a fragment'],
    [['mock', '--allow-host', 'http://mock'], 'allowedHosts[0] must be a host name without a port'],
    [['mock', '--merchant', 'demo'], '--merchant must be given as clientId:secret:merchantId'],
    [['mock', '--merchant', 'a:b:c', '--merchant', 'a:d:e'], 'merchants must not share a clientId'],
    [['explain'], 'explain takes payment or invoice'],
    [['explain', 'refund', 'x'], 'explain takes payment or invoice'],
    [['explain', 'payment', 'a', 'b'], 'explain takes payment or invoice'],
    [['explain', 'payment', 'a'], '--secret-env is missing'],
    [['explain', 'payment', 'a', '--secret-env', 'NOPE'], 'NOPE is not set'],
    [['explain', 'payment', 'a', '--secret-env', 'EMPTY'], 'EMPTY is not set, or is empty'],
    [['explain', 'payment', 'a', '--secret', 'x'], 'name that variable with --secret-env'],
    [['explain', 'payment', 'a', '--secret-env', 'demo-secret'], 'takes the name of an environment variable'],
    [
      ['explain', 'payment', 'a', '--secret-env', 'KEY', '--signature-encoding', 'utf8'],
      'must be hex or base64',
    ],
    [
      ['explain', 'payment', 'a', '--secret-env', 'KEY', '--absent-fields', 'omit'],
      '--absent-fields is about uploads',
    ],
    [['explain', 'invoice', 'a', '--secret-env', 'KEY', '--absent-fields', 'none'], 'must be empty or omit'],
    [['explain', 'invoice', 'a', '--secret-env', 'KEY', '--signature-encoding', 'base64'], 'always hex'],
    [
      ['explain', 'payment', '/nowhere/at/all', '--secret-env', 'KEY'],
      'Cannot read /nowhere/at/all (ENOENT)',
    ],
  ])('%j is answered with one line, and exit code 1', async (args, message) => {
    const { code, out, error } = await runOnce(args, { KEY: 'secret', EMPTY: '' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain(message);
    expect(error).toMatch(/^[^\n]+[.?] See installment-payments (mock |explain )?--help\.$/);
  });

  test('is answered without the secret key where a name was expected', async () => {
    const { error } = await runOnce(['explain', 'payment', 'a', '--secret-env', 's3cr3t-key']);
    expect(error).not.toContain('s3cr3t');
  });
});

test.each(['--version', '-v'])('%s prints the version', async (flag) => {
  expect(await runOnce([flag])).toEqual({ code: 0, out: version, error: '' });
});

describe('the help', () => {
  test.each([['--help'], ['-h'], ['unknown', '--help']])(
    'for %s lists the commands, one line each',
    async (...args) => {
      const { code, out } = await runOnce(args);
      expect(code).toBe(0);
      expect(out).toMatch(/^ {2}mock +Serves the mock of the whole service$/m);
      expect(out).toMatch(/^ {2}explain +Shows how a request is signed, or why a signature is wrong$/m);
      expect(out).not.toContain('--port');
    },
  );

  test.each([
    ['mock', '--journal-limit', '--secret-env'],
    ['explain', '--secret-env', '--journal-limit'],
    ['rehearse', '--settle-ms', '--secret-env'],
  ])('of %s has its own options and examples, and no others', async (command, own, other) => {
    const { code, out } = await runOnce([command, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(own);
    expect(out).not.toContain(other);
    expect(out).toContain('Examples:');
    expect(await runOnce([command, '-h'])).toEqual({ code, out, error: '' });
  });

  test('of mock has commands that pay and break a payment when pasted', async () => {
    const { out } = await runOnce(['mock', '--help']);
    const commands = out.match(/^ {2}curl .*$/gm) ?? [];
    expect(commands).toHaveLength(3);
    await using server = await createMockService().listen();
    const mock = connectMock(server.url);
    const { path, init } = initiate(order({ referenceId: 'ORDER-1' }));
    await fetch(server.url + path, init);
    const here = commands.map((command) => command.trim().replace('http://127.0.0.1:4010', server.url));
    for (const command of here) await paste(command.replace('curl ', 'curl --silent '));

    expect(await mock.payments.get('ORDER-1')).toMatchObject({ status: 'paid' });
    const next = initiate(order({ referenceId: 'ORDER-2' }));
    await expect(fetch(server.url + next.path, next.init)).rejects.toThrow();
    const [refused] = await mock.journal.filter({ referenceId: 'ORDER-2' });
    expect(refused).toMatchObject({ fault: 'connection-reset', resultStatus: 'INVALID_AMOUNT' });
  });

  test('of explain has an example that works when pasted', async () => {
    const { out } = await runOnce(['explain', '--help']);
    const lines = out.match(/^ {2}(?:export|printf|installment-payments explain payment) .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    const command = await compiledCommand('src/cli/main.ts');
    const program = `'${process.execPath}' '${command}'`;
    const script = lines.map((line) => line.replace('installment-payments', program)).join('\n');
    const place = await mkdtemp(join(tmpdir(), 'explain-help-'));
    const pasted = await promisify(execFile)('sh', ['-c', script], { cwd: place });
    await rm(place, { recursive: true });
    expect(pasted.stdout).toContain(`Signature: ${signPayment('{"referenceId":"ORDER-1"}', 'demo-secret')}`);
  });
});

describe('installment-payments explain', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'explain-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function explained(kind: string, content: string | Uint8Array, secret = 'demo-secret'): Promise<Ran> {
    const file = join(folder, 'file');
    await writeFile(file, content);
    return runOnce(['explain', kind, file, '--secret-env', 'KEY'], { KEY: secret });
  }

  test.each(vectors.payment)(
    'signs the vector "$name" of a payment',
    async ({ secretKey, body, signature }) => {
      const { code, out } = await explained('payment', body, secretKey);
      expect(code).toBe(0);
      const visible = body.replaceAll(
        /[\r\u2028\u2029\ufeff]/g,
        (letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`,
      );
      expect(out).toContain(
        `Signed bytes (${String(Buffer.byteLength(body))}, exactly as in the file):\n\n${visible}\n`,
      );
      expect(out).toContain(`Signature: ${signature}`);
      expect(out).not.toContain(secretKey);
    },
  );

  test.each(vectors.invoice)(
    'signs the vector "$name" of an invoice',
    async ({ secretKey, fields, canonical, signature }) => {
      const { out } = await explained('invoice', JSON.stringify(fields), secretKey);
      expect(out).toContain(`Canonical string:\n\n${canonical}\n\nSignature: ${signature}`);
    },
  );

  test.each([
    ['payment', '{}\n', 'the body has a trailing line break'],
    ['payment', '{\r\n}', 'the body has CR LF line breaks'],
    ['payment', '{"a":"u\u0309"}', 'the body is not NFC'],
    ['payment', '\uFEFF{}', 'the body begins with a byte order mark'],
    ['invoice', '\uFEFF{"description":"x"}', 'the file begins with a byte order mark'],
    ['payment', '', 'the file is empty: this is the signature of nothing'],
    ['payment', '{', 'the body is not JSON'],
    ['payment', '[]', 'the body is not a JSON object'],
    ['payment', Uint8Array.from([0xff]), 'the body is not UTF-8'],
    ['invoice', '{"description":"a&b"}', 'description contains a separator'],
    ['invoice', '{"description":"a=b"}', 'description contains a separator'],
    ['invoice', '{"description":"u\u0309"}', 'description is not NFC'],
    ['invoice', '{"extraData":"{}\\n"}', 'extraData has a trailing line break'],
    ['invoice', '{"description":"\\ud800"}', 'description contains half of a surrogate pair'],
    ['invoice', '{"fileUrl":"https://x.example"}', 'fileUrl is not part of the signature'],
  ])('warns of a likely mistake: %s %j', async (kind, content, warning) => {
    const { code, out } = await explained(kind, content);
    expect(code).toBe(0);
    expect(out).toContain(`Warning: ${warning}`);
  });

  test('warns of a secret with white space at an end', async () => {
    expect((await explained('payment', '{}', 'secret\n')).out).toContain('the secret key has white space');
  });

  test('accepts JSON after a byte order mark', async () => {
    expect((await explained('payment', '\uFEFF{}')).out).not.toContain('not JSON');
    const fields = '{"merchantId":"M"}';
    const [plain, marked] = [
      await explained('invoice', fields),
      await explained('invoice', `\uFEFF${fields}`),
    ];
    expect(marked.out).toContain(plain.out);
  });

  test.each([
    ['payment', '{"a":1}'],
    ['invoice', '{"merchantId":"M"}'],
  ])('reads standard input for %s -', async (kind, content) => {
    const expected = await explained(kind, content);
    const args = ['explain', kind, '-', '--secret-env', 'KEY'];
    expect(await runOnce(args, { KEY: 'demo-secret' }, content)).toEqual(expected);
  });

  test('does not warn where nothing is wrong', async () => {
    expect((await explained('payment', '{}')).out).not.toContain('Warning');
  });

  test('signs the bytes of a file that is not text', async () => {
    const bytes = Uint8Array.from([0x7b, 0xff, 0x1b]);
    const { out } = await explained('payment', bytes);
    expect(out).toContain(signPayment(bytes, 'demo-secret'));
    expect(out).toContain('{ÿ\\u{1b}');
  });

  test.each([
    ['{', 'The file is not JSON in UTF-8'],
    [Uint8Array.from([0xff]), 'The file is not JSON in UTF-8'],
    ['[]', 'must contain a JSON object'],
    ['{"merchantId":"M","invoiceNumber":12}', 'invoiceNumber is a number: write "12"'],
    ['{"a":true,"b":null}', 'a is a boolean: write "true", b is null: leave it out'],
    ['{"extraData":{"x":1}}', 'extraData is an object: write it as a string of JSON'],
    ['{"extraData":[1]}', 'extraData is an array: write it as a string of JSON'],
  ])('refuses fields that are not text, and names them: %j', async (content, problem) => {
    const { code, error } = await explained('invoice', content);
    expect(code).toBe(1);
    expect(error).toContain(problem);
  });

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFF{"a":1}', 'utf16le'), 'is UTF-16'],
    ['UTF-16BE', Buffer.from('{"a":1}', 'utf16le').swap16(), 'is UTF-16'],
    ['UTF-16 without a byte order mark', Buffer.from('{"a":1}', 'utf16le'), 'is UTF-16'],
    ['an HTTP request', 'POST /v2/payments HTTP/1.1\r\nHost: x\r\n\r\n{}', 'is a whole HTTP message'],
    ['an HTTP answer', 'HTTP/1.1 200 OK\r\n\r\n{}', 'is a whole HTTP message'],
    ['a curl command', "curl -X POST https://x.example --data '{}'", 'is a curl command'],
    ['a curl command with its prompt', "\uFEFF$ curl https://x.example -d '{}'", 'is a curl command'],
  ])('recognises %s, and names the alternative', async (_what, content, problem) => {
    for (const kind of ['payment', 'invoice']) {
      const { code, out, error } = await explained(kind, content);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(error).toContain(problem);
      expect(error).toMatch(/^The file [^\n]*\. See installment-payments explain --help\.$/);
    }
    const args = ['explain', 'signature', '-', '--received', 'x', '--secret-env', 'KEY'];
    const { code, error } = await runOnce(args, { KEY: 'demo-secret' }, content);
    expect(code).toBe(1);
    expect(error).toContain(`Standard input ${problem}`);
  });

  test('refuses an empty file where fields are expected', async () => {
    const { code, error } = await explained('invoice', '');
    expect(code).toBe(1);
    expect(error).toContain('is empty');
  });

  test('names a body that is JSON encoded twice', async () => {
    const { out } = await explained('payment', JSON.stringify('{"referenceId":"ORDER-1"}'));
    expect(out).toContain('Warning: the body is JSON encoded twice');
  });

  test('warns of a line break at the end of the file, with the signature without it', async () => {
    const { out } = await explained('payment', '{}\r\n');
    expect(out).toContain(`Signature: ${signPayment('{}\r\n', 'demo-secret')}`);
    expect(out).toContain(
      `without the line break at its end the signature is ${signPayment('{}', 'demo-secret')}`,
    );
  });

  test('signs as the switches say', async () => {
    const file = join(folder, 'switched');
    const secret = ['--secret-env', 'KEY'];
    await writeFile(file, '{"referenceId":"ORDER-1"}');
    const env = { KEY: 'demo-secret' };
    const payment = await runOnce(
      ['explain', 'payment', file, ...secret, '--signature-encoding', 'base64'],
      env,
    );
    const invoice = await runOnce(['explain', 'invoice', file, ...secret, '--absent-fields', 'omit'], env);
    const digest = Buffer.from(signPayment('{"referenceId":"ORDER-1"}', 'demo-secret'), 'hex');
    expect(payment.out).toContain(`Signature: ${digest.toString('base64')}`);
    expect(invoice.out).toContain('Canonical string:\n\nreferenceId=ORDER-1\n');
    expect(invoice.out).toContain(`Signature: ${signPayment('referenceId=ORDER-1', 'demo-secret')}`);
  });

  test.each(['a'.repeat(60_000_000), 'á'.repeat(30_000_000)])(
    'signs 60 MB, and shows a part',
    async (text) => {
      const { code, out } = await explained('payment', text);
      expect(code).toBe(0);
      expect(out).toContain(`Signature: ${signPayment(text, 'demo-secret')}`);
      expect(out).toContain('more characters)');
      expect(out.length).toBeLessThan(100_000);
    },
  );
});

describe('the command, as a process,', { timeout: 30_000 }, () => {
  let command: [file: string];
  beforeAll(async () => {
    command = [await compiledCommand('src/cli/main.ts')];
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('ends at %s with exit code 0', async (signal) => {
    const child = spawn(process.execPath, [...command, 'mock', '--port', '0', '--json']);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    expect((await fetch(`${url}/_mock/health`)).status).toBe(200);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('keeps running when its reader stops reading', async () => {
    const child = spawn(process.execPath, [...command, 'mock', '--port', '0']);
    const [banner] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(banner.toString())?.[0] ?? '';
    child.stdout.destroy();
    child.stderr.destroy();
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await fetch(`${url}/v2/payments`, { method: 'POST' })).status).toBe(200);
    }
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends when a shell between it and its parent is killed', async () => {
    const line = [process.execPath, ...command, 'mock', '--port', '0', '--json'].join("' '");
    const shell = spawn('sh', ['-c', `'${line}'; true`]);
    const [json] = (await once(shell.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(json.toString()) as { url: string };
    expect(await isUp(url)).toBe(true);
    shell.kill('SIGKILL');
    // The mock holds the other end of the shell's output.
    await once(shell, 'close');
    expect(await isUp(url)).toBe(false);
  });

  test('keeps running when standard input is not a pipe', async () => {
    const child = spawn(process.execPath, [...command, 'mock', '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [json] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(json.toString()) as { url: string };
    expect(await isUp(url)).toBe(true);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends after an error although its standard input stays open', async () => {
    await using server = await createMockService().listen();
    const child = spawn(process.execPath, [...command, 'mock', '--port', String(server.port)]);
    expect(await once(child, 'exit')).toEqual([1, null]);
  });

  test('reports misuse with exit code 1 and one line on the error stream', async () => {
    const failed = promisify(execFile)(process.execPath, [...command, 'mock', '--nope']);
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+\n$/) as unknown,
    });
  });

  test('reports a full disk in one line, with exit code 1', async () => {
    const line = `'${process.execPath}' ${command.join(' ')} --help > /dev/full`;
    await expect(promisify(execFile)('sh', ['-c', line])).rejects.toMatchObject({
      code: 1,
      stderr: 'Cannot write the output: the disk is full.\n',
    });
  });

  test('does not fail when its reader stops early', async () => {
    const line = `'${process.execPath}' ${command.join(' ')} explain --help | head -n 1`;
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line]);
    expect(stdout).toMatch(/^Usage: [^\n]+\n$/);
    expect(stderr).toBe('');
  });

  test('prints nothing with --quiet', async () => {
    // A port that was free a moment ago: the command does not say which one it takes.
    const server = await createMockService().listen();
    await server.close();
    const child = spawn(process.execPath, [...command, 'mock', '--port', String(server.port), '--quiet']);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    while (!(await isUp(server.url))) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(said).toBe('');
  });
});

async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/_mock/health`).then(
    (response) => response.ok,
    () => false,
  );
}

/** Pastes a command into a shell; without curl, sends the same request. */
async function paste(curl: string): Promise<string> {
  try {
    return (await promisify(execFile)('sh', ['-c', curl])).stdout;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 127) throw error;
  }
  const words = (
    await promisify(execFile)('sh', ['-c', curl.replace('curl', `printf '%s\\0'`)])
  ).stdout.split('\0');
  const headers = words.flatMap((word, index) =>
    words[index - 1] === '-H' ? [word.split(/: (.*)/, 2)] : [],
  );
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const body = words[words.indexOf('--data-raw') + 1] ?? '';
  const response = await fetch(url, { method: 'POST', headers: headers as [string, string][], body });
  return response.text();
}
