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
import type { Command } from './command.js';
import { CliError, codeOf, visible, type CliIo } from './io.js';
import { banner, deliveryLine, lineOf, type ReadyLine } from './mock-output.js';

const options = {
  port: { type: 'string', default: '4010', value: 'N', help: 'Port to listen on; 0 takes a free one' },
  host: { type: 'string', default: '127.0.0.1', value: 'HOST', help: 'Host to listen on' },
  'public-url': {
    type: 'string',
    value: 'URL',
    help: 'Address under which customers reach it; paymentUrl begins with it',
  },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'Name under which the pages and controls may be reached, besides addresses and localhost',
  },
  merchant: {
    type: 'string',
    multiple: true,
    value: 'CLIENTID:SECRET:MERCHANTID',
    help: 'Registers a merchant instead of the demo merchant',
  },
  webhook: { type: 'string', value: 'URL', help: 'Sends a signed webhook there when a payment is settled' },
  world: {
    type: 'string',
    value: 'NAME',
    help: 'Answers as another service might, such as lost-answer or repeat-duplicate',
  },
  'journal-limit': { type: 'string', value: 'N', help: 'Requests that the journal keeps (default 500)' },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'JSON with the options of createMockService: merchants, webhook, wire, world, uploads, publicUrl, allowedHosts and more. The options of the command line replace those of the file',
  },
  json: {
    type: 'boolean',
    default: false,
    help: 'Prints one line of JSON when it is ready, and nothing else: { ready, url, publicUrl?, port, world, clientOptions, merchants }, secrets included. clientOptions are options of an InstallmentClient',
  },
  quiet: { type: 'boolean', default: false, help: 'Prints nothing' },
} as const satisfies Command['options'];

const notes = `Examples:

  installment-payments mock
  installment-payments mock --port 4020 --webhook http://127.0.0.1:3000/webhooks/installments

Pay or break a payment from another terminal. The reference is that of your order:

  curl http://127.0.0.1:4010/_mock/settle --data '{"referenceId":"ORDER-1","status":"paid"}'
      The customer has paid; also: declined, expired.

  curl http://127.0.0.1:4010/_mock/faults --data '{"operation":"initiatePayment","fault":"connection-reset","phase":"after"}'
      The service acts on the next payment, and its answer is lost. With "phase":"before" it does not act.

  curl http://127.0.0.1:4010/_mock/respond --data '{"operation":"initiatePayment","answer":{"resultStatus":"INVALID_AMOUNT"}}'
      The next payment is answered so.

The pages at /_mock do the same, and show every request with its answer. The mock ends with SIGINT, with SIGTERM, and when
standard input is a pipe that ends. Exit code: 0, or 1 for wrong usage.`;

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

/** Serves the mock until it is stopped. */
async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
  if (values.json && values.quiet) throw new CliError('--json and --quiet exclude each other');
  const port = wholeNumber('port', values.port, 0, 65_535);
  const { webhook, 'journal-limit': journalLimit } = values;
  const config = values.config === undefined ? {} : await readConfig(values.config);
  const mockOptions: MockOptions = {
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
  const service = fromUsage(() => createMockService(mockOptions));
  const { fetch: _fetch, ...local } = fromUsage(() => service.clientOptions());
  const server = await listening(service, port, values.host);
  const end = await watchForEnd(io);
  const { url } = server;
  const publicUrl = mockOptions.publicUrl?.replace(/\/+$/, '');
  const baseUrl = publicUrl ?? url;
  const ready: ReadyLine = {
    ready: true,
    url,
    ...(publicUrl !== undefined && { publicUrl }),
    port: server.port,
    world: worldName(service.world()),
    clientOptions: { ...local, baseUrl, ...(isInsecure(baseUrl) && { allowInsecureHttp: true }) },
    merchants: (mockOptions.merchants ?? [DEMO_MERCHANT]).map((merchant) => ({
      storeIds: DEMO_MERCHANT.storeIds,
      ...merchant,
    })),
  };
  if (values.json) {
    io.out(JSON.stringify(ready));
  } else if (!values.quiet) {
    io.out(banner(ready, values.host, new Date()));
    service.subscribe((change) => {
      if (change.kind === 'request' && change.entry.completed) io.out(lineOf(change.entry, url));
      const delivery = change.kind === 'webhook' && service.webhooks.get(change.id);
      const isBeingSent = delivery && delivery.status === 'pending' && !delivery.nextTryAt;
      if (delivery && !isBeingSent) io.out(deliveryLine(delivery));
    });
  }
  await end.reached;
  // Ends requests that are delayed or hang, and webhooks, which would keep the process alive.
  service.reset();
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

/** The `mock` command. */
export const mock: Command = {
  name: 'mock',
  summary: 'Serves the mock of the whole service',
  usage: ['mock [OPTIONS]'],
  options,
  notes,
  run,
};
