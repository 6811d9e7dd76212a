import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  chooseWorlds,
  hasError,
  problemOfPlain,
  rehearsalJournalLimit,
  runWorlds,
  type RehearsalReport,
  type WorldReport,
} from '../rehearsal/rehearse.js';
import { customers } from '../rehearsal/customers.js';
import { oneOf, text, textOr, texts, wholeNumber, type Command } from './command.js';
import { CliError, fileError, onEndSignal, visible, type CliIo } from './io.js';
import { environmentOf } from './mock-output.js';
import { findingsText, progressLine, reportText } from './rehearsal-output.js';
import { merchantCommand } from './rehearse-command.js';
import { orderPage, shopCheckout } from './rehearse-shop.js';
import { fromUsage, mockOptionsFrom, startMock } from './start-mock.js';

const options = {
  webhook: text('URL', 'Sends the signed notifications there'),
  'webhook-body': text('FILE', "JSON with the form of the notifications, as in your service's documents"),
  customer: textOr(
    'none',
    customers.join('|'),
    'Ends payments as customers would; none: the command does it',
  ),
  checkout: text(
    "'POST URL'",
    "Your shop's own checkout, with {order} for the name of an order: it is called in place of a command",
  ),
  orders: textOr('2', 'N', 'Orders in each world, with --checkout'),
  'order-url': text(
    'URL',
    'Page of an order, with {ref} for its reference: tells which orders you count as paid',
  ),
  paid: textOr('\\bpaid\\b', 'REGEX', 'Matches the page of a paid order, in either case of letters'),
  once: text(
    'REGEX',
    'Captures a number of that page, such as shipped parcels, that must not be higher elsewhere',
  ),
  worlds: text('NAME,NAME', 'Only these worlds, after the plain one'),
  'settle-ms': textOr('2000', 'N', 'Milliseconds without a request until a run has ended'),
  port: textOr('0', 'N', 'Port of the mock, for a backend that stays up; 0 takes a free one'),
  host: textOr('127.0.0.1', 'HOST', 'Host to listen on, such as 0.0.0.0 for a backend in a container'),
  'public-url': text('URL', 'Address under which the backend reaches the mock'),
  'allow-host': texts('NAME', 'Name under which the mock may be reached, besides addresses and localhost'),
  config: text('FILE', 'JSON with options of createMockService'),
  json: text('FILE', 'Writes the report as JSON'),
} satisfies Command['options'];

const notes = `The command is run once in the plain world, then once in each other one, and the runs are compared: what could charge a
customer twice or lose an order is reported. A world is a way in which a service may respond where the specification
is silent, or does less than it says. The command gets INSTALLMENT_BASE_URL and the other variables of a client,
INSTALLMENT_LENDER_BASE_URL, INSTALLMENT_MOCK_URL and INSTALLMENT_WORLD. A backend that stays up is started before, with
INSTALLMENT_BASE_URL=http://127.0.0.1:4010 for --port 4010.

Examples:

  installment-payments rehearse --customer pays -- npm run place-orders
  installment-payments rehearse --port 4010 --webhook http://127.0.0.1:3000/hook -- ./place-orders.sh
  installment-payments rehearse --port 4010 --webhook http://127.0.0.1:3000/hook --customer pays \\
    --order-url 'http://127.0.0.1:3000/orders/{ref}' --checkout 'POST http://127.0.0.1:3000/checkout?order={order}'

A world whose point cannot arise without --webhook, --order-url or --checkout is not judged.

Exit code: 0 without an error, 1 with one, 130 after Ctrl-C, 2 for wrong usage and where nothing can be compared: in the plain
world the command failed, sent nothing or had every payment refused, or --checkout gave no link; in another one it created
fewer payments; or the order page cannot tell.`;

/** Wrong usage, a command that cannot be started, or a world that cannot be compared. */
const notComparable = 2;
const interruptedCode = 130;
const silenceMs = 30_000;

/** Runs the merchant's command in every world. @returns the exit code */
async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const customer = oneOf('customer', values.customer, customers);
  const settleMs = wholeNumber('settle-ms', values['settle-ms'], 0, 600_000);
  const port = wholeNumber('port', values.port, 0, 65_535);
  const orders = wholeNumber('orders', values.orders, 1, 100);
  const checkout = values.checkout === undefined ? undefined : shopCheckout(values.checkout, orders);
  const [program = '', ...programArgs] = positionals;
  if (checkout && program !== '') throw new CliError('--checkout and a command exclude each other');
  if (!checkout && program === '') {
    throw new CliError(
      "A command is missing: give it after --, as in 'rehearse -- npm run place-orders', or --checkout",
    );
  }
  const { 'order-url': orderUrl, json } = values;
  if (values.once !== undefined && orderUrl === undefined) throw new CliError('--once needs --order-url');
  const page = orderUrl === undefined ? undefined : orderPage(orderUrl, values.paid, values.once);
  const worlds = fromUsage(() => chooseWorlds(values.worlds?.split(',')), '--worlds: ');
  const mockOptions = { journalLimit: rehearsalJournalLimit, ...(await mockOptionsFrom(values)) };
  if (mockOptions.world !== undefined) {
    throw new CliError('--config: a rehearsal sets the world itself; choose with --worlds');
  }
  // Before the first world: a rehearsal takes minutes.
  await writeReport(json, { ok: false, worlds: [], findings: [] });
  const { mock, server, client } = await startMock(mockOptions, port, values.host);
  const { url } = server;
  const baseUrl = mockOptions.publicUrl ?? url;
  const addresses = { INSTALLMENT_MOCK_URL: url, INSTALLMENT_LENDER_BASE_URL: baseUrl };
  const env = { ...io.env, ...environmentOf({ ...client, baseUrl }), ...addresses };
  const command = merchantCommand(program, programArgs, env);
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const forgetSignals = onEndSignal(io.signals, () => {
    interrupted.abort();
  });
  // A command that does not end would be silent for minutes.
  const silence = `      nothing has arrived for ${silenceMs / 1000} s: waiting for the command to end (Ctrl-C ends the rehearsal)`;
  const telling = setInterval(() => io.out(silence), silenceMs);
  mock.subscribe(() => telling.refresh());
  const merchant = checkout ?? command.run;
  const origins = orderUrl === undefined ? [] : [new URL(orderUrl).origin];
  const settings = { merchant, mock, mockOptions, customer, settleMs, page, origins, signal };
  const tell = (world: WorldReport, done: number) => {
    const place = `[${String(done).padStart(String(worlds.length).length)}/${worlds.length}]`;
    const output = world.commandFailed === undefined ? [] : command.quotedOutput();
    const findings = done === 1 ? findingsText(world.findings) : [];
    io.out([progressLine(world, place), ...output, ...findings].join('\n'));
  };
  try {
    const report = await runWorlds(settings, worlds, tell);
    const problem = problemOfPlain(report.worlds);
    if (report.worlds.length > 0 && (problem === undefined || report.findings.length > 0)) {
      io.out(reportText(report, page !== undefined));
    }
    await writeReport(json, report);
    if (signal.aborted) {
      io.error(`Interrupted: ${report.worlds.length} of ${worlds.length} worlds were run.`);
      return interruptedCode;
    }
    if (problem !== undefined) {
      const isSilent = report.worlds.every(({ requests }) => requests === 0);
      const hint = isSilent ? ` The mock was at ${url}; for a backend that stays up, see --port.` : '';
      io.error(`In the plain world ${visible(problem)}. Nothing can be compared with it.${hint}`);
      return notComparable;
    }
    if (report.ok) return 0;
    return hasError(report.findings) ? 1 : notComparable;
  } finally {
    clearInterval(telling);
    mock.reset();
    await server.close();
    await command.close();
    forgetSignals();
  }
}

async function writeReport(file: string | undefined, report: RehearsalReport): Promise<void> {
  if (file === undefined) return;
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`).catch((error: unknown) => {
    throw fileError('--json: cannot write', file, error);
  });
}

export const rehearse: Command = {
  name: 'rehearse',
  summary: "Runs a merchant's own test in the mock's worlds: ways in which a service may respond",
  usage: ['rehearse [OPTIONS] -- COMMAND', "rehearse [OPTIONS] --checkout 'POST URL'"],
  options,
  misuseCode: notComparable,
  notes,
  run,
};
