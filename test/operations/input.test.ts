import { describe, expect, test } from 'vitest';
import { brokenRules, refusal } from '../helpers/outcomes.js';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  invoiceUpload,
  paymentRequest,
} from '../helpers/samples.js';
import { answering } from '../helpers/scripted-fetch.js';

const operations = ['initiatePayment', 'uploadInvoice'] as const;
const samples = { initiatePayment: paymentRequest, uploadInvoice: invoiceUpload };

describe.each(operations)('the whole request of %s', (operation) => {
  test.each([undefined, 'M-OF-CLIENT'])(
    'must have own fields, and the message says so for an inherited field; the default of the client is %s',
    async (merchantId) => {
      const inherited = Object.create({ merchantId: 'M' }) as object;
      const request = Object.assign(inherited, samples[operation]());
      const issues = await brokenRules(operation, request, { merchantId });
      expect(issues).toEqual(['merchantId INVALID_REQUEST']);
    },
  );

  test('must have own fields, and the message says so for a getter of a class and a hidden property', async () => {
    class Order {
      readonly #id = 'ORDER-1';
      get referenceId() {
        return this.#id;
      }
    }
    const { referenceId: _, ...others } = samples[operation]();
    const request = Object.assign(new Order(), others);
    Object.defineProperty(request, 'description', { value: 'A fridge', enumerable: false });
    const { issues } = await refusal(operation, request);
    expect(issues).toMatchObject(
      ['referenceId', 'description'].map((name) => ({
        path: [name],
        message: expect.stringContaining('is inherited or a getter of a class') as string,
      })),
    );
  });

  test.each([undefined, ['a'], 7, () => samples[operation]()])('cannot be %s', async (request) => {
    const error = await refusal(operation, request);
    expect(error.issues).toMatchObject([{ path: [], resultStatus: 'INVALID_REQUEST' }]);
    expect(error.message).toMatch(new RegExp(`^${operation}: this call sent nothing\\. the request: `));
    expect(error.referenceId).toBeUndefined();
    expect(error.operation).toBe(operation);
  });

  test('is refused as a broken rule if a getter of it throws', async () => {
    const request = Object.defineProperty({ ...samples[operation]() }, 'description', {
      enumerable: true,
      get: () => {
        throw new Error('lazy loading failed');
      },
    });
    const error = await refusal(operation, request);
    expect(error.issues).toEqual([
      { path: [], message: 'cannot be read: one of its fields throws', resultStatus: 'INVALID_REQUEST' },
    ]);
    expect(error.referenceId).toBe('ORDER:2026-0001');
  });

  test('can be an instance of a class, without a prototype, or frozen', async () => {
    const ofClass = Object.assign(Object.create({ total: () => 1 }) as object, samples[operation]());
    const bare = Object.assign(Object.create(null) as object, samples[operation]());
    for (const request of [ofClass, bare, Object.freeze(samples[operation]())]) {
      const { fetch, requests } = answering(
        operation === 'initiatePayment' ? approvedPayment() : approvedInvoice(),
      );
      await demoClient({ fetch })[operation](request as never);
      expect(requests).toHaveLength(1);
    }
  });

  test('gives the error its referenceId only if that is valid', async () => {
    expect((await refusal(operation, { ...samples[operation](), extra: 1 })).referenceId).toBe(
      'ORDER:2026-0001',
    );
    for (const referenceId of ['a\r\nb', 7]) {
      const error = await refusal(operation, { ...samples[operation](), referenceId });
      expect(error.referenceId).toBeUndefined();
    }
  });

  test('names problems of the request and of the options together', async () => {
    const request = { ...samples[operation](), referenceId: '' };
    const options = { maxRetries: -1, colour: 1 };
    expect(await brokenRules(operation, request, {}, options)).toEqual([
      'referenceId INVALID_REFERENCE_ID',
      'options.maxRetries INVALID_REQUEST',
      'options.colour INVALID_REQUEST',
    ]);
  });
});

describe('options of a call', () => {
  const broken = (options: unknown, operation: (typeof operations)[number] = 'initiatePayment') =>
    brokenRules(operation, samples[operation](), {}, options);

  test('refuse idempotencyKey for an upload, and onUploadProgress for a payment', async () => {
    expect(await broken({ idempotencyKey: 'k' }, 'uploadInvoice')).toEqual([
      'options.idempotencyKey INVALID_REQUEST',
    ]);
    expect(await broken({ onUploadProgress: () => undefined })).toEqual([
      'options.onUploadProgress INVALID_REQUEST',
    ]);
    expect(await broken({ onUploadProgress: 7 }, 'uploadInvoice')).toEqual([
      'options.onUploadProgress INVALID_REQUEST',
    ]);
  });

  test('can be undefined one by one, and a getter that throws is a broken rule', async () => {
    const { fetch, requests } = answering(approvedPayment());
    const none = {
      signal: undefined,
      attemptTimeoutMs: undefined,
      maxRetries: undefined,
      idempotencyKey: undefined,
    };
    await demoClient({ fetch }).initiatePayment(paymentRequest(), none);
    expect(requests).toHaveLength(1);
    const hostile = Object.defineProperty({}, 'signal', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const { issues } = await refusal('initiatePayment', paymentRequest(), {}, hostile);
    expect(issues[0]?.path[0]).toBe('options');
  });
});
