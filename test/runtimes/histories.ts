// Runs in each runtime: hundreds of random histories of calls over its default transport, with real sockets, bytes that
// lie on a connection that is used again, and the lender's operations. Only here it shows that a runtime takes such
// bytes for the next response, as Deno would.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { makeCall } from './histories/make-call.js';
import { runHistories } from './histories/run-histories.js';

const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const count = 300;

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  // Turns are not enough for Deno, which reads and writes in other threads.
  await wait(2);
}

const { problems, outcomes } = await runHistories({ count, seed, settle, makeCall });
for (const problem of problems) console.log(problem);
console.log(JSON.stringify(outcomes));
console.log(
  `TEST_SEED=${String(seed)}: ${String(count)} histories, ${String(problems.length)} untrue claims`,
);
process.exit(problems.length === 0 ? 0 : 1);
