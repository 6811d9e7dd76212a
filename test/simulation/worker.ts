/** Runs the episodes that it is sent, one after the other, in a thread of its own. */
import { parentPort } from 'node:worker_threads';
import { runEpisode } from './episode.js';
import type { PlannedEpisode } from './plan.js';

// The shop writes down what it refuses.
console.error = () => undefined;

const port = parentPort;
if (!port) throw new Error('run test/simulation/main.ts');
let unhandled: string[] = [];
const onUnhandled = (error: unknown) => unhandled.push(`unhandled error: ${String(error)}`);
process.on('unhandledRejection', onUnhandled).on('uncaughtException', onUnhandled);

port.on('message', ({ seed, orders }: PlannedEpisode) => {
  unhandled = [];
  void runEpisode(seed, orders).then(({ violations, hash }) => {
    port.postMessage({ violations: [...violations, ...unhandled], hash });
  });
});
