import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  chooseWorlds,
  customers,
  hasError,
  problemOfPlain,
  rehearsalJournalLimit,
  type RehearsedMerchant,
  runWorlds,
} from '../mock/face.js';
import { flag, oneOf, text, textOr, wholeNumber, type Command } from './command.js';
import { reasonOf } from '../values/reason-of.js';
import { CliError, fileError, onEndSignal, visible, type CliIo } from './io.js';
import { environmentOf } from './mock-output.js';
import { orderPage } from './order-page.js';
import { junit, progressLine, reportText } from './rehearsal-output.js';
import { fromUsage, readConfig, startMock } from './start-mock.js';

const options = {
  webhook: text('URL', 'Sends the signed notifications there'),
  customer: textOr(
    'none',
    customers.join('|'),
    'Ends payments as customers would; none: the command does it',
  ),
  'order-url': text(
    'URL',
    'Page of an order, with {ref} for its reference: tells which orders you count as paid',
  ),
  paid: textOr('\\bpaid\\b', 'REGEX', 'Matches the page of a paid order, in either case of letters'),
  worlds: text('NAME,NAME', 'Only these worlds, after the plain one'),
  pairs: flag('Each pair of values in place of the named worlds'),
  'settle-ms': textOr('2000', 'N', 'Milliseconds without a request until a run has ended'),
  port: textOr('0', 'N', 'Port of the mock, for a backend that stays up; 0 takes a free one'),
  config: text('FILE', 'JSON with options of createMockService'),
  json: text('FILE', 'Writes the report as JSON'),
  junit: text('FILE', 'Writes the report as JUnit XML'),
} satisfies Command['options'];

const notes = `The command is run once in the plain world, then once in each other one, and the runs are compared: what could charge a
customer twice or lose an order is reported. A world is a way in which a service may answer where the specification
is silent, or falls short of it. The command gets INSTALLMENT_BASE_URL and the other variables of a client,
INSTALLMENT_LENDER_BASE_URL, INSTALLMENT_MOCK_URL and INSTALLMENT_WORLD. A backend that stays up is started before, with
INSTALLMENT_BASE_URL=http://127.0.0.1:4010 for --port 4010.

Examples:

  installment-payments rehearse --customer pays -- npm run place-orders
  installment-payments rehearse --port 4010 --webhook http://127.0.0.1:3000/hook -- ./place-orders.sh

Exit code: 0 without an error, 1 with one, 2 for wrong usage, an interruption, and where nothing can be compared: in the plain
world the command failed, sent nothing or had every payment refused; in another one it created fewer payments; or the order
page cannot tell.`;

/** Wrong usage, a command that cannot be started, or a world that cannot be compared. */
const notComparable = 2;
const keptOutput = 4000;
const killAfterMs = 2000;
const pollMs = 20;

/** Runs the merchant's command in every world. @returns 0 without an error, 1 with one, 2 where nothing can be compared */
async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [program, ...programArgs] = positionals;
  if (program === undefined) {
    throw new CliError("A command is missing: give it after --, as in 'rehearse -- npm run place-orders'");
  }
  const customer = oneOf('customer', values.customer, customers);
  const settleMs = wholeNumber('settle-ms', values['settle-ms'], 0, 600_000);
  const port = wholeNumber('port', values.port, 0, 65_535);
  const page = values['order-url'] === undefined ? undefined : orderPage(values['order-url'], values.paid);
  if (values.worlds !== undefined && values.pairs)
    throw new CliError('--worlds and --pairs exclude each other');
  const worlds = fromUsage(() => chooseWorlds(values.worlds?.split(','), values.pairs), '--worlds: ');
  const config = await readConfig(values.config);
  const mockOptions = {
    journalLimit: rehearsalJournalLimit,
    ...config,
    ...(values.webhook !== undefined && { webhook: { ...config.webhook, url: values.webhook } }),
  };
  const { mock, server, client } = await startMock(mockOptions, port, '127.0.0.1');
  const { url } = server;
  const addresses = { INSTALLMENT_MOCK_URL: url, INSTALLMENT_LENDER_BASE_URL: url };
  const env = { ...io.env, ...environmentOf({ ...client, baseUrl: url }), ...addresses };
  const command = new MerchantCommand(program, programArgs, env);
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const forgetSignals = onEndSignal(io.signals, () => {
    if (signal.aborted) command.kill();
    interrupted.abort();
  });
  try {
    const settings = { customer, settleMs, page, signal };
    let done = 0;
    const rehearsal = { mock, mockOptions, worlds, settings };
    const report = await runWorlds(command.run, rehearsal, (world) => {
      done += 1;
      io.out(
        progressLine(world, `[${String(done).padStart(String(worlds.length).length)}/${worlds.length}]`),
      );
      if (world.commandFailed !== undefined && command.output !== '') io.out(quoted(command.output));
    });
    if (signal.aborted) {
      io.error('Interrupted. There is no report, because not every world was run.');
      return notComparable;
    }
    const problem = problemOfPlain(report);
    if (problem !== undefined) {
      if (report.findings.length > 0) io.out(reportText(report, page !== undefined));
      const isSilent = report.worlds.every(({ requests }) => requests === 0);
      const hint = isSilent ? ` The mock was at ${url}; for a backend that stays up, see --port.` : '';
      io.error(`In the plain world ${visible(problem)}. Nothing can be compared with it.${hint}`);
      return notComparable;
    }
    io.out(reportText(report, page !== undefined));
    await write('json', values.json, `${JSON.stringify(report, undefined, 2)}\n`);
    await write('junit', values.junit, junit(report));
    if (report.ok) return 0;
    return hasError(report.findings) ? 1 : notComparable;
  } finally {
    mock.reset();
    await server.close();
    await command.close();
    forgetSignals();
  }
}

/** The merchant's command, which is run once in each world. */
class MerchantCommand {
  /** The end of the last run's output. */
  output = '';
  readonly #children: ChildProcess[] = [];
  readonly #endings: Promise<void>[] = [];
  #isKilled = false;

  constructor(
    private readonly program: string,
    private readonly args: readonly string[],
    private readonly env: Readonly<Record<string, string | undefined>>,
  ) {}

  readonly run: RehearsedMerchant = ({ world, signal }) =>
    new Promise<void>((resolve, reject) => {
      this.output = '';
      // A group of its own, so that what the command has started can be ended with it.
      const child = spawn(this.program, this.args, {
        env: { ...this.env, INSTALLMENT_WORLD: world },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      this.#children.push(child);
      signal.addEventListener('abort', () => this.#endings.push(this.#end(child)));
      const keep = (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-keptOutput);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      child.on('error', (error) => {
        reject(new Error(`could not be started (${reasonOf(error)})`));
      });
      // Not 'close', which waits for everything that the command has started and left behind.
      child.on('exit', (code, signalName) => {
        if (code === 0) resolve();
        else reject(new Error(signalName ? `was ended by ${signalName}` : `failed with exit code ${code}`));
      });
    });

  /** Ends a command and what it has started. */
  async #end(child: ChildProcess): Promise<void> {
    const isAlive = () => !this.#isKilled && signalGroup(child, 0);
    signalGroup(child, 'SIGTERM');
    for (let waitedMs = 0; isAlive() && waitedMs < killAfterMs; waitedMs += pollMs) await pause(pollMs);
    signalGroup(child, 'SIGKILL');
  }

  /** Gives a command that was told to end no more time. */
  kill(): void {
    this.#isKilled = true;
  }

  /** Waits for commands that were told to end, and lets go of the output of what any has left behind. */
  async close(): Promise<void> {
    await Promise.all(this.#endings);
    for (const { stdout, stderr } of this.#children) for (const stream of [stdout, stderr]) stream?.destroy();
  }
}

/** Signals a command and what it has started; false if nothing of it is running. 0 only asks. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}

function quoted(output: string): string {
  return visible(output.trimEnd(), '\n')
    .split('\n')
    .slice(-12)
    .map((line) => `      | ${line}`)
    .join('\n');
}

async function write(option: string, file: string | undefined, report: string): Promise<void> {
  if (file === undefined) return;
  await writeFile(file, report).catch((error: unknown) => {
    throw fileError(`--${option}: cannot write`, file, error);
  });
}

export const rehearse: Command = {
  name: 'rehearse',
  summary: "Runs a merchant's own test in the mock's worlds: ways in which a service may answer",
  usage: ['rehearse [OPTIONS] -- COMMAND'],
  options,
  misuseCode: notComparable,
  notes,
  run,
};
