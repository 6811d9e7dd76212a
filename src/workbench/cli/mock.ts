import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DEMO_MERCHANT, demoMerchant, type MockOptions } from '../../mock/observation.js';
import { scenarioName } from '../../mock/scenarios/resolve-scenario.js';
import { isInsecure } from '../../protocol/urls.js';
import { flag, text, textOr, texts, wholeNumber, type Command } from './command.js';
import { onEndSignal, type CliIo } from './io.js';
import { banner, printTraffic, type ReadyLine } from './mock-output.js';
import { mockOptionsFrom, startMock, scenarioOver } from './start-mock.js';

const options = {
  port: textOr('4010', 'N', 'Port to listen on; 0 takes a free one'),
  host: textOr('127.0.0.1', 'HOST', 'Host to listen on'),
  'public-url': text('URL', 'Address under which customers reach it; paymentUrl begins with it'),
  'allow-host': texts(
    'NAME',
    'Name under which the pages and controls may be reached, besides addresses and localhost',
  ),
  webhook: text('URL', 'Sends a signed webhook there when a payment is settled'),
  'webhook-body': text(
    'FILE',
    "JSON with the form of the webhooks, as in your provider's documentation: webhook.template of createMockService",
  ),
  scenario: text('NAME', 'Responds as another service might, such as lost-response or repeat-duplicate'),
  service: text(
    'FILE',
    'Behaves as the service that probe has seen. The options of --config and of the command line, --scenario too, replace what the file has',
  ),
  config: text(
    'FILE',
    'JSON with the options of createMockService: merchants, webhook, wire, scenario, uploads, publicUrl, allowedHosts and more. The options of the command line replace those of the file',
  ),
  json: flag(
    'Prints one line of JSON when it is ready, and nothing else: { ready, url, publicUrl?, port, scenario, clientOptions, merchants }, secrets included. clientOptions are options of an InstallmentClient',
  ),
} satisfies Command['options'];

const notes = `Examples:

  installment-payments mock
  installment-payments mock --port 4020 --webhook http://127.0.0.1:3000/webhooks/installments

Pay or break a payment from another terminal, with the reference of your order:

  curl http://127.0.0.1:4010/_mock/settle --data '{"referenceId":"ORDER-1","status":"paid"}'
      The customer has paid; also: declined, expired.

  curl http://127.0.0.1:4010/_mock/faults --data '{"operation":"initiatePayment","fault":"connection-reset","phase":"after"}'
      The service acts on the next payment, and its response is lost. With "phase":"before" it does not act.

  curl http://127.0.0.1:4010/_mock/respond --data '{"operation":"initiatePayment","answer":{"resultStatus":"INVALID_AMOUNT"}}'
      The next payment gets this response.

The pages at /_mock do the same, and show every request with its response.

The mock ends with SIGINT, with SIGTERM, when standard input is a pipe that ends, and when the npx that started it ends. Exit code: 0,
or 1 for wrong usage.`;

const lookMs = 250;

/** Serves the mock until it is stopped. */
async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
  const port = wholeNumber('port', values.port, 0, 65_535);
  const given = await mockOptionsFrom(values);
  const isSeen = values.service !== undefined;
  const mockOptions: MockOptions = {
    ...given,
    // createMockService refuses a name that it does not know.
    ...(values.scenario !== undefined && {
      scenario: scenarioOver(isSeen ? given.scenario : undefined, values.scenario),
    }),
  };
  const { mock: service, server, client } = await startMock(mockOptions, port, values.host);
  const { fetch: _fetch, ...local } = client;
  const end = await watchForEnd(io);
  const { url } = server;
  const publicUrl = mockOptions.publicUrl?.replace(/\/+$/, '');
  const baseUrl = publicUrl ?? url;
  const ready: ReadyLine = {
    ready: true,
    url,
    ...(publicUrl !== undefined && { publicUrl }),
    port: server.port,
    scenario: scenarioName(service.scenario()),
    clientOptions: { ...local, baseUrl, ...(isInsecure(baseUrl) && { allowInsecureHttp: true }) },
    merchants: (mockOptions.merchants ?? [demoMerchant(mockOptions.wire?.secretKeyEncoding)]).map(
      (merchant) => ({
        storeIds: DEMO_MERCHANT.storeIds,
        ...merchant,
      }),
    ),
  };
  if (values.json) {
    io.out(JSON.stringify(ready));
  } else {
    io.out(banner(ready, values.host, mockOptions.webhook?.url));
    printTraffic(service, url, io);
  }
  await end.reached;
  // Ends requests that are delayed or hang, and webhooks, which would keep the process alive.
  service.reset();
  await server.close();
  return 0;
}

/**
 * Waits for SIGINT, SIGTERM, or the end of standard input where that is a pipe: a parent process may die without
 * passing a signal on. A pipe that has ended before the mock is ready says nothing about the parent.
 *
 * npx does not pass SIGTERM on either, and in a script its standard input is no pipe. So the mock looks whether the npx that started it
 * is still there; it does not look after a shell, which may end before the mock is needed.
 */
export async function watchForEnd(io: CliIo): Promise<{ reached: Promise<void> }> {
  const { env, signals, input, inputIsPipe } = io;
  if (inputIsPipe) {
    input.resume();
    // A pipe that has ended already emits its end in this turn of the event loop, before anything listens for it.
    await nextTurn();
  }
  const reached = new Promise<void>((resolve) => {
    const stop = () => {
      clearInterval(lookout);
      forgetSignals();
      if (inputIsPipe) input.destroy();
      resolve();
    };
    const forgetSignals = onEndSignal(signals, stop);
    const parent = io.parentId();
    const look = () => {
      if (io.parentId() !== parent) stop();
    };
    const lookout = env['npm_lifecycle_event'] === 'npx' ? setInterval(look, lookMs) : undefined;
    if (inputIsPipe) input.once('end', stop).once('error', stop);
  });
  return { reached };
}

export const mock: Command = {
  name: 'mock',
  summary: 'Serves the mock of the whole service',
  usage: ['mock [OPTIONS]'],
  options,
  notes,
  run,
};
