/**
 * The network rows of the fault suite, without a test runner: every fault at the first attempt of every operation,
 * against servers that count. Runs on any runtime, over the default transport of the package as it is packed.
 */
import { makeCall, callers, approved } from '../faults/calls.js';
import { faults, isRetried, secure, startFaults, stopFaults } from '../faults/network-faults.js';

/** What a runtime cannot do as its servers or errors are made; each is safe, or is not about the client. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  // BoringSSL cannot serve TLS 1.1.
  bun: ['wrong TLS version'],
  // The error has no TLS code there, so that the attempt, of which nothing was sent, is repeated.
  deno: ['wrong TLS version'],
};
const runtimeName = ['bun', 'deno'].find((name) => process.versions[name] !== undefined) ?? 'node';
const isLeftOut = (title: string) => leftOut[runtimeName]?.includes(title) ?? false;

await startFaults();
const wrong: string[] = [];
let total = 0;
for (const caller of callers) {
  for (const { row, title, occur, isSecure, ...verdicts } of faults) {
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
    wrong.push(`row ${String(row)}, ${title}, ${caller.operation}: ${seen}; expected ${expected.join()}`);
    const [attempt] = made.attempts;
    wrong.push(`  ${attempt?.phase ?? ''} ${attempt?.error ?? ''}`);
  }
}
await stopFaults();
console.log(wrong.join('\n'));
console.log(`${String(total)} faults, ${String(wrong.length / 2)} wrong`);
process.exit(wrong.length === 0 ? 0 : 1);
