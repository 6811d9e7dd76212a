import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { InstallmentClient } from '../../client.js';
import { version } from '../../version.js';
import { textOr, wholeNumber, type Command } from './command.js';
import { createDemoShop } from './demo-shop.js';
import type { CliIo } from './io.js';
import { watchForEnd } from './mock.js';
import { printTraffic } from './mock-output.js';
import { listenError, startMock } from './start-mock.js';

const host = '127.0.0.1';

const demoOptions = {
  port: textOr('3000', 'N', 'Port of the shop. 0 uses a free port'),
  'mock-port': textOr('4010', 'N', 'Port of the mock. 0 uses a free port'),
} satisfies Command['options'];

const demoNotes = `The demo prints three addresses: the shop, its staff page, and the mock's inspector. Then it prints
a line for each request of the shop, for each webhook, and for each order to ship. Everything is in
memory, and only this machine can reach it.

Examples:

  installment-payments demo
  installment-payments demo --port 3001 --mock-port 0

Lose the response of the next payment request, then check out:

  curl http://127.0.0.1:4010/_mock/faults \\
    --data '{"operation":"initiatePayment","fault":"connection-reset","phase":"after"}'
      The Controls page of the inspector does the same.

The demo stops like the mock: at Ctrl-C or SIGTERM, and when the process that started it exits. Exit
code: 0, or 1 for wrong usage or a port that is in use.`;

/** Serves the example shop and its mock until the command is stopped. */
async function runDemo(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: demoOptions, allowPositionals: false });
  const port = wholeNumber('port', values.port, 0, 65_535);
  const mockPort = wholeNumber('mock-port', values['mock-port'], 0, 65_535);

  // The shop listens first, because the mock needs the address of the shop for the webhooks.
  const shopServer = createServer().listen(port, host);
  await once(shopServer, 'listening').catch((error: unknown) => {
    throw listenError(error, host, port, '--port');
  });
  const close = () => {
    shopServer.close();
    shopServer.closeAllConnections();
  };
  const shopUrl = `http://${host}:${(shopServer.address() as AddressInfo).port}`;
  const webhook = { url: `${shopUrl}/webhooks/installments` };
  const { mock, server, client } = await startMock({ webhook }, mockPort, host, '--mock-port').catch(
    (error: unknown) => {
      close();
      throw error;
    },
  );

  const { fetch: _fetch, ...credentials } = client;
  const inspectorUrl = `${server.url}/_mock`;
  const shop = createDemoShop({
    // The client does not retry, so that a lost response can be seen in the shop.
    client: new InstallmentClient({ ...credentials, baseUrl: server.url, maxRetries: 0 }),
    secretKey: credentials.secretKey,
    shopUrl,
    inspectorUrl,
    print: (line) => io.out(line),
  });
  shopServer.on('request', shop.listener);

  const end = await watchForEnd(io);
  io.out(
    [
      `installment-payments demo ${version}`,
      '',
      `Shop:       ${shopUrl}`,
      `Staff page: ${shopUrl}/staff`,
      `Inspector:  ${inspectorUrl}`,
      '',
      'Open the shop in a browser. A mock replaces the payment service, and no money moves. Stop with Ctrl-C.',
      '',
    ].join('\n'),
  );
  printTraffic(mock, server.url, io);
  await end.reached;
  shop.stop();
  close();
  mock.reset();
  await server.close();
  return 0;
}

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Serves an example shop with its payment page, without an account',
  usage: ['demo [OPTIONS]'],
  options: demoOptions,
  notes: demoNotes,
  run: runDemo,
};
