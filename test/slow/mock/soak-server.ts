/** A mock in its own process that reports the size of its heap. It is the server of the soak test. */
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
