import https from 'node:https';
import { delay, http, HttpResponse, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMockService, DEMO_MERCHANT } from '../../../src/entries/mock.js';
import { mswHandlers } from '../../../src/mock/adapters/msw.js';
import { makeAuthority, makeCertificate } from '../../faults/certificate.js';
import { FaultServer } from '../../faults/fault-server.js';
import { json } from '../../faults/steps.js';
import { instantRuntime } from '../../helpers/runtime.js';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  files,
  invoiceUpload,
  paymentRequest,
} from '../../helpers/samples.js';
import { fileOf, parseMultipart, type FormPart } from '../../helpers/parse-multipart.js';
import { failure, summary } from '../../http/failure.js';

const server = setupServer();
beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => {
  server.close();
});

const { clientId, secretKey, merchantId } = DEMO_MERCHANT;
const merchant = { clientId, secretKey, merchantId };
const largePdf = Buffer.concat([files.pdf, Buffer.alloc(300_000, 0xfe)]);

describe.each(['https://pay.example', 'http://localhost:1'])('MSW at %s', (baseUrl) => {
  const payments = `${baseUrl}/v2/payments`;
  const invoices = `${payments}/upload-invoice`;

  test('lets a handler answer payments, one request for each', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.post(payments, async ({ request }) => {
        keys.push(request.headers.get('idempotency-key'));
        const { referenceId } = (await request.json()) as { referenceId: string };
        return HttpResponse.json(approvedPayment({ referenceId }));
      }),
    );
    const client = demoClient({ baseUrl });
    for (const referenceId of ['ORDER-1', 'ORDER-2']) {
      const payment = await client.initiatePayment(paymentRequest({ referenceId }));
      expect(payment).toMatchObject({ referenceId, resultStatus: 'APPROVED' });
      expect(payment.$metadata.attempts).toMatchObject([{ outcome: 'accepted', phase: 'complete' }]);
    }
    expect(new Set(keys).size).toBe(2);
  });

  test('lets a handler read the form of an upload, and progress is reported', async () => {
    let parts: FormPart[] = [];
    server.use(
      http.post(invoices, async ({ request }) => {
        const body = Buffer.from(await request.arrayBuffer());
        parts = await parseMultipart(request.headers.get('content-type') ?? '', body);
        return HttpResponse.json(approvedInvoice());
      }),
    );
    const told: number[] = [];
    await demoClient({ baseUrl }).uploadInvoice(invoiceUpload({ file: largePdf }), {
      onUploadProgress: ({ percent }) => void told.push(percent),
    });
    expect(parts.map(({ name }) => name)).toEqual(['merchantId', 'referenceId', 'storeId', 'file']);
    expect(fileOf(parts).bytes.equals(largePdf)).toBe(true);
    expect(told.at(-1)).toBe(100);
  });

  test.each(['read', 'unread'])(
    'reports a network error after the handler had the request as unknown: %s',
    async (how) => {
      let handled = 0;
      const handler = async ({ request }: { request: Request }) => {
        handled++;
        if (how === 'read') await request.arrayBuffer();
        return HttpResponse.error();
      };
      server.use(http.post(payments, handler), http.post(invoices, handler));
      const client = demoClient({ baseUrl });

      const payment = await failure(client.initiatePayment(paymentRequest()));
      expect(summary(payment)).toEqual({
        code: 'CONNECTION',
        outcome: 'unknown',
        retryable: true,
        attempts: 3,
      });
      expect(handled).toBe(3);

      const upload = await failure(client.uploadInvoice(invoiceUpload()));
      expect(summary(upload)).toEqual({
        code: 'CONNECTION',
        outcome: 'unknown',
        retryable: false,
        attempts: 1,
      });
      expect(handled).toBe(4);
    },
  );

  test('reports a limit that is reached in the handler as unknown', async () => {
    const runtime = instantRuntime();
    server.use(
      http.post(invoices, async () => {
        setImmediate(() => {
          runtime.advance(15_000);
        });
        await delay('infinite');
      }),
    );
    const error = await failure(demoClient({ baseUrl }, runtime).uploadInvoice(invoiceUpload()));
    expect(summary(error)).toEqual({ code: 'TIMEOUT', outcome: 'unknown', retryable: false, attempts: 1 });
  });

  test('takes an HTML page with 403 and no length, the default of MSW, for unknown', async () => {
    server.use(http.post(invoices, () => HttpResponse.html('<h1>Forbidden</h1>', { status: 403 })));
    const error = await failure(demoClient({ baseUrl }).uploadInvoice(invoiceUpload()));
    expect(summary(error)).toMatchObject({ code: 'UNEXPECTED_RESPONSE', outcome: 'unknown', attempts: 1 });
    expect(error.$metadata?.attempts).toMatchObject([{ phase: 'complete', httpStatus: 403 }]);
  });

  test('reports a request without a handler as a failed connection', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const error = await failure(demoClient({ baseUrl }).uploadInvoice(invoiceUpload()));
    expect(summary(error)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  test.each(['connection-reset', 'empty-response', 'truncated-body', 'invalid-json', 'html-502'] as const)(
    'loses the answer of the mock by mswHandlers: %s is unknown, and the replay is answered',
    async (fault) => {
      const mock = createMockService();
      mock.injectFault('initiatePayment', fault, { phase: 'after' });
      server.use(...mswHandlers(mock, baseUrl));
      const payment = await demoClient({ baseUrl, ...merchant }).initiatePayment(paymentRequest());
      expect(payment.$metadata.attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'accepted']);
    },
  );
});

describe('passthrough', () => {
  test('sends the request as it was signed, an upload byte for byte', async () => {
    server.use(http.post('*', () => passthrough()));
    await using real = await FaultServer.start([json(approvedPayment()), json(approvedInvoice())]);
    const client = demoClient({ baseUrl: real.url });
    await client.initiatePayment(paymentRequest());
    await client.uploadInvoice(invoiceUpload({ file: largePdf }));
    expect(real.requests.map(({ complete }) => complete)).toEqual([true, true]);
    expect(real.requests[1]?.body.includes(largePdf)).toBe(true);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'over %s takes the CA from an agent; without it, the request does not arrive',
    async (version) => {
      server.use(http.post('*', () => passthrough()));
      const authority = makeAuthority();
      const tls = {
        ...makeCertificate({ host: '127.0.0.1', issuer: authority }),
        minVersion: version,
        maxVersion: version,
      };
      await using real = await FaultServer.start([json(approvedPayment())], { tls });
      const agent = new https.Agent({ ca: authority.cert });
      await demoClient({ baseUrl: real.url, agent }).initiatePayment(paymentRequest());
      expect(real.requests).toHaveLength(1);

      const error = await failure(demoClient({ baseUrl: real.url }).initiatePayment(paymentRequest()));
      expect(summary(error)).toEqual({
        code: 'CONNECTION',
        outcome: 'not_sent',
        retryable: false,
        attempts: 1,
      });
      expect(real.requests).toHaveLength(1);
    },
  );
});
