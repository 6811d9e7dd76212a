import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ConfigurationError } from '../errors/errors.js';
import type { MockServer } from '../mock/adapters/node.js';
import { createMockService } from '../mock/create-mock.js';
import { checkMockOptions } from '../mock/mock-options.js';
import { DEMO_MERCHANT, type MockMerchant } from '../mock/service/merchants.js';
import type { MockOptions, MockService } from '../mock/types.js';
import { worldName } from '../mock/worlds/resolve-world.js';
import type { WorldName } from '../mock/worlds/named-worlds.js';
import { isInsecure } from '../protocol/urls.js';
import { CliError, codeOf, visible, type CliIo } from './io.js';
import { banner, deliveryLine, lineOf, type ReadyLine } from './mock-output.js';

const flags = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  'public-url': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  config: { type: 'string' },
  merchant: { type: 'string', multiple: true },
  webhook: { type: 'string' },
  world: { type: 'string' },
  'journal-limit': { type: 'string' },
  json: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
} as const;

export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value >= least && value <= most) return value;
  throw new CliError(`--${option} must be a whole number from ${least} to ${most}`);
}

/** The merchant of a `--merchant` flag. The secret may contain colons, the IDs may not. */
function merchantFrom(text: string): MockMerchant {
  const match = /^([^:]+):(.+):([^:]+)$/.exec(text);
  const [, clientId, secretKey, merchantId] = match ?? [];
  if (clientId === undefined || secretKey === undefined || merchantId === undefined) {
    throw new CliError('--merchant must be given as clientId:secret:merchantId');
  }
  return { clientId, secretKey, merchantId };
}

/** The `mock` command. Resolves when it is stopped. */
export async function serveMock(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: flags, allowPositionals: false });
  if (values.json && values.quiet) throw new CliError('--json and --quiet exclude each other');
  const port = wholeNumber('port', values.port, 0, 65_535);
  const { webhook, 'journal-limit': journalLimit } = values;
  const config = values.config === undefined ? {} : await readConfig(values.config);
  const options: MockOptions = {
    ...config,
    ...(values.merchant && { merchants: values.merchant.map(merchantFrom) }),
    ...(values['public-url'] !== undefined && { publicUrl: values['public-url'] }),
    ...(values['allow-host'] && { allowedHosts: values['allow-host'] }),
    ...(webhook !== undefined && { webhook: { ...config.webhook, url: webhook } }),
    // createMockService refuses a name that it does not know.
    ...(values.world !== undefined && { world: values.world as WorldName }),
    ...(journalLimit !== undefined && {
      journalLimit: wholeNumber('journal-limit', journalLimit, 1, 1_000_000),
    }),
  };
  const mock = fromUsage(() => createMockService(options));
  const { fetch: _fetch, ...local } = fromUsage(() => mock.clientOptions());
  const server = await listening(mock, port, values.host);
  const end = await watchForEnd(io);
  const { url } = server;
  const publicUrl = options.publicUrl?.replace(/\/+$/, '');
  const baseUrl = publicUrl ?? url;
  const ready: ReadyLine = {
    ready: true,
    url,
    ...(publicUrl !== undefined && { publicUrl }),
    port: server.port,
    world: worldName(mock.world()),
    clientOptions: { ...local, baseUrl, ...(isInsecure(baseUrl) && { allowInsecureHttp: true }) },
    merchants: (options.merchants ?? [DEMO_MERCHANT]).map((merchant) => ({
      storeIds: DEMO_MERCHANT.storeIds,
      ...merchant,
    })),
  };
  if (values.json) {
    io.out(JSON.stringify(ready));
  } else if (!values.quiet) {
    io.out(banner(ready, values.host, new Date()));
    mock.subscribe((change) => {
      if (change.kind === 'request' && change.entry.completed) io.out(lineOf(change.entry, url));
      const delivery = change.kind === 'webhook' && mock.webhooks.get(change.id);
      const isBeingSent = delivery && delivery.status === 'pending' && !delivery.nextTryAt;
      if (delivery && !isBeingSent) io.out(deliveryLine(delivery));
    });
  }
  await end.reached;
  // Ends requests that are delayed or hang, and webhooks, which would keep the process alive.
  mock.reset();
  await server.close();
  return 0;
}

/** The options in a JSON file: everything that `createMockService` takes but functions. */
export async function readConfig(file: string): Promise<MockOptions> {
  const name = visible(file);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`Cannot read ${name} (${codeOf(error) ?? 'unknown'})`);
  }
  let config: unknown;
  try {
    config = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own message quotes the file, which has secrets.
    throw new CliError(`${name} is not JSON`);
  }
  return fromUsage(() => checkMockOptions(config), `${name}: `);
}

/** The result of a function that refuses wrong options. */
export function fromUsage<Result>(work: () => Result, where = ''): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConfigurationError ? new CliError(where + error.message) : error;
  }
}

export async function listening(mock: MockService, port: number, host: string): Promise<MockServer> {
  try {
    return await mock.listen({ port, host });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CliError(`--${error.message}`);
    const code = codeOf(error);
    if (code === undefined) throw error;
    const at = `${visible(host)}:${port}`;
    throw new CliError(
      code === 'EADDRINUSE'
        ? `${at} is in use: choose another port with --port`
        : `Cannot listen on ${at} (${code})`,
    );
  }
}

/**
 * Waits for SIGINT, SIGTERM, or the end of standard input where that is a pipe: a parent process may die without
 * passing a signal on, as npx does. A pipe that has ended before the mock is ready says nothing about the parent.
 */
async function watchForEnd({ signals, input, inputIsPipe }: CliIo): Promise<{ reached: Promise<void> }> {
  if (inputIsPipe) {
    input.resume();
    // A pipe that has ended already emits its end in this turn of the event loop, before anything listens for it.
    await nextTurn();
  }
  const reached = new Promise<void>((resolve) => {
    const stop = () => {
      signals.off('SIGINT', stop);
      signals.off('SIGTERM', stop);
      if (inputIsPipe) input.destroy();
      resolve();
    };
    signals.once('SIGINT', stop);
    signals.once('SIGTERM', stop);
    if (inputIsPipe) input.once('end', stop).once('error', stop);
  });
  return { reached };
}
