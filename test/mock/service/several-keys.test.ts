import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { InstallmentClient, InvalidSignatureError } from '../../../src/entries/index.js';
import { createMockService, DEMO_MERCHANT, samplePaymentRequest } from '../../../src/entries/mock.js';

const rotated = { ...DEMO_MERCHANT, secretKey: ['new-secret', 'old-secret'] };

function mockWithKeys() {
  const mock = createMockService({ merchants: [rotated] });
  const client = (secretKey: string) => new InstallmentClient({ ...mock.clientOptions(), secretKey });
  return { mock, client };
}

it('a merchant with several keys can sign with each of them, and clientOptions returns the first', async () => {
  const { mock, client } = mockWithKeys();
  expect(mock.clientOptions().secretKey).toBe('new-secret');
  for (const secretKey of rotated.secretKey) {
    const order = samplePaymentRequest({ referenceId: secretKey });
    expect((await client(secretKey).initiatePayment(order)).resultStatus).toBe('APPROVED');
  }
});

it('a key that is not registered is refused, and a mistake with the second key is explained', async () => {
  const { mock, client } = mockWithKeys();
  const order = samplePaymentRequest({ referenceId: 'ORDER-1' });
  await expect(client('another').initiatePayment(order)).rejects.toBeInstanceOf(InvalidSignatureError);
  await expect(client('"old-secret"').initiatePayment(order)).rejects.toBeInstanceOf(InvalidSignatureError);
  const [wrong, quoted] = mock.journal.all().map(({ diagnosis }) => diagnosis);
  expect(wrong?.cause).toBe('unexplained');
  expect(quoted?.cause).not.toBe('unexplained');
});

it('webhooks are signed with the first key', async () => {
  const mock = createMockService({ merchants: [rotated], webhook: { url: 'http://127.0.0.1:9/' } });
  const client = new InstallmentClient(mock.clientOptions());
  await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
  mock.settle('ORDER-1', 'paid');
  const [delivery] = mock.webhooks.all();
  const expected = createHmac('sha256', 'new-secret')
    .update(delivery?.body ?? '')
    .digest('hex');
  expect(delivery?.headers).toMatchObject({ Signature: expected });
  mock.reset();
});
