import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  allocation,
  initiate,
  order,
  receipt,
  upload,
  type PlainRequest,
} from '../../helpers/signed-requests.js';

const full = 25_000;
const more = 20_000;
const senders = 16;
const agent = new Agent({ keepAlive: true, maxSockets: senders });
const child = fork(new URL('soak-server.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
let url: string;

beforeAll(async () => {
  const [message] = (await once(child, 'message')) as [{ url: string }];
  ({ url } = message);
});
afterAll(async () => {
  agent.destroy();
  child.disconnect();
  await once(child, 'exit');
});

async function heapUsed(): Promise<number> {
  child.send('collect');
  const [message] = (await once(child, 'message')) as [{ heapUsed: number }];
  return message.heapUsed;
}

/** Sends with node:http, which needs a third of the time of fetch, because the test measures the mock. */
function send({ path, init }: PlainRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const { method, headers, body } = init;
    const length = { 'Content-Length': Buffer.byteLength(body) };
    const sent = httpRequest(
      url + path,
      { agent, method, headers: { ...headers, ...length } },
      (response) => {
        response.on('end', () => {
          resolve(response.statusCode ?? 0);
        });
        response.resume();
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The traffic of a service: payments, repeats, refusals, invoices, receipts and allocations, each with new IDs. */
function requestAt(index: number): PlainRequest {
  const round = String(Math.floor(index / 16));
  const fields = { referenceId: `R-${round}` };
  const contractNumber = `C-${String(Math.floor(index / 160))}`;
  const lenderTransactionCode = `L-${String(index)}`;
  switch (index % 16) {
    case 0:
    case 1:
      return initiate(order(fields), { key: `k-${round}` });
    case 2:
      return upload({ fields });
    case 3:
      return initiate(order({ ...fields, surprise: 1 }));
    case 4:
      return initiate(order(fields), { headers: { Signature: 'f'.repeat(64) } });
    case 5:
    case 6:
    case 7:
    case 8:
      return receipt({ contractNumber, lenderTransactionCode });
    case 9:
    case 10:
    case 11:
      return allocation({ contractNumber, requestId: `Q-${String(index)}` });
    default:
      return initiate(order({ referenceId: `S-${String(index)}` }));
  }
}

async function sendAll(from: number, to: number): Promise<number> {
  let next = from;
  let answered = 0;
  const worker = async () => {
    while (next < to) {
      const index = next;
      next += 1;
      if ((await send(requestAt(index))) === 200) answered += 1;
    }
  };
  await Promise.all(Array.from({ length: senders }, worker));
  return answered;
}

test(
  '20,000 requests change the heap by less than 3 MB after 25,000 requests',
  { timeout: 400_000 },
  async () => {
    // Until then the mock fills its limits.
    expect(await sendAll(0, full)).toBe(full);
    const before = await heapUsed();

    expect(await sendAll(full, full + more)).toBe(more);

    const grown = (await heapUsed()) - before;
    expect(grown / 2 ** 20).toBeLessThan(3);
  },
);
