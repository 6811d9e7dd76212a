import { writeFile } from 'node:fs/promises';
import { runScenarios } from '../rehearsal/run-scenarios.js';
import {
  hasError,
  problemOfBaseline,
  type RehearsalReport,
  type ScenarioReport,
} from '../rehearsal/scenario-report.js';
import type { Command } from './command.js';
import { fileError, onEndSignal, type CliIo } from './io.js';
import { printable } from '../../values/texts.js';
import { clientOptionsAt, environmentOf } from './mock-output.js';
import { findingsText, progressLine, reportText } from './rehearsal-output.js';
import { merchantCommand } from './rehearse-command.js';
import { optionGroups, rehearseOptions, readPlan } from './rehearse-options.js';
import { shopRestart } from './rehearse-restart.js';
import { startMock } from './start-mock.js';

const rehearseNotes = `Examples:

  installment-payments rehearse --port 4010 --customer pays \\
    --webhook http://127.0.0.1:3000/hook --order-url 'http://127.0.0.1:3000/orders/{ref}' \\
    --checkout 'POST http://127.0.0.1:3000/checkout?order={order}'
  installment-payments rehearse --customer pays -- npm run place-orders
  installment-payments rehearse --port 4010 --webhook http://127.0.0.1:3000/hook \\
    -- ./place-orders.sh

In PowerShell, a line that continues ends with a backtick, not with a backslash, and the dashes before the command are quoted:
'--'.

A scenario is one way in which a service might behave where the specification does not say. The command, or the checkout of your
shop, runs in the baseline first and then in each scenario. rehearse compares the runs, and reports what could charge a customer twice
or lose an order.

The command gets INSTALLMENT_BASE_URL and the other variables of a client, INSTALLMENT_LENDER_BASE_URL, INSTALLMENT_MOCK_URL and
INSTALLMENT_SCENARIO. If your shop runs permanently, start it first, with the port of the mock:
INSTALLMENT_BASE_URL=http://127.0.0.1:4010 for --port 4010.

A scenario is not judged if it needs a flag that is missing (--webhook, --order-url, --checkout, --checkout-changed, --restart or
--customer), or an upload or a refused request that the baseline does not have. That does not change the exit code.

Exit code: 0 without an error, 1 with an error, 130 after Ctrl-C, and 2 for wrong usage or if nothing can be compared:

  - in the baseline, the command failed, sent nothing or had every payment refused,
    or the checkout returned no link
  - in a scenario, fewer payments were created, no webhook was sent,
    or a request arrived only after its scenario had ended
  - the order page cannot be read`;

/** The exit code for wrong usage, a command that cannot be started, and a scenario that cannot be compared. */
const notComparable = 2;
const interruptedCode = 130;
const silenceMs = 30_000;

/** Runs a rehearsal. @returns the exit code */
async function runRehearse(args: readonly string[], io: CliIo): Promise<number> {
  const { scenarios, mockOptions, page, json, ...plan } = await readPlan(args);
  // A file that cannot be written is reported before the first scenario, because a rehearsal takes minutes.
  await writeReport(json, { ok: false, scenarios: [], findings: [] });
  const { mock, server, client } = await startMock(mockOptions, plan.port, plan.host);
  const { url } = server;
  const baseUrl = mockOptions.publicUrl ?? url;
  const addresses = { INSTALLMENT_MOCK_URL: url, INSTALLMENT_LENDER_BASE_URL: baseUrl };
  const env = { ...io.env, ...environmentOf(clientOptionsAt(baseUrl, client)), ...addresses };
  const [program = '', ...programArgs] = plan.command;
  const command = merchantCommand(program, programArgs, env);
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const forgetSignals = onEndSignal(io.signals, () => {
    interrupted.abort();
  });
  // Without this line, a command that does not end would print nothing for minutes.
  const silence = `      no request has arrived for ${silenceMs / 1000} s: waiting for the ${plan.checkout ? 'shop' : 'command to end'} (Ctrl-C ends the rehearsal)`;
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
      const hint = isSilent ? ` The mock was at ${url}. For a backend that stays up, see --port.` : '';
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

export const rehearseCommand: Command = {
  name: 'rehearse',
  summary: 'Runs your test or your checkout against many simulated behaviours of the service',
  usage: [
    "rehearse [OPTIONS] --checkout 'POST URL'",
    'rehearse [OPTIONS] -- COMMAND',
    'rehearse [OPTIONS] --checkout-page URL',
  ],
  options: rehearseOptions,
  groups: optionGroups,
  misuseCode: notComparable,
  notes: rehearseNotes,
  run: runRehearse,
};
