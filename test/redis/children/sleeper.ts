/**
 * A process that claims a payment and writes `claimed` right before it sends, where it is stopped. It writes how the call
 * ended after it has woken. `CLAIM` says how it claims.
 */
import './fast-clock.js';
import { Pool } from 'pg';
import { statements } from '../../../examples/postgres/attempts.js';
import { ShopDatabase } from '../../../examples/shop/database.js';
import { createShop } from '../../../examples/shop/shop.js';
import { merchant, secretKey } from '../../../examples/shop/test-support.js';
import { newAttempt, startPayment } from '../../../examples/start-payment.js';
import { isInstallmentError, type PaymentRequest } from '../../../src/index.js';
import { samplePaymentRequest } from '../../../src/mock/index.js';
import { sleepingClient } from './sleeping-client.js';

const { CLAIM = '', SERVICE_URL: baseUrl, DATABASE = '', ORDER = '' } = process.env;

const client = sleepingClient({
  baseUrl,
  ...(CLAIM.startsWith('shop') && { merchantId: merchant.merchantId }),
});

async function sql(): Promise<string> {
  const database = new Pool({ connectionString: DATABASE });
  const sendBefore = new Date(Date.now() + 60_000);
  const { rows } = await database.query<{ request: PaymentRequest; sends: number }>(statements.claim, [
    ORDER,
  ]);
  const [claimed] = rows;
  if (!claimed) return 'not claimed';
  const state = await client.initiatePayment(claimed.request, { sendBefore }).then(
    () => 'started',
    (error: unknown) => (isInstallmentError(error) ? `${error.outcome} ${error.code}` : String(error)),
  );
  await database.query(statements.end, [ORDER, 'new', null, claimed.sends]);
  await database.end();
  return state;
}

async function inMemory(): Promise<string> {
  const attempt = newAttempt(samplePaymentRequest({ referenceId: ORDER }));
  return (await startPayment(client, attempt)).state;
}

async function shop(work: 'pay' | 'upload'): Promise<string> {
  const database = await ShopDatabase.open(DATABASE);
  const { app, ...running } = createShop({ ...merchant, client, database, secretKey, staffPassword: 's' });
  const headers = { origin: merchant.shopUrl };
  if (work === 'upload') await running.resume();
  else await app.request(`${merchant.shopUrl}/orders/${ORDER}/pay`, { method: 'POST', headers });
  const order = await database.order(ORDER);
  return (work === 'upload' ? order?.invoice?.state : order?.attempts[0]?.state) ?? 'nothing';
}

const claims: Readonly<Record<string, () => Promise<string>>> = {
  sql,
  'start-payment': inMemory,
  'shop, payment': () => shop('pay'),
  'shop, upload': () => shop('upload'),
};
process.stdout.write(`${(await claims[CLAIM]?.()) ?? 'unknown claim'}\n`);
process.exit();
