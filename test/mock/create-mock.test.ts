import { describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import {
  createMockService,
  DEMO_MERCHANT,
  sampleInvoice,
  samplePaymentRequest,
} from '../../src/entries/mock.js';
import { ConfigurationError } from '../../src/errors/errors.js';
import { parseMockOptions } from '../../src/mock/mock-options.js';
import { invoiceCanonicalString } from '../../src/protocol/canonical-string.js';
import { hmacSha256, signatureEncodings } from '../../src/protocol/signature.js';
import { secretKeyEncodings } from '../../src/validation/secret-key.js';
import { thrownBy } from '../helpers/samples.js';
import {
  allocation,
  initiate,
  now,
  order,
  receipt,
  upload,
  type PlainRequest,
} from '../helpers/signed-requests.js';

describe('createMockService', () => {
  test.each([
    ['journalLimit', { journalLimit: 0 }],
    ['paymentLimit', { paymentLimit: 1.5 }],
    ['keptBytesLimit', { keptBytesLimit: 0 }],
    [
      'merchants[0].secretKey must be a string, or a list of strings',
      { merchants: [{ ...DEMO_MERCHANT, secretKey: 5 as never }] },
    ],
    [
      'merchants[0].secretKey[1] must not be empty',
      { merchants: [{ ...DEMO_MERCHANT, secretKey: ['s', ''] }] },
    ],
    [
      'merchants[0].maxAmount must be a number of VND, 0 or greater',
      { merchants: [{ ...DEMO_MERCHANT, maxAmount: '5' as never }] },
    ],
    ['merchants must each have a different clientId', { merchants: [DEMO_MERCHANT, DEMO_MERCHANT] }],
    ['uploads', { uploads: 'none' as 'any' }],
    ['merchants[0].storeIds', { merchants: [{ ...DEMO_MERCHANT, storeIds: 'STORE-01' as never }] }],
    ['merchants[0].minAmount', { merchants: [{ ...DEMO_MERCHANT, minAmount: -1 }] }],
    ['lender.authenticate', { lender: { authenticate: true as never } }],
    ["lender.reversals must be 'same-code' or 'own-code'", { lender: { reversals: 'none' as 'own-code' } }],
    ['publicUrl', { publicUrl: 'https://user:pass@mock.example' }],
    ['allowedHosts[1]', { allowedHosts: ['mock', 'http://mock'] }],
    [
      'journallimit is an unknown option: did you mean journalLimit?',
      { ['journallimit' as 'journalLimit']: 5 },
    ],
    ['options', null as never],
  ])('refuses a wrong %s', (option, options) => {
    expect(() => createMockService(options)).toThrow(ConfigurationError);
    expect(() => createMockService(options)).toThrow(option);
  });

  test('drops the oldest payments with their invoices', async () => {
    const small = createMockService({ now, paymentLimit: 2, uploads: 'any' });
    const ask = async ({ path, init }: PlainRequest) =>
      (await small.fetch(`https://mock.example${path}`, init)).json();
    await ask(initiate(order({ referenceId: 'R-0' })));
    await ask(upload({ fields: { referenceId: 'R-0' } }));
    await ask(initiate(order({ referenceId: 'R-1' })));
    await ask(initiate(order({ referenceId: 'R-2' })));

    expect(small.payments.all().map(({ referenceId }) => referenceId)).toEqual(['R-1', 'R-2']);
    expect(small.invoices.all()).toEqual([]);
    const page = await small.fetch('https://mock.example/pay/00000001');
    expect(page.status).toBe(404);
  });

  test('drops the oldest records of any kind if all records together need more bytes than the limit', async () => {
    const webhook = { url: 'http://127.0.0.1:1/' };
    const delay = () => new Promise<void>(() => undefined);
    const small = createMockService({ now, delay, webhook, keptBytesLimit: 1_000_000 });
    const ask = async ({ path, init }: PlainRequest) =>
      (await small.fetch(`https://mock.example${path}`, init)).text();
    const long = 'x'.repeat(40_000);
    const counts = () =>
      [small.journal, small.payments, small.invoices, small.webhooks, small.receipts, small.allocations].map(
        (records) => records.all().length,
      );
    const payTo = async (count: number, description = long) => {
      for (let index = 0; index < count; index += 1) {
        const referenceId = `R-${index}`;
        await ask(initiate(order({ referenceId, description })));
        small.settle(referenceId, 'paid');
        await ask(upload({ fields: { referenceId, description } }));
        await ask(receipt({ lenderTransactionCode: referenceId, note: description }));
        await ask(allocation({ requestId: referenceId, note: description }));
      }
    };
    // One round needs about 5 x 40,000 bytes, and 16 KiB for each of its 4 requests.
    await payTo(3);
    expect(counts()).toEqual([12, 3, 3, 3, 3, 3]);
    await payTo(30);
    const after = counts();
    expect(Math.max(...after.slice(1))).toBeLessThanOrEqual(6);
    expect(small.payments.get('R-29')).toBeDefined();
    expect(small.payments.get('R-3')).toBeUndefined();
    small.reset();
    await payTo(3);
    expect(counts()).toEqual([12, 3, 3, 3, 3, 3]);
    small.reset();
  });

  test('keeps 500 requests by default', async () => {
    const mock = createMockService({ now });
    for (let index = 0; index <= 500; index += 1) await mock.fetch('https://mock.example/elsewhere');
    expect(mock.journal.all()).toHaveLength(500);
    expect(mock.journal.get(1)).toBeUndefined();
  });
});

test('a mock keeps 5,000 payments and 64 MiB by default', () => {
  // Sending so many takes too long. The tests above check that the limits are applied.
  expect(parseMockOptions({})).toMatchObject({ paymentLimit: 5_000, keptBytesLimit: 64 * 1024 * 1024 });
});

describe('publicUrl', () => {
  test.each(['https://mock.example:8443/base', 'https://mock.example:8443/base/'])(
    '%s is the beginning of every payment URL, including scripted URLs',
    async (publicUrl) => {
      const mock = createMockService({ now, publicUrl });
      await using server = await mock.listen();
      const ask = async ({ path, init }: PlainRequest) => (await fetch(server.url + path, init)).json();
      mock.respondWith('initiatePayment', { resultStatus: 'APPROVED' }, { referenceId: 'SCRIPTED' });

      expect(await ask(initiate())).toMatchObject({
        paymentUrl: 'https://mock.example:8443/base/pay/00000001',
      });
      expect(await ask(initiate(order({ referenceId: 'SCRIPTED' })))).toMatchObject({
        paymentUrl: 'https://mock.example:8443/base/pay/scripted',
      });
      const detail = await (await fetch(`${server.url}/_mock/ui/requests/1`)).text();
      expect(detail).toContain('https://mock.example:8443/base/v2/payments');
      expect(detail).not.toContain(server.url);
    },
  );
});

describe('clientOptions', () => {
  test('returns everything that a client needs', async () => {
    const mock = createMockService();
    const client = new InstallmentClient(mock.clientOptions());
    const payment = await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
    mock.settle('ORDER-1', 'paid');
    const invoice = await client.uploadInvoice(sampleInvoice({ referenceId: 'ORDER-1' }));

    expect(payment).toMatchObject({ resultStatus: 'APPROVED', merchantId: DEMO_MERCHANT.merchantId });
    expect(await (await mock.fetch(payment.paymentUrl)).text()).toContain('ORDER-1');
    expect(mock.payments.get('ORDER-1')?.request).toMatchObject({
      storeId: 'STORE-01',
      platformId: 'WEBSHOP',
    });
    expect(mock.invoices.all()).toMatchObject([
      { invoiceId: invoice.invoiceId, file: { name: 'invoice.pdf' } },
    ]);
  });

  test('returns the credentials of the first merchant', () => {
    const first = { clientId: 'c', secretKey: 's', merchantId: 'm', storeIds: ['S-2', 'S-1'] };
    expect(createMockService({ merchants: [first, DEMO_MERCHANT] }).clientOptions()).toMatchObject({
      clientId: 'c',
      secretKey: 's',
      merchantId: 'm',
      storeId: 'S-2',
    });
  });

  test('does not change, nor do findings, when the caller changes the options with which the mock was created', async () => {
    const wire = { requestTimeOffset: '+07:00' };
    const mock = createMockService({ now, wire });
    wire.requestTimeOffset = '+00:00';
    const client = new InstallmentClient({ ...mock.clientOptions(), now });
    await client.initiatePayment(samplePaymentRequest());
    expect(mock.clientOptions().wire.requestTimeOffset).toBe('+07:00');
    expect(mock.findings()).toEqual([]);
  });

  test('fails without a merchant', () => {
    expect(() => createMockService({ merchants: [] }).clientOptions()).toThrow(ConfigurationError);
  });
});

describe('the option wire', () => {
  const { secretKey } = DEMO_MERCHANT;
  const statusOf = async (mock: { fetch: typeof fetch }, { path, init }: PlainRequest) =>
    ((await (await mock.fetch(`https://mock.example${path}`, init)).json()) as { resultStatus: string })
      .resultStatus;

  test('is accepted by a client with the options of the mock', async () => {
    const mock = createMockService({ now, wire: { requestTimeOffset: '+05:30', absentFields: 'omit' } });
    const client = new InstallmentClient({ ...mock.clientOptions(), now });
    const { responseTime } = await client.initiatePayment(samplePaymentRequest());
    mock.settle('ORDER:2026-0001', 'paid');
    await client.uploadInvoice(sampleInvoice());

    expect(responseTime).toBe('2026-11-20 08:34:05');
    expect(mock.journal.all()).toMatchObject([
      { resultStatus: 'APPROVED', headers: { 'request-time': '2026-11-20 08:34:05' } },
      { resultStatus: 'APPROVED', headers: { 'request-time': '2026-11-20 08:34:05' } },
    ]);
  });

  test.each([
    ['hex', 'base64'],
    ['base64', 'hex'],
  ] as const)('with signatures in %s refuses a signature in %s', async (right, wrong) => {
    const mock = createMockService({ now, wire: { signatureEncoding: right } });
    const body = JSON.stringify(order());
    const signed = (encoding: typeof right) =>
      initiate(body, { headers: { Signature: hmacSha256(body, secretKey, encoding) } });

    expect(await statusOf(mock, signed(wrong))).toBe('INVALID_SIGNATURE');
    expect(mock.journal.get(1)?.diagnosis?.expected).toBe(hmacSha256(body, secretKey, right));
    expect(await statusOf(mock, signed(right))).toBe('APPROVED');
  });

  test.each([
    ['empty', 'omit'],
    ['omit', 'empty'],
  ] as const)('with absent fields %s refuses an upload with absent fields %s', async (right, wrong) => {
    const mock = createMockService({ now, uploads: 'any', wire: { absentFields: right } });
    await statusOf(mock, initiate());
    const fields = { merchantId: DEMO_MERCHANT.merchantId, referenceId: 'ORDER:2026-0001' };
    const signed = (absentFields: typeof right) =>
      upload({ signature: hmacSha256(invoiceCanonicalString(fields, { absentFields }), secretKey) });

    expect(await statusOf(mock, signed(wrong))).toBe('INVALID_SIGNATURE');
    expect(await statusOf(mock, signed(right))).toBe('APPROVED');
  });

  describe.each(secretKeyEncodings)('a mock whose keys are in %s', (secretKeyEncoding) => {
    test.each(signatureEncodings)(
      'serves its own client, with signatures in %s',
      async (signatureEncoding) => {
        const mock = createMockService({ now, wire: { signatureEncoding, secretKeyEncoding } });
        const options = mock.clientOptions();
        expect(Buffer.from(options.secretKey, secretKeyEncoding).toString()).toBe(secretKey);
        const client = new InstallmentClient(options);
        const { referenceId } = await client.initiatePayment(samplePaymentRequest());
        mock.settle(referenceId ?? '', 'paid');
        expect((await client.uploadInvoice(sampleInvoice())).resultStatus).toBe('APPROVED');
        const [, uploaded] = mock.journal.all();
        expect(uploaded?.operation).toBe('uploadInvoice');
      },
    );
  });

  test.each([
    [
      'merchants[1].secretKey',
      {
        merchants: [
          { ...DEMO_MERCHANT, secretKey: '00' },
          { ...DEMO_MERCHANT, clientId: 'b' },
        ],
      },
    ],
    ['webhook.secretKey', { webhook: { url: 'http://shop.test', secretKey } }],
  ])('refuses a key that is not in the encoding of the switches: %s', (option, options) => {
    const error = thrownBy(() => createMockService({ ...options, wire: { secretKeyEncoding: 'hex' } }));
    expect(error).toMatchObject({ code: 'CONFIGURATION', option });
    expect(String(error)).not.toContain(secretKey);
  });

  test('does not change the hex signature of an upload', async () => {
    const mock = createMockService({ now, uploads: 'any', wire: { signatureEncoding: 'base64' } });
    const body = JSON.stringify(order());
    await statusOf(mock, initiate(body, { headers: { Signature: hmacSha256(body, secretKey, 'base64') } }));
    expect(await statusOf(mock, upload())).toBe('APPROVED');
  });
});
