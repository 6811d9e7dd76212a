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

In PowerShell, write a backtick instead of the backslash at the end of a line, and quote the dashes before the command: '--'.

The specification leaves some behaviour of the service open. A scenario is one possible behaviour. The command, or the checkout
of your shop, runs in the baseline first, and then in each scenario. rehearse compares the runs, and reports mistakes that can charge a
customer twice or lose an order.

The command gets INSTALLMENT_BASE_URL and the other environment variables of a client, INSTALLMENT_LENDER_BASE_URL,
INSTALLMENT_MOCK_URL and INSTALLMENT_SCENARIO. If your shop runs permanently, start it before rehearse, with the address at which the
mock will be: INSTALLMENT_BASE_URL=http://127.0.0.1:4010 for --port 4010.

The output says 'not judged' for a scenario that lacks something that it needs. This does not affect the exit code. A scenario can need:

  - A flag: --webhook, --order-url, --checkout, --checkout-changed, --restart or --customer.
  - A successRedirectUrl in the shop's requests that has the same origin as --order-url.
  - A payment, an upload or a refused request in the baseline.
  - A second payment of an order.

If a scenario has what it needs, but its run does not show whether the shop is right, the output says 'inconclusive'.

The exit code is the first of these that applies:

  - 130 after Ctrl-C.
  - 2 for wrong usage.
  - 2 if the command failed or was stopped in the baseline, or the checkout returned no link there.
  - 1 if a finding is an error.
  - 2 if the baseline or a scenario is inconclusive, or if a request arrived after its own scenario
    had ended, and the scenario would have waited for it with a longer --settle-ms.
  - 0.

If one of these is true, the baseline is inconclusive:

  - The command could not be started, failed, or was stopped.
  - The shop sent no request.
  - The shop created no payment. Exception: your code has scripted a response of the mock, or
    injected a fault.
  - The checkout returned no link.
  - The order page could not be read, or --once captured no number on any page of a paid order.
  - The run did not end: each time the order page was read, a payment was created or settled.

Nothing can then be compared with the baseline, so the other scenarios are not run. Exception: they are run if a finding of the
baseline is an error, and the command or the checkout neither failed nor was stopped.

If one of these is true, a scenario after the baseline is inconclusive:

  - The shop sent no request.
  - The shop created fewer payments than in the baseline. Exception: the difference is explained by
    HTTP 429, by redirects, or by a payment that was first declined and later paid.
  - The run was stopped, because it took too long or the shop repeated a request too often.
  - The shop could not be restarted with --restart.
  - The run did not end: each time the order page was read, a payment was created or settled.
  - The scenario needs a refused request, and no request was refused.
  - The scenario needs a webhook, a forged webhook or a decoy, and none was sent. With --customer
    none, the scenario is 'not judged'.
  - The scenario needs a changed basket or an opened redirect URL, and there was none before the
    payment was settled. With --customer none, the scenario is 'not judged'.
  - The scenario needs something that the shop did not do in the baseline. All scenarios that need
    --webhook need an accepted webhook. The scenario 'forged' needs an order page that shows a paid
    order as paid. The scenario 'basket-changed' needs a higher amount with --checkout-changed than
    with --checkout.`;

/** The exit code for wrong usage, and for a baseline or a scenario that is inconclusive. */
const inconclusiveCode = 2;
const interruptedCode = 130;
const silenceMs = 30_000;

/** Runs a rehearsal. @returns the exit code */
async function runRehearse(args: readonly string[], io: CliIo): Promise<number> {
  const { scenarios, mockOptions, page, json, ...plan } = await readPlan(args);
  // A rehearsal takes minutes, so a file that cannot be written is reported before the rehearsal.
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
  const removeSignalListeners = onEndSignal(io.signals, () => {
    interrupted.abort();
  });
  // This text shows that the rehearsal still runs, for example while a command hangs for minutes.
  const silenceText = `      no request has arrived for ${silenceMs / 1000} s: waiting ${plan.checkout ? 'for the shop' : 'until the command ends'} (Ctrl-C ends the rehearsal)`;
  const silenceTimer = setInterval(() => io.out(silenceText), silenceMs);
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
  const printProgress = (scenario: ScenarioReport, reportCount: number) => {
    const progress = `[${String(reportCount).padStart(String(scenarios.length).length)}/${scenarios.length}]`;
    const output = scenario.commandFailed === undefined ? [] : command.quotedOutput();
    // The findings of the baseline are shown at once, because the other scenarios take minutes.
    const findings = reportCount === 1 ? findingsText(scenario.findings) : [];
    io.out([progressLine(scenario, progress), ...output, ...findings].join('\n'));
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
      const hasNoRequest = report.scenarios.every(({ requests }) => requests === 0);
      const hint = hasNoRequest
        ? ` The mock listened at ${url}. For a shop that runs permanently, see --port.`
        : '';
      io.error(`In the baseline, ${printable(problem)}. Nothing can be compared with the baseline.${hint}`);
      return inconclusiveCode;
    }
    if (report.ok) return 0;
    return hasError(report.findings) ? 1 : inconclusiveCode;
  } finally {
    clearInterval(silenceTimer);
    mock.reset();
    await server.close();
    await command.close();
    removeSignalListeners();
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
  misuseCode: inconclusiveCode,
  notes: rehearseNotes,
  run: runRehearse,
};
