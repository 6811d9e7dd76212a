import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signInvoice, signPayment } from '../../src/entries/index.js';
import type { NotificationContext } from '../../src/entries/lender.js';
import { refusal, wireOf } from '../helpers/outcomes.js';
import { allocation, demoLender } from '../helpers/lender-samples.js';
import {
  approvedInvoice,
  approvedPayment,
  demo,
  demoClient,
  files,
  invoiceUpload,
  paymentRequest,
  rejection,
} from '../helpers/samples.js';
import { scriptedFetch, sentBytes, sentParts, unreachable } from '../helpers/scripted-fetch.js';

const additionalFields = { voucher: 'A', customer: { idNumber: '1' } };

describe('additional fields of a payment', () => {
  test('are part of the bytes, of the signature and of the derived key', async () => {
    const { fetch, requests } = scriptedFetch(() => Response.json(approvedPayment()));

    await demoClient({ fetch }).initiatePayment(paymentRequest(), { additionalFields });

    const [request] = requests;
    if (!request) throw new Error('a request was expected');
    const bytes = await sentBytes(request);
    const plain = await wireOf(paymentRequest());
    const customer = { ...paymentRequest().customer, idNumber: '1' };
    expect(bytes.toString()).toBe(JSON.stringify({ ...plain, customer, voucher: 'A' }));
    expect(request.headers.get('signature')).toBe(signPayment(bytes, demo.secretKey));
    expect(request.headers.get('idempotency-key')).toBe(
      createHash('sha256').update(`${demo.clientId}\0`).update(bytes).digest('hex'),
    );
  });

  test('are refused with a path that begins with options, together with the issues of the request', async () => {
    const options = { additionalFields: { lang: 'vi', customer: { email: 'a' }, cart: { at: 1 } } };
    const error = await refusal(
      'initiatePayment',
      { ...paymentRequest(), description: undefined },
      {},
      options,
    );
    expect(error.issues.map(({ path }) => path.join('.'))).toEqual([
      'description',
      'options.additionalFields.lang',
      'options.additionalFields.customer.email',
    ]);
  });
});

describe('additional fields of an upload', () => {
  test('are parts between the signed fields and fileUrl, outside the signature', async () => {
    const { fetch, requests } = scriptedFetch(() => Response.json(approvedInvoice()));
    const fileUrl = 'https://files.example/a.pdf';
    const upload = invoiceUpload({ file: files.pdf, fileUrl, extraData: '{}' });

    await demoClient({ fetch }).uploadInvoice(upload, { additionalFields: { voucher: 'A', note: 'a\nb' } });

    const [request] = requests;
    if (!request) throw new Error('a request was expected');
    const parts = await sentParts(request);
    expect(parts.map(({ name }) => name)).toEqual([
      'merchantId',
      'referenceId',
      'storeId',
      'extraData',
      'voucher',
      'note',
      'fileUrl',
      'file',
    ]);
    expect(parts.find(({ name }) => name === 'note')?.bytes.toString()).toBe('a\nb');
    const { merchantId, storeId, secretKey } = demo;
    const { referenceId } = upload;
    expect(request.headers.get('signature')).toBe(
      signInvoice({ merchantId, storeId, referenceId, extraData: '{}' }, secretKey),
    );
  });

  test('are refused with a path that begins with options', async () => {
    const { issues } = await refusal(
      'uploadInvoice',
      invoiceUpload(),
      {},
      { additionalFields: { storeId: 'S' } },
    );
    expect(issues).toMatchObject([{ path: ['options', 'additionalFields', 'storeId'] }]);
  });
});

describe('additional fields of a notification', () => {
  const serviceApplicationId = 'APP-01';

  test('come after the known fields, in the bytes that the headers function signs', async () => {
    const { fetch, requests } = scriptedFetch(() => new Response());
    let signed = '';
    const headers = ({ body }: NotificationContext) => {
      signed = Buffer.from(body).toString();
      return {};
    };
    const lender = demoLender({ fetch, headers, serviceApplicationId, applicationIdField: 'walletAppId' });
    await lender.notifyRepaymentAllocation(allocation(), { additionalFields: { batch: { id: 7 } } });
    const [request] = requests;
    if (!request) throw new Error('a request was expected');
    const sent = (await sentBytes(request)).toString();
    expect(Object.keys(JSON.parse(sent) as object).slice(-2)).toEqual(['repaymentTransactions', 'batch']);
    expect(sent).toMatch(/"batch":\{"id":7\}\}$/);
    expect(sent).toContain('"walletAppId":"APP-01"');
    expect(signed).toBe(sent);
  });

  test.each([
    ['contractNumber', {}],
    ['repaymentTransactions', {}],
    ['serviceApplicationId', {}],
    ['walletAppId', { applicationIdField: 'walletAppId' }],
  ])('are refused if they have the name of a known field: %s', async (name, options) => {
    const lender = demoLender({ fetch: unreachable().fetch, serviceApplicationId, ...options });
    const error = await rejection(
      lender.notifyRepaymentAllocation(allocation(), { additionalFields: { [name]: [] } }),
    );
    const known = name === 'walletAppId' ? 'serviceApplicationId' : name;
    const message = `belongs in the request itself, as ${known}`;
    expect(error).toMatchObject({ issues: [{ path: ['options', 'additionalFields', name], message }] });
  });
});

describe('the message about an unknown field', () => {
  const hint =
    "If only your provider's documentation shows this field, pass it in the option additionalFields";

  test.each(['initiatePayment', 'uploadInvoice'] as const)(
    'points to additionalFields in %s',
    async (operation) => {
      const request = operation === 'initiatePayment' ? paymentRequest() : invoiceUpload();
      const { issues } = await refusal(operation, { ...request, voucher: 'A', storeIdd: 'S' });
      expect(issues.map(({ message }) => message)).toEqual([
        `unknown field. ${hint}`,
        `unknown field: did you mean storeId? ${hint}`,
      ]);
    },
  );

  test('points to additionalFields in a notification', async () => {
    const lender = demoLender({ fetch: unreachable().fetch });
    const error = await rejection(
      lender.notifyRepaymentAllocation({ ...allocation(), contractNumbr: '1' } as never),
    );
    expect(String(error)).toContain(`contractNumbr: unknown field: did you mean contractNumber? ${hint}`);
  });
});
