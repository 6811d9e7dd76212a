import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import { createMockService, type MockService } from '../../src/entries/mock.js';
import { orderSchema, type OrderPayments, type Query } from '../../src/entries/orders.js';
import { signWebhook, type WebhookHandler } from '../../src/entries/webhooks.js';
import { guideModule } from '../helpers/guide-module.js';
import { orderRequest } from './support.js';

const merchants = ['A', 'B'].map((merchantId) => ({
  clientId: `client-${merchantId}`,
  secretKey: `secret-${merchantId}`,
  merchantId,
  storeIds: [`STORE-${merchantId}`],
}));
const secretOf = (merchant: string) => merchants.find(({ merchantId }) => merchantId === merchant)?.secretKey;

interface Guide {
  readonly marketplace: (
    merchants: {
      readonly clientOf: (merchant: string) => InstallmentClient;
      readonly keysOf: (merchant: string) => Promise<string[]>;
    },
    query: Query,
  ) => { payments: OrderPayments; webhook: WebhookHandler };
}

/** The marketplace of the guide, with two merchants. */
async function marketplace() {
  const { marketplace: make } = await guideModule<Guide>(
    'docs/many-merchants.md',
    'export function marketplace',
  );
  const mock: MockService = createMockService({ merchants });
  const database = new Database(':memory:');
  for (const statement of orderSchema('sqlite')) database.exec(statement);
  const query: Query = (sql, values) => {
    const statement = database.prepare(sql);
    return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
  };
  const { storeIds: _storeIds, ...defaults } = { ...mock.clientOptions(), storeIds: [] };
  const clientOf = (merchant: string) =>
    new InstallmentClient({
      ...defaults,
      clientId: `client-${merchant}`,
      secretKey: secretOf(merchant) ?? '',
      merchantId: merchant,
      storeId: `STORE-${merchant}`,
    });
  const keysOf = (merchant: string) => Promise.resolve([secretOf(merchant) ?? []].flat());
  return { ...make({ clientOf, keysOf }, query), mock };
}

/** A webhook that a merchant signs with its own key, to an address of its choice. */
function delivery(address: string, signer: string, status = 'paid'): Request {
  const body = JSON.stringify({
    referenceId: 'A-1-1',
    status,
    amount: { value: orderRequest().amount.value, currency: 'VND' },
    merchantId: 'A',
  });
  const headers = {
    'Content-Type': 'application/json',
    Signature: signWebhook(body, secretOf(signer) ?? ''),
  };
  return new Request(`https://shop.example/webhooks/${address}`, { method: 'POST', headers, body });
}

describe('the marketplace of the guide', () => {
  test.each(['paid', 'declined'])(
    'refuses a webhook with the status %s of one merchant for the order of another merchant',
    async (status) => {
      const { payments, webhook } = await marketplace();
      await payments.start('A-1', orderRequest(), { account: 'A' });
      // B's own address with B's key, then A's address with B's key.
      expect((await webhook.fetch(delivery('B', 'B', status))).status).toBe(500);
      expect((await webhook.fetch(delivery('A', 'B', status))).status).toBe(401);
      expect(await payments.get('A-1', { account: 'A' })).toMatchObject({ state: 'started' });
      expect((await webhook.fetch(delivery('A', 'A'))).status).toBe(204);
      expect(await payments.get('A-1', { account: 'A' })).toMatchObject({ state: 'paid' });
    },
  );

  test('signs each payment with the key of its merchant', async () => {
    const { payments, mock } = await marketplace();
    for (const account of ['A', 'B']) await payments.start(`${account}-1`, orderRequest(), { account });
    expect(mock.payments.all()).toMatchObject([
      { referenceId: 'A-1-1', merchantId: 'A' },
      { referenceId: 'B-1-1', merchantId: 'B' },
    ]);
  });
});
