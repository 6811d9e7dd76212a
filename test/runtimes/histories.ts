// Runs in each runtime: hundreds of random histories of calls over its default transport.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { callsOver } from '../faults/histories/make-call.js';
import { runHistories } from '../faults/histories/run-histories.js';

const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const count = 300;

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  // Turns are not enough for Deno, which reads and writes in other threads.
  await wait(2);
}

const { problems, outcomes } = await runHistories({ count, seed, settle, makeCall: callsOver({}) });
for (const problem of problems) console.log(problem);
console.log(JSON.stringify(outcomes));
console.log(
  `TEST_SEED=${String(seed)}: ${String(count)} histories, ${String(problems.length)} untrue claims`,
);
process.exit(problems.length === 0 ? 0 : 1);
