import http from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { approvedPayment, demoClient, paymentRequest } from '../helpers/samples.js';
import { settle } from '../helpers/runtime.js';
import { recordingServer } from '../helpers/recording-server.js';

afterEach(() => {
  vi.useRealTimers();
});

test.each(['node:http', 'fetch'])(
  'a call over a reused connection of %s ends, even if a test fakes timers and clocks',
  async (transport) => {
    const server = await recordingServer({ body: approvedPayment() });
    const agent = new http.Agent({ keepAlive: true });
    const client = demoClient({ baseUrl: server.url, ...(transport === 'fetch' ? { fetch } : { agent }) });
    await client.initiatePayment(paymentRequest());
    // Node's fetch looks for the next request in a later turn, by the setImmediate that it finds then.
    await settle();
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date', 'performance'],
    });
    const payment = await client.initiatePayment(paymentRequest());
    expect(payment.$metadata.attempts).toHaveLength(1);
    vi.useRealTimers();
    agent.destroy();
    await server.close();
  },
);
