import { beforeEach, describe, expect, test } from 'vitest';
import type { MockService } from '../../../src/mock/index.js';
import type { WorldOption } from '../../../src/mock/worlds/resolve-world.js';
import { initiate, order, pdf, upload, type PlainRequest } from '../../helpers/signed-requests.js';

/** A mock as one adapter offers it. */
interface Carrier {
  readonly mock: MockService;
  send(request: PlainRequest, signal?: AbortSignal): Promise<Response>;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Record<string, unknown>;
}

/** Every value of every world, through whatever carries the mock. */
export function worldsSuite(carrierOf: () => Carrier): void {
  let mock: MockService;

  /** The answer to a request; undefined where it was lost. */
  async function send(request: PlainRequest): Promise<Answer | undefined> {
    const response = await carrierOf()
      .send(request)
      .catch(() => undefined);
    if (!response || response.type === 'error') return undefined;
    const text = await response.text();
    const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  }

  const inWorld = (world: WorldOption) => {
    mock.reset({ world });
  };

  const pay = initiate(order(), { key: 'key-1' });
  const entries = () =>
    mock.journal.all().map(({ resultStatus, httpStatus, acted, answer, replay }) => ({
      result: resultStatus ?? httpStatus,
      acted,
      answer,
      replay,
    }));

  beforeEach(() => {
    ({ mock } = carrierOf());
  });

  describe('repeat', () => {
    test.each([
      ['duplicate', 200, 'DUPLICATE_REFERENCE_ID'],
      ['invalid', 200, 'INVALID_REQUEST'],
      ['conflict', 409, undefined],
      ['processing', 200, 'REQUEST_PROCESSING'],
      ['busy', 422, 'REQUEST_PROCESSING'],
    ] as const)(
      '%s answers the same request under a known key with %i and %s, however often',
      async (repeat, status, resultStatus) => {
        inWorld({ repeat });
        expect((await send(pay))?.body['resultStatus']).toBe('APPROVED');
        for (let times = 0; times < 3; times += 1) {
          const again = await send(pay);
          expect(again?.status).toBe(status);
          expect(again?.body['resultStatus']).toBe(resultStatus);
          expect(again?.body['paymentUrl']).toBeUndefined();
        }
        expect(mock.payments.all()).toHaveLength(1);
        expect(entries().map(({ acted, replay }) => [acted, replay])).toEqual([
          [true, false],
          [false, false],
          [false, false],
          [false, false],
        ]);
      },
    );

    test.each(['replay', 'duplicate', 'invalid', 'conflict', 'processing', 'busy'] as const)(
      '%s leaves another body under a known key, and another key for a known reference, refused',
      async (repeat) => {
        inWorld({ repeat });
        await send(pay);
        const other = await send(initiate(order({ description: 'other' }), { key: 'key-1' }));
        expect(other?.body['resultStatus']).toBe('INVALID_REQUEST');
        const otherKey = await send(initiate(order(), { key: 'key-2' }));
        expect(otherKey?.body['resultStatus']).toBe('DUPLICATE_REFERENCE_ID');
      },
    );
  });

  describe('firstAnswer', () => {
    test('processing hides a payment that exists, until the request is repeated', async () => {
      inWorld({ firstAnswer: 'processing' });
      const first = await send(pay);
      expect(first?.body).toMatchObject({
        resultStatus: 'REQUEST_PROCESSING',
        referenceId: 'ORDER:2026-0001',
      });
      expect(first?.body['paymentUrl']).toBeUndefined();
      expect(mock.payments.get('ORDER:2026-0001')?.status).toBe('pending');
      const again = await send(pay);
      expect(again?.body).toMatchObject({ resultStatus: 'APPROVED' });
      expect(again?.body['paymentUrl']).toBe(mock.payments.get('ORDER:2026-0001')?.paymentUrl);
    });

    test('processing with a repeat that is refused never tells the paymentUrl', async () => {
      inWorld({ firstAnswer: 'processing', repeat: 'duplicate' });
      const results = [await send(pay), await send(pay)].map((answer) => answer?.body['resultStatus']);
      expect(results).toEqual(['REQUEST_PROCESSING', 'DUPLICATE_REFERENCE_ID']);
    });
  });

  describe('refusals', () => {
    const wrongSignature = initiate(order(), { headers: { Signature: '0'.repeat(64) } });
    const wrongClient = initiate(order(), { headers: { 'Client-Id': 'nobody' } });
    const cases: [string, PlainRequest, number][] = [
      ['INVALID_SIGNATURE', wrongSignature, 401],
      ['INVALID_CLIENT_ID', wrongClient, 401],
      ['INVALID_MERCHANT_ID', initiate(order({ merchantId: 'OTHER' })), 403],
      ['INVALID_REQUEST', initiate(order({ description: 1 })), 400],
      ['INVALID_AMOUNT', initiate(order({ amount: { value: -1, currency: 'VND' } })), 422],
      ['REQUEST_PROCESSING', initiate(order({ referenceId: 'trigger:REQUEST_PROCESSING:1' })), 409],
      ['DOWNSTREAM_ERROR', initiate(order({ referenceId: 'trigger:DOWNSTREAM_ERROR:1' })), 502],
      ['ERROR_GENERAL', initiate(order({ referenceId: 'trigger:ERROR_GENERAL:1' })), 500],
      ['FILE_TOO_LARGE', upload({ fields: { referenceId: 'trigger:FILE_TOO_LARGE:1' } }), 413],
      ['INVALID_API', { ...pay, path: '/v2/unknown' }, 404],
      ['INVALID_HTTP_METHOD', { ...pay, init: { ...pay.init, method: 'PUT' } }, 405],
    ];
    test.each(cases)(
      '%s has HTTP status 200, and one of its own by kind',
      async (resultStatus, request, status) => {
        inWorld('plain');
        const plain = await send(request);
        expect([plain?.status, plain?.body['resultStatus']]).toEqual([200, resultStatus]);
        inWorld('refusals-by-kind');
        const byKind = await send(request);
        expect([byKind?.status, byKind?.body]).toEqual([status, plain?.body]);
      },
    );

    test('refusals by-kind leave an approval at 200, and give a duplicate 409', async () => {
      inWorld('refusals-by-kind');
      expect((await send(pay))?.status).toBe(200);
      expect((await send(initiate()))?.status).toBe(409);
    });
  });

  describe('answers', () => {
    test('sparse ones have resultStatus, and paymentUrl where a payment is approved', async () => {
      inWorld('sparse-answers');
      const approved = await send(pay);
      expect(Object.keys(approved?.body ?? {}).sort()).toEqual(['paymentUrl', 'resultStatus']);
      expect((await send(pay))?.body).toEqual(approved?.body);
      expect((await send(initiate()))?.body).toEqual({ resultStatus: 'DUPLICATE_REFERENCE_ID' });
      mock.settle('ORDER:2026-0001', 'paid');
      expect((await send(upload()))?.body).toEqual({ resultStatus: 'APPROVED' });
      expect((await send({ ...pay, path: '/v2/unknown' }))?.body).toEqual({ resultStatus: 'INVALID_API' });
    });

    test('extra ones have all documented fields, and more', async () => {
      inWorld('plain');
      const names = Object.keys((await send(pay))?.body ?? {});
      inWorld('extra-fields');
      const more = Object.keys((await send(pay))?.body ?? {});
      expect(more).toEqual(expect.arrayContaining(names));
      expect(more.length).toBeGreaterThan(names.length);
    });
  });

  describe('uploads', () => {
    const uploadIn = async (world: WorldOption) => {
      inWorld(world);
      await send(pay);
      mock.settle('ORDER:2026-0001', 'paid');
      const fields = { invoiceNumber: 'INV-1' };
      const requests = [
        upload({ fields }),
        upload({ fields }),
        upload({ fields: { invoiceNumber: 'INV-2' } }),
      ];
      const answers: (Answer | undefined)[] = [];
      for (const request of requests) answers.push(await send(request));
      return answers.map((answer) => answer?.body['invoiceId']);
    };

    test('stored makes one more invoice of the same bytes', async () => {
      expect(new Set(await uploadIn({ uploads: 'stored' })).size).toBe(3);
      expect(mock.invoices.all()).toHaveLength(3);
    });

    test('recognised gives the answer to the first again, and stores other fields as another invoice', async () => {
      const [first, second, third] = await uploadIn({ uploads: 'recognised' });
      expect(second).toBe(first);
      expect(third).not.toBe(first);
      expect(mock.invoices.all()).toHaveLength(2);
      expect(
        entries()
          .slice(1)
          .map(({ acted, replay }) => [acted, replay]),
      ).toEqual([
        [true, false],
        [false, true],
        [true, false],
      ]);
    });

    test('recognised repeats the answer to the third invoice, after which nothing more is stored', async () => {
      inWorld({ uploads: 'recognised' });
      await send(pay);
      mock.settle('ORDER:2026-0001', 'paid');
      const invoice = (invoiceNumber: string) => upload({ fields: { invoiceNumber } });
      for (const number of ['1', '2', '3']) await send(invoice(number));
      expect((await send(invoice('3')))?.body).toMatchObject({
        resultStatus: 'APPROVED',
        invoiceId: 'INV-00000003',
      });
      expect((await send(invoice('4')))?.body['resultStatus']).toBe('LIMIT_EXCEEDED');
    });
  });

  describe('network', () => {
    test('lost-answer loses the first answer for each reference after the service has acted', async () => {
      inWorld('lost-answer');
      expect(await send(pay)).toBeUndefined();
      expect(mock.payments.all()).toHaveLength(1);
      expect((await send(pay))?.body['resultStatus']).toBe('APPROVED');
      expect(entries()).toEqual([
        { result: 'APPROVED', acted: true, answer: 'lost', replay: false },
        { result: 'APPROVED', acted: false, answer: 'sent', replay: true },
      ]);
    });

    test('lost-answer loses the first answer for each file, and a refusal arrives', async () => {
      inWorld('lost-answer');
      await send(pay);
      expect((await send(upload()))?.body['resultStatus']).toBe('INVALID_REFERENCE_ID');
      mock.settle('ORDER:2026-0001', 'paid');
      expect(await send(upload())).toBeUndefined();
      expect(mock.invoices.all()).toHaveLength(1);
      expect((await send(upload()))?.body['resultStatus']).toBe('APPROVED');
      expect(mock.invoices.all()).toHaveLength(2);
      const other = { data: Buffer.concat([pdf, pdf]) };
      expect(await send(upload({ file: other }))).toBeUndefined();
      expect(mock.invoices.all()).toHaveLength(3);
    });

    test('gateway answers the first request for each reference with 502 after the service has acted', async () => {
      inWorld('gateway');
      expect((await send(pay))?.status).toBe(502);
      expect(mock.payments.all()).toHaveLength(1);
      expect((await send(pay))?.body['resultStatus']).toBe('APPROVED');
      expect(entries().map(({ answer }) => answer)).toEqual(['lost', 'sent']);
    });

    test('rate-limited refuses the first request for each reference, and the service does not act', async () => {
      inWorld('rate-limited');
      expect(await send(pay)).toMatchObject({ status: 429, retryAfter: '1', body: {} });
      expect(mock.payments.all()).toEqual([]);
      expect((await send(pay))?.body['resultStatus']).toBe('APPROVED');
      const other = initiate(order({ referenceId: 'ORDER-2' }), { key: 'key-2' });
      expect((await send(other))?.status).toBe(429);
      expect((await send(other))?.status).toBe(200);
      expect(entries().map(({ acted, answer }) => [acted, answer])).toEqual([
        [false, 'sent'],
        [true, 'sent'],
        [false, 'sent'],
        [true, 'sent'],
      ]);
    });

    test('slow takes 0.3 seconds or more for each answer', async () => {
      inWorld('slow');
      const started = performance.now();
      expect((await send(pay))?.body['resultStatus']).toBe('APPROVED');
      expect(performance.now() - started).toBeGreaterThan(290);
    });

    test('a fault that a test injects strikes in place of the fault of the network', async () => {
      inWorld('lost-answer');
      mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
      expect((await send(pay))?.status).toBe(502);
    });
  });

  test('values are combined: a lost answer, then the repeat is refused with a status of its own', async () => {
    inWorld({ network: 'lost-answer', repeat: 'duplicate', refusals: 'by-kind', answers: 'sparse' });
    expect(await send(pay)).toBeUndefined();
    const again = await send(pay);
    expect(again).toMatchObject({ status: 409, body: { resultStatus: 'DUPLICATE_REFERENCE_ID' } });
    expect(Object.keys(again?.body ?? {})).toEqual(['resultStatus']);
  });
}
