/**
 * The network faults of the fault suite, without a test runner: every fault at the first attempt of every operation,
 * against servers that count. Runs on any runtime, over the default transport of the package as it is packed.
 */
import { isInstallmentError } from '../../src/entries/index.js';
import { approved, callers, makeCall, merchantOf, upload } from '../faults/calls.js';
import { FaultServer } from '../faults/fault-server.js';
import { faults, isRetried, secure, startFaults, stopFaults } from '../faults/network-faults.js';
import * as steps from '../faults/steps.js';
import { instantRuntime } from '../helpers/runtime.js';

/** The limits of a runtime's servers and errors; each is safe, or is not about the client. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  // BoringSSL cannot serve TLS 1.1.
  bun: ['wrong TLS version'],
  deno: [
    // The error has no TLS code there, so that the attempt, of which nothing was sent, is repeated.
    'wrong TLS version',
    // The brotli decoder does not report a cut there. JSON shows it; a lender's 2xx acknowledges by its status.
    'body cut short inside br',
    // Over an agent of one's own, nothing of an answer that stalls is handed over there: its outcome is unknown.
    'whole JSON whose end never comes (Content-Length: 10000)',
    'whole JSON whose end never comes (Transfer-Encoding: chunked)',
  ],
};
const runtimeName = ['bun', 'deno'].find((name) => process.versions[name] !== undefined) ?? 'node';
const isLeftOut = (title: string) => leftOut[runtimeName]?.includes(title) ?? false;

await startFaults();
const wrong: string[] = [];
let total = 0;
for (const caller of callers) {
  for (const { title, occur, isSecure, ...verdicts } of faults) {
    const verdict = verdicts[caller.side];
    if (!verdict || isLeftOut(title)) continue;
    total++;
    const goesOn = isRetried(verdict, caller);
    const made = await makeCall(caller, (runtime) => [occur(runtime), approved], {
      secure: isSecure ? secure : undefined,
    });
    const outcomes = made.attempts.map(({ outcome }) => outcome);
    const expected = goesOn ? [verdict.outcome, 'accepted'] : [verdict.outcome];
    const isUnsent = made.error?.outcome !== 'not_sent' || made.requests.length === 0;
    const isOnce = made.requests.length <= made.attempts.length;
    if (String(outcomes) === String(expected) && isUnsent && isOnce) continue;
    const seen = `${outcomes.join()}, ${String(made.requests.length)} requests`;
    wrong.push(`${title}, ${caller.operation}: ${seen}; expected ${expected.join()}`);
    const [attempt] = made.attempts;
    wrong.push(`  ${attempt?.phase ?? ''} ${attempt?.error ?? ''}`);
  }
}
await stopFaults();

/** Two calls over one kept-alive connection, the second of which meets a fault: a runtime must not send it again. */
const onKeptAlive = [
  { title: '421 on a fresh connection', script: [steps.html(421), approved], calls: 1 },
  { title: '421 on a kept-alive connection', script: [approved, steps.html(421), approved], calls: 2 },
  {
    title: 'a kept-alive connection that ends after the request',
    script: [approved, steps.close, approved],
    calls: 2,
  },
  {
    title: 'a kept-alive connection that is reset after it',
    script: [approved, steps.reset, approved],
    calls: 2,
  },
] as const;

for (const { title, script, calls } of onKeptAlive) {
  total++;
  const server = await FaultServer.start(script);
  const client = merchantOf({ baseUrl: server.url, runtime: instantRuntime() });
  const outcomes: string[] = [];
  for (let call = 0; call < calls; call++) {
    const ended = client.uploadInvoice(upload).then(
      () => 'accepted',
      (error: unknown) => (isInstallmentError(error) ? error.outcome : 'no error of the package'),
    );
    outcomes.push(await ended);
  }
  const expected = [...Array.from({ length: calls - 1 }, () => 'accepted'), 'unknown'];
  if (String(outcomes) !== String(expected) || server.requests.length !== calls) {
    wrong.push(`${title}: ${outcomes.join()}, ${String(server.requests.length)} requests`, '');
  }
  await server.close();
}

console.log(wrong.join('\n'));
console.log(`${String(total)} faults, ${String(wrong.length / 2)} wrong`);
process.exit(wrong.length === 0 ? 0 : 1);
