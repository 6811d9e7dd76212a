/** A mock in a process of its own, whose heap can be asked for: the other end of the soak test. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMockService } from '../../../src/entries/mock.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const server = await createMockService().listen();
process.on('message', () => {
  collect();
  collect();
  process.send?.({ heapUsed: process.memoryUsage().heapUsed });
});
process.on('disconnect', () => {
  process.exit(0);
});
process.send?.({ url: server.url });
