import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { InstallmentClient } from '../../../src/entries/index.js';
import {
  DEMO_MERCHANT,
  rehearse,
  samplePaymentRequest,
  type MockOptions,
  type MockWebhookEvent,
} from '../../../src/entries/mock.js';
import { signPayment } from '../../../src/operations/signer.js';
import type { RehearsedMerchant } from '../../../src/workbench/rehearsal/rehearsal-settings.js';
import { takeProblems } from '../../helpers/request-watch.js';
import { listening } from '../../helpers/listening.js';

// The second reader of the wire records forgeries, because they are wrongly signed on purpose.
afterEach(() => void takeProblems());

interface Shop {
  readonly verifies: boolean;
  /** True if it responds after its work on a webhook, and not at once. */
  readonly answersLast?: boolean;
  /** The duration of its work. */
  readonly workMs?: number;
  readonly pageMs?: number;
  readonly mock?: MockOptions;
}

const one: RehearsedMerchant = ({ mock, scenario }) =>
  new InstallmentClient(mock.clientOptions()).initiatePayment(
    samplePaymentRequest({ referenceId: `${scenario}-1` }),
  );

/** The rules that a shop breaks in the scenario forged. It accepts every webhook with 202. */
async function rulesOf({ verifies, answersLast = false, workMs = 0, pageMs = 0, mock = {} }: Shop) {
  const paid = new Set<string>();
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      if (!answersLast) response.writeHead(202).end();
      await pause(workMs);
      const event = JSON.parse(body.toString()) as MockWebhookEvent;
      const isTrue = signPayment(body.toString(), DEMO_MERCHANT.secretKey) === request.headers['signature'];
      if (event.status === 'paid' && (isTrue || !verifies)) paid.add(event.referenceId);
      if (answersLast) response.writeHead(202).end();
    });
  });
  const { findings } = await rehearse(one, {
    settleMs: 200,
    scenarios: ['forged'],
    customer: 'pays',
    paid: async (referenceId) => {
      await pause(pageMs);
      return paid.has(referenceId);
    },
    mock: { ...mock, webhook: { url: `http://127.0.0.1:${await listening(server)}/` } },
  });
  return findings.map(({ rule }) => rule);
}

const stopped = new Date();
const yesterday = () => new Date(Date.now() - 86_400_000);

test.each<[string, Shop]>([
  ['from a queue', { verifies: false, workMs: 100 }],
  ["with the mock's clock a day behind", { verifies: false, mock: { now: yesterday } }],
])('a shop that counts any webhook, %s, is an error', async (_how, shop) => {
  expect(await rulesOf(shop)).toContain('forged-accepted');
});

test.each<[string, Shop]>([
  ['while its page is slow', { verifies: true, pageMs: 100 }],
  ['for longer than a second', { verifies: true, answersLast: true, workMs: 1100 }],
  ["with the mock's clock a day behind", { verifies: true, mock: { now: yesterday } }],
  ["with a mock's clock that does not advance", { verifies: true, mock: { now: () => stopped } }],
])('a shop that accepts any webhook and then verifies it, %s, is correct', async (_how, shop) => {
  const rules = await rulesOf(shop);
  expect(rules.filter((rule) => rule !== 'request-time-off')).toEqual([]);
});
