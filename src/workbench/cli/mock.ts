import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DEMO_MERCHANT, demoMerchant, type MockOptions } from '../../mock/observation.js';
import { scenarioName } from '../../mock/scenarios/resolve-scenario.js';
import { flag, text, textOr, texts, wholeNumber, type Command } from './command.js';
import { onEndSignal, type CliIo } from './io.js';
import { banner, clientOptionsAt, printTraffic, type ReadyLine } from './mock-output.js';
import { mockOptionsFrom, startMock, overlaidScenario } from './start-mock.js';

const mockCommandOptions = {
  port: textOr('4010', 'N', 'Port to listen on. 0 uses a free port'),
  host: textOr('127.0.0.1', 'HOST', 'Host to listen on'),
  'public-url': text(
    'URL',
    'Address at which customers reach the mock. Each paymentUrl begins with this address',
  ),
  'allow-host': texts(
    'NAME',
    'Host name at which the pages and controls can be reached, besides IP addresses and localhost',
  ),
  webhook: text('URL', 'URL to which the mock sends a signed webhook when a payment is settled'),
  'webhook-body': text(
    'FILE',
    "JSON template of the webhooks, as in your provider's documentation: webhook.template of createMockService",
  ),
  scenario: text('NAME', 'The simulated behaviour of the service, such as lost-response or repeat-duplicate'),
  service: text(
    'FILE',
    'File written by probe. The mock then behaves like your service. --config and the other options override the file',
  ),
  config: text(
    'FILE',
    'JSON with the options of createMockService: merchants, webhook, wire, scenario, uploads, publicUrl, allowedHosts and more. The other options override the file',
  ),
  json: flag(
    'Prints one line of JSON when the mock is ready, and nothing else: { ready, url, publicUrl?, port, scenario, clientOptions, merchants }, secrets included. clientOptions are the options of an InstallmentClient',
  ),
} satisfies Command['options'];

const mockNotes = `Examples:

  installment-payments mock
  installment-payments mock --port 4020 --webhook http://127.0.0.1:3000/webhooks/installments

Pay or break a payment from another terminal, with the referenceId of your payment:

  curl http://127.0.0.1:4010/_mock/settle \\
    --data '{"referenceId":"ORDER-1","status":"paid"}'
      The customer has paid. Other values: declined, expired.

  curl http://127.0.0.1:4010/_mock/faults \\
    --data '{"operation":"initiatePayment","fault":"connection-reset","phase":"after"}'
      The service acts on the next payment, and its response is lost.
      With "phase":"before", the service does not act.

  curl http://127.0.0.1:4010/_mock/respond \\
    --data '{"operation":"initiatePayment","answer":{"resultStatus":"INVALID_AMOUNT"}}'
      The next payment gets this response.

In PowerShell:

  Invoke-RestMethod http://127.0.0.1:4010/_mock/settle -Method Post \`
    -Body '{"referenceId":"ORDER-1","status":"paid"}'

In a browser, the pages at /_mock can pay or break a payment too. They also show every request with its response.

The mock stops at SIGINT or SIGTERM, when its standard input is a pipe and the pipe is closed, and when the npx process that started the mock exits.
Exit code: 0, or 1 for wrong usage.`;

const parentCheckMs = 250;

/** Serves the mock until it is stopped. @returns the exit code */
async function runMock(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: mockCommandOptions, allowPositionals: false });
  const port = wholeNumber('port', values.port, 0, 65_535);
  const options = await mockOptionsFrom(values);
  const isLikeService = values.service !== undefined;
  const mockOptions: MockOptions = {
    ...options,
    // createMockService refuses an unknown name.
    ...(values.scenario !== undefined && {
      scenario: overlaidScenario(isLikeService ? options.scenario : undefined, values.scenario),
    }),
  };
  const { mock: service, server, client } = await startMock(mockOptions, port, values.host);
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
    clientOptions: clientOptionsAt(baseUrl, client),
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
  // `reset` ends open requests and webhooks, which would keep the process alive.
  service.reset();
  await server.close();
  return 0;
}

/**
 * Waits for SIGINT or SIGTERM. If standard input is a pipe, the end of the pipe counts too, because a parent process
 * can die without forwarding a signal. If the pipe has ended before the mock is ready, the end does not count.
 *
 * npx does not forward SIGTERM, and in a script the standard input of the mock is not a pipe. So the mock checks
 * whether the npx process that started the mock still runs. If a shell started the mock, the mock does not check the
 * shell, because a shell can end while the mock is still needed.
 */
export async function watchForEnd(io: CliIo): Promise<{ reached: Promise<void> }> {
  const { env, signals, input, inputIsPipe } = io;
  if (inputIsPipe) {
    input.resume();
    // If the pipe has ended already, it emits `end` in this turn of the event loop, before a listener is added.
    await nextTurn();
  }
  const reached = new Promise<void>((resolve) => {
    const stop = () => {
      clearInterval(parentTimer);
      removeSignalListeners();
      if (inputIsPipe) input.destroy();
      resolve();
    };
    const removeSignalListeners = onEndSignal(signals, stop);
    const parent = io.parentId();
    const checkParent = () => {
      if (io.parentId() !== parent) stop();
    };
    const parentTimer =
      env['npm_lifecycle_event'] === 'npx' ? setInterval(checkParent, parentCheckMs) : undefined;
    if (inputIsPipe) input.once('end', stop).once('error', stop);
  });
  return { reached };
}

export const mockCommand: Command = {
  name: 'mock',
  summary: 'Serves the mock of the whole service',
  usage: ['mock [OPTIONS]'],
  options: mockCommandOptions,
  notes: mockNotes,
  run: runMock,
};
