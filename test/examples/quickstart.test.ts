import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMockService, DEMO_MERCHANT } from '../../src/entries/mock.js';
import { runExample, runWithTsx } from './run-example.js';

const quickstart = 'examples/quickstart.ts';

/** Makes a pipe look like a terminal. Node then decides about colours, as on a real terminal. */
const terminal = `
  import tty from 'node:tty';
  Object.setPrototypeOf(process.stdout, tty.WriteStream.prototype);
  process.stdout.isTTY = true;`;
/** The environment without variables about colours. */
const colourful = { NO_COLOR: undefined, FORCE_COLOR: undefined, CI: undefined };
const onTerminal = `--import data:text/javascript,${encodeURIComponent(terminal)}`;

/** Prints each request that a server of the process receives to standard error. */
const requestLog = `
  import { subscribe } from 'node:diagnostics_channel';
  subscribe('http.server.request.start', ({ request: { method, headers, url } }) =>
    console.error(method, headers.host, url));`;
const withRequestLog = `--import data:text/javascript,${encodeURIComponent(requestLog)}`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quickstart-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function written(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('npm start', () => {
  test('runs from the order to the invoice against its own mock, and explains one error, without colours in a pipe', async () => {
    const { code, stdout, stderr } = await runWithTsx(quickstart, [], colourful);

    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Payment URL {2}http:\/\/127\.0\.0\.1:\d+\/\S+$/m);
    expect(stdout).toMatch(/^Invoice ID {3}\S+$/m);
    expect(stdout).toContain('DuplicateReferenceIdError (DUPLICATE_REFERENCE_ID)');
    expect(stdout).toMatch(/outcome {4}unknown/);
    expect(stdout).toMatch(/action {5}\S+/);
    expect(stripVTControlCharacters(stdout)).toBe(stdout);
  });

  test.each([
    ['in colour on a terminal', { TERM: 'xterm-256color', NODE_OPTIONS: onTerminal }, true],
    ['plain on a terminal where NO_COLOR is set', { NO_COLOR: '1', NODE_OPTIONS: onTerminal }, false],
  ])('prints %s', async (_where, env, isColoured) => {
    const { code, stdout } = await runExample(quickstart, [], { ...colourful, ...env });

    expect(code).toBe(0);
    expect(stripVTControlCharacters(stdout)).toContain('outcome    unknown');
    expect(stdout !== stripVTControlCharacters(stdout)).toBe(isColoured);
  });

  test('sends its requests to the server that it prints', async () => {
    const { stdout, stderr } = await runExample(quickstart, [], { NODE_OPTIONS: withRequestLog });

    const [, host] = /^Service {6}mock at http:\/\/(\S+)$/m.exec(stdout) ?? [];
    expect(stderr.trimEnd().split('\n')).toEqual([
      `POST ${host} /v2/payments`,
      `POST ${host} /v2/payments/upload-invoice`,
      `POST ${host} /v2/payments`,
    ]);
  });

  test('accepts files of the user', async () => {
    const order = JSON.parse(await readFile('examples/order.json', 'utf8')) as Record<string, unknown>;
    const orderFile = await written('mine.json', JSON.stringify({ ...order, referenceId: 'MINE-1' }));
    const invoice = await written('mine.xml', '<?xml version="1.0"?><invoice number="1"/>');

    const { code, stdout } = await runExample(quickstart, [orderFile, invoice]);

    expect(code).toBe(0);
    expect(stdout).toContain('MINE-1: APPROVED');
  });

  test.each<[string, () => Promise<string[]> | string[], RegExp]>([
    ['a missing order file', () => ['nowhere.json'], /nowhere\.json cannot be read/],
    ['an unknown option', () => ['--fast'], /--fast/],
    ['too many files', () => ['a', 'b', 'c'], /Usage/],
    ['an order that is not JSON', async () => [await written('broken.json', '{')], /is not JSON/],
    [
      'an order with broken rules, each with its path',
      async () => [await written('wrong.json', '{"referenceId":"A B","items":[]}')],
      /referenceId: must be[^]*items: must be an array of 1 to 200 items[^]*customer: is required/,
    ],
    [
      'an invoice of another type',
      async () => ['examples/order.json', await written('invoice.pdf', 'just text')],
      /file: must begin like a pdf, png, jpg or xml file/,
    ],
  ])('ends with one clear message and exit code 1 for %s', async (_case, args, message) => {
    const { code, stderr, stdout } = await runExample(quickstart, await args());

    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).not.toContain('Invoice ID');
  });

  test('calls the service in the environment, and can be repeated', async () => {
    const mock = createMockService({ uploads: 'any' });
    const server = await mock.listen();
    try {
      const { clientId, secretKey, merchantId } = DEMO_MERCHANT;
      const env = {
        INSTALLMENT_BASE_URL: server.url,
        INSTALLMENT_CLIENT_ID: clientId,
        INSTALLMENT_SECRET_KEY: secretKey,
        INSTALLMENT_MERCHANT_ID: merchantId,
        INSTALLMENT_STORE_ID: 'STORE-01',
        INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
      };
      const { code, stdout } = await runExample(quickstart, [], env);

      expect(code).toBe(0);
      expect(mock.payments.all()).toHaveLength(1);
      expect(mock.invoices.all()).toHaveLength(1);
      expect(stdout).toContain('VALIDATION');
      expect(stdout).toContain(server.url);

      expect((await runExample(quickstart, [], env)).code).toBe(0);
      expect(mock.payments.all()).toHaveLength(2);
      expect(mock.invoices.all()).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  test('names the missing option for a base URL without credentials', async () => {
    const { code, stderr } = await runExample(quickstart, [], {
      INSTALLMENT_BASE_URL: 'https://pay.example',
    });

    expect(code).toBe(1);
    expect(stderr).toContain('clientId is required');
  });
});
