/** Runs the episodes that it is sent, one after the other, in a thread of its own. */
import { parentPort } from 'node:worker_threads';
import { runEpisode } from './episode.js';
import type { PlannedEpisode } from './plan.js';

// The shop writes down what it refuses.
console.error = () => undefined;

const port = parentPort;
if (!port) throw new Error('run test/simulation/main.ts');
port.on('message', ({ seed, orders }: PlannedEpisode) => {
  void runEpisode(seed, orders).then((episode) => port.postMessage(episode));
});
