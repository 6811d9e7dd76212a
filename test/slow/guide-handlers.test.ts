import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'libsql';
import { afterEach, expect, test, vi } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import {
  createMockService,
  DEMO_MERCHANT,
  rehearse,
  samplePaymentRequest,
  type MockService,
} from '../../src/entries/mock.js';
import { createOrderPayments, type OrderPayments } from '../../src/entries/orders.js';
import { signWebhook, type WebhookHandler } from '../../src/entries/webhooks.js';
import { guideModule } from '../helpers/guide-module.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The module of a guide that exports `webhook`. It finds `payments` on globalThis. */
async function handlerIn(guide: string, change = (code: string) => code): Promise<WebhookHandler> {
  // This must come before the module uses it for `onError`.
  vi.spyOn(console, 'warn').mockReturnValue();
  const { webhook } = await guideModule<{ webhook: WebhookHandler }>(guide, 'export const webhook', change);
  return webhook;
}

function paymentsAt(mock: MockService): OrderPayments {
  const database = new Database(':memory:');
  const payments = createOrderPayments({
    client: new InstallmentClient(mock.clientOptions()),
    dialect: 'sqlite',
    onPaid: 'firstPaid',
    query: (sql, values) => {
      const statement = database.prepare(sql);
      return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
    },
  });
  for (const statement of payments.schema) database.exec(statement);
  return payments;
}

/** The rules that a shop with this handler breaks in scenarios with decoys. */
async function rulesBrokenBy(webhook: WebhookHandler): Promise<string[]> {
  const server = createServer((request, response) => void webhook.node(request, response)).listen(0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let payments: OrderPayments | undefined;
  const { findings } = await rehearse(
    async ({ mock, scenario }) => {
      payments = paymentsAt(mock);
      vi.stubGlobal('payments', payments);
      const { referenceId: _, ...request } = samplePaymentRequest();
      await payments.start(scenario, request);
    },
    {
      scenarios: ['decoys', 'forged', 'notification-twice', 'notification-pending-first'],
      customer: 'pays',
      settleMs: 100,
      paid: async (reference) => (await payments?.get(reference.replace(/-\d+$/, '')))?.state === 'paid',
      mock: { webhook: { url } },
    },
  );
  server.close();
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** The module for Next.js creates its `payments` with PostgreSQL. The test replaces them. */
function withPaymentsOfTest(code: string): string {
  return code.replace(
    /^export function payments\(\)[^]*?^\}\n/m,
    'const payments = () => globalThis.payments;\n',
  );
}

test.each(['docs/webhooks.md', 'docs/frameworks.md'])(
  'the handler in %s lets no forgery and no decoy mark an order as paid',
  async (guide) => {
    vi.stubEnv('INSTALLMENT_SECRET_KEY', DEMO_MERCHANT.secretKey);
    expect(await rulesBrokenBy(await handlerIn(guide, withPaymentsOfTest))).toEqual([]);
  },
);

test('the same handler without the merchant in its schema counts a payment to another merchant', async () => {
  const webhook = await handlerIn('docs/webhooks.md', (code) =>
    code.replace('    merchantId: z.string(),\n', ''),
  );
  expect(await rulesBrokenBy(webhook)).toEqual(['unpaid-counted']);
});

test('the handler in docs/deploy.md verifies with the key of the environment: AWS passes its context as the second argument', async () => {
  vi.stubEnv('INSTALLMENT_SECRET_KEY', DEMO_MERCHANT.secretKey);
  vi.spyOn(console, 'warn').mockReturnValue();
  const payments = paymentsAt(createMockService());
  vi.stubGlobal('payments', payments);
  const { referenceId: _, ...order } = samplePaymentRequest();
  const { referenceId } = await payments.start('ORDER-1', order);
  const { handler } = await guideModule<{
    handler: (event: object, context: object) => Promise<{ statusCode: number }>;
  }>('docs/deploy.md', 'export async function handler');
  const deliver = async (secretKey: string) => {
    const amount = { value: order.amount.value, currency: 'VND' };
    const event = { referenceId, status: 'paid', amount, merchantId: DEMO_MERCHANT.merchantId };
    const body = JSON.stringify(event);
    const headers = { signature: signWebhook(body, secretKey) };
    const bytes = Buffer.from(body).toString('base64');
    return handler({ headers, body: bytes, isBase64Encoded: true }, { awsRequestId: '1' });
  };

  expect(await deliver('another-secret')).toMatchObject({ statusCode: 401 });
  expect((await payments.get('ORDER-1')).state).toBe('started');
  expect(await deliver(DEMO_MERCHANT.secretKey)).toMatchObject({ statusCode: 204 });
  expect((await payments.get('ORDER-1')).state).toBe('paid');
});
