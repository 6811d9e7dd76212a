import { writeFile } from 'node:fs/promises';
import {
  hasError,
  problemOfBaseline,
  runScenarios,
  type RehearsalReport,
  type ScenarioReport,
} from '../rehearsal/rehearse.js';
import type { Command } from './command.js';
import { fileError, onEndSignal, type CliIo } from './io.js';
import { printable } from '../../values/texts.js';
import { environmentOf } from './mock-output.js';
import { findingsText, progressLine, reportText } from './rehearsal-output.js';
import { merchantCommand } from './rehearse-command.js';
import { options, readPlan } from './rehearse-options.js';
import { shopRestart } from './rehearse-restart.js';
import { startMock } from './start-mock.js';

const notes = `The command is run once in the baseline, then once in each other one, and the runs are compared: what could charge a
customer twice or lose an order is reported. A scenario is a way in which a service may respond where the specification
is silent, or does less than it says. The command gets INSTALLMENT_BASE_URL and the other variables of a client,
INSTALLMENT_LENDER_BASE_URL, INSTALLMENT_MOCK_URL and INSTALLMENT_SCENARIO. A backend that stays up is started before, with
INSTALLMENT_BASE_URL=http://127.0.0.1:4010 for --port 4010.

Examples:

  installment-payments rehearse --customer pays -- npm run place-orders
  installment-payments rehearse --port 4010 --webhook http://127.0.0.1:3000/hook -- ./place-orders.sh
  installment-payments rehearse --port 4010 --webhook http://127.0.0.1:3000/hook --customer pays \\
    --order-url 'http://127.0.0.1:3000/orders/{ref}' --checkout 'POST http://127.0.0.1:3000/checkout?order={order}'

A scenario whose point cannot arise without --webhook, --order-url, --checkout, --checkout-changed, --restart or --customer, or
without an upload or a refused request in the baseline, is not judged, and changes no exit code.

Exit code: 0 without an error, 1 with one, 130 after Ctrl-C, 2 for wrong usage and where nothing can be compared: in the
baseline the command failed, sent nothing or had every payment refused, or --checkout gave no link; in another one it created
fewer payments or was not asked, or a request came only after its end; or the order page cannot tell.`;

/** Wrong usage, a command that cannot be started, or a scenario that cannot be compared. */
const notComparable = 2;
const interruptedCode = 130;
const silenceMs = 30_000;

/** Runs the merchant's command in every scenario. @returns the exit code */
async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { scenarios, mockOptions, page, json, ...plan } = await readPlan(args);
  // Before the first scenario: a rehearsal takes minutes.
  await writeReport(json, { ok: false, scenarios: [], findings: [] });
  const { mock, server, client } = await startMock(mockOptions, plan.port, plan.host);
  const { url } = server;
  const baseUrl = mockOptions.publicUrl ?? url;
  const addresses = { INSTALLMENT_MOCK_URL: url, INSTALLMENT_LENDER_BASE_URL: baseUrl };
  const env = { ...io.env, ...environmentOf({ ...client, baseUrl }), ...addresses };
  const [program = '', ...programArgs] = plan.command;
  const command = merchantCommand(program, programArgs, env);
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const forgetSignals = onEndSignal(io.signals, () => {
    interrupted.abort();
  });
  // A command that does not end would be silent for minutes.
  const silence = `      nothing has arrived for ${silenceMs / 1000} s: waiting for the ${plan.checkout ? 'shop' : 'command to end'} (Ctrl-C ends the rehearsal)`;
  const silenceTimer = setInterval(() => io.out(silence), silenceMs);
  mock.subscribe(() => silenceTimer.refresh());
  const { customer, settleMs, origins, headers } = plan;
  const settings = {
    mock,
    mockOptions,
    customer,
    settleMs,
    page,
    origins,
    headers,
    signal,
    merchant: plan.checkout ?? command.run,
    restart: plan.restart && shopRestart(plan.restart.command, env, plan.restart.page),
  };
  const printProgress = (scenario: ScenarioReport, done: number) => {
    const place = `[${String(done).padStart(String(scenarios.length).length)}/${scenarios.length}]`;
    const output = scenario.commandFailed === undefined ? [] : command.quotedOutput();
    const findings = done === 1 ? findingsText(scenario.findings) : [];
    io.out([progressLine(scenario, place), ...output, ...findings].join('\n'));
  };
  try {
    const report = await runScenarios(settings, scenarios, printProgress);
    const problem = problemOfBaseline(report.scenarios);
    if (report.scenarios.length > 0 && (problem === undefined || report.findings.length > 0)) {
      io.out(reportText(report, page !== undefined));
    }
    await writeReport(json, report);
    if (signal.aborted) {
      io.error(`Interrupted: ${report.scenarios.length} of ${scenarios.length} scenarios were run.`);
      return interruptedCode;
    }
    if (problem !== undefined) {
      const isSilent = report.scenarios.every(({ requests }) => requests === 0);
      const hint = isSilent ? ` The mock was at ${url}; for a backend that stays up, see --port.` : '';
      io.error(`In the baseline ${printable(problem)}. Nothing can be compared with it.${hint}`);
      return notComparable;
    }
    if (report.ok) return 0;
    return hasError(report.findings) ? 1 : notComparable;
  } finally {
    clearInterval(silenceTimer);
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
  summary: "Runs a merchant's own test in the mock's scenarios: ways in which a service may respond",
  usage: [
    'rehearse [OPTIONS] -- COMMAND',
    "rehearse [OPTIONS] --checkout 'POST URL'",
    'rehearse [OPTIONS] --checkout-page URL',
  ],
  options,
  misuseCode: notComparable,
  notes,
  run,
};
