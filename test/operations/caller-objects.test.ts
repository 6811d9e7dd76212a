import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { InstallmentClient, type InvoiceUpload } from '../../src/index.js';
import { demoLender, receipt, allocation, transaction } from '../helpers/lender-samples.js';
import { instantRuntime } from '../helpers/runtime.js';
import {
  approvedPayment,
  demo,
  demoClient,
  files,
  invoiceUpload,
  paymentRequest,
  rejection,
} from '../helpers/samples.js';
import { scriptedFetch, sentBytes, unreachable } from '../helpers/scripted-fetch.js';

/** The request of a call: its exact bytes and its key. */
async function sentBy(call: (options: object) => Promise<unknown>) {
  const { fetch, requests } = scriptedFetch(() => Response.json(approvedPayment(), { status: 200 }));
  await call({ fetch });
  const [request] = requests;
  if (!request) throw new Error('a request was expected');
  return { body: (await sentBytes(request)).toString(), key: request.headers.get('idempotency-key') };
}

const merchant = (options: object) => new InstallmentClient({ ...demo, ...options }, instantRuntime());

/** The fields of an object as accessors of a class, as an ORM's entities have them. */
function entity<T extends object>(fields: T, others: object = {}): T {
  class Entity {
    readonly #fields = fields;
    /** Accessors of the class must be called on the object itself. */
    read(name: string): unknown {
      return Reflect.get(this.#fields, name);
    }
  }
  for (const name of Object.keys(fields)) {
    Object.defineProperty(Entity.prototype, name, {
      get(this: Entity) {
        return this.read(name);
      },
    });
  }
  return Object.assign(new Entity(), others) as unknown as T;
}

describe('an object whose fields are accessors of its class', () => {
  const { items, amount, customer, shipping, ...rest } = paymentRequest();
  const seller = { id: 'S-1', name: 'Shop' };
  const installment = { packageId: 'P-1' };
  const plain = { ...rest, items, amount, customer, shipping, seller, installment };

  it('gives the same payment, at every depth', async () => {
    const entities = entity({
      ...rest,
      items: items.map((item) => entity(item)),
      amount: entity(amount),
      customer: entity(customer),
      shipping: entity(shipping),
      seller: entity(seller),
      installment: entity(installment),
    });
    expect(await sentBy((options) => merchant(options).initiatePayment(entities))).toEqual(
      await sentBy((options) => merchant(options).initiatePayment(plain)),
    );
  });

  it('gives the same payment where a subclass inherits them', async () => {
    class Base {
      get customer() {
        return customer;
      }
      get description() {
        return customer.firstName;
      }
    }
    class Derived extends Base {
      override get description() {
        return rest.description;
      }
    }
    const { description: _, ...others } = rest;
    const derived = Object.assign(new Derived(), { ...others, items, amount, shipping, seller, installment });
    expect(await sentBy((options) => merchant(options).initiatePayment(derived))).toEqual(
      await sentBy((options) => merchant(options).initiatePayment(plain)),
    );
  });

  it('may have other accessors and methods, but no other field of its own', async () => {
    const order = entity({ ...plain, fullName: 'An Nguyễn', save: () => undefined });
    const expected = await sentBy((options) => merchant(options).initiatePayment(plain));
    expect(await sentBy((options) => merchant(options).initiatePayment(order))).toEqual(expected);

    const dirty = entity(plain, { isNewRecord: true });
    expect(await rejection(demoClient({ fetch: unreachable().fetch }).initiatePayment(dirty))).toMatchObject({
      issues: [{ path: ['isNewRecord'], message: 'unknown field' }],
    });
  });

  it('gives the same upload, whose stream is closed where it is refused', async () => {
    const upload = invoiceUpload({ invoiceNumber: 'INV-1', extraData: { till: 4 } });
    expect(await sentBy((options) => merchant(options).uploadInvoice(entity(upload)))).toEqual(
      await sentBy((options) => merchant(options).uploadInvoice(upload)),
    );
    let isClosed = false;
    const file = new ReadableStream<Uint8Array>({ cancel: () => void (isClosed = true) });
    const wrong: InvoiceUpload = entity({ ...upload, referenceId: '', file });
    await rejection(demoClient({ fetch: unreachable().fetch }).uploadInvoice(wrong));
    expect(isClosed).toBe(true);
  });

  it('gives the same notifications', async () => {
    expect(await sentBy((options) => demoLender(options).notifyPaymentReceipt(entity(receipt())))).toEqual(
      await sentBy((options) => demoLender(options).notifyPaymentReceipt(receipt())),
    );
    const entities = entity({ ...allocation(), repaymentTransactions: [entity(transaction())] });
    expect(await sentBy((options) => demoLender(options).notifyRepaymentAllocation(entities))).toEqual(
      await sentBy((options) => demoLender(options).notifyRepaymentAllocation(allocation())),
    );
  });
});

describe('a polluted Object.prototype', () => {
  const polluted: string[] = [];
  const pollute = (fields: Readonly<Record<string, unknown>>, enumerable: boolean) => {
    for (const [name, value] of Object.entries(fields)) {
      polluted.push(name);
      Object.defineProperty(Object.prototype, name, {
        value,
        enumerable,
        configurable: true,
        writable: true,
      });
    }
  };
  afterEach(() => {
    for (const name of polluted.splice(0)) Reflect.deleteProperty(Object.prototype, name);
  });

  const fields = {
    merchantId: 'EVIL',
    storeId: 'EVIL',
    platformId: 'EVIL',
    lang: 'vi',
    extraData: '"EVIL"',
    terminalType: 'MOBILE_APP',
    installment: { packageId: 'EVIL' },
    seller: { id: 'EVIL' },
    transExpiredTime: 666,
    sendSms: true,
    rank: 'EVIL',
    gender: 'U',
    dateOfBirth: '01-01-2000',
    zipCode: 'EVIL',
    imageUrl: 'EVIL',
    totalAmount: 12_000_000,
    paymentTransId: 'EVIL',
    invoiceNumber: 'EVIL',
    invoiceDate: '2026-11-20T03:04:05Z',
    fileUrl: 'https://evil.example/',
    lenderReferenceId: 'EVIL',
    bankTransactionSequenceId: 'EVIL',
    reversalReason: 'EVIL',
    notAField: 'EVIL',
  };
  const options = {
    idempotencyKey: 'EVIL',
    mayHaveBeenSent: true,
    maxRetries: 7,
    policy: 'idempotent',
    referenceId: 'EVIL',
  };

  const calls: readonly (readonly [string, (options: object) => Promise<unknown>])[] = [
    ['a payment', (given) => merchant(given).initiatePayment(paymentRequest())],
    [
      'a payment with options',
      (given) => merchant(given).initiatePayment(paymentRequest(), { maxRetries: 1 }),
    ],
    [
      'an upload',
      (given) => merchant(given).uploadInvoice({ referenceId: 'ORDER:2026-0001', file: files.pdf }),
    ],
    ['a receipt', (given) => demoLender(given).notifyPaymentReceipt(receipt())],
    ['an allocation', (given) => demoLender(given).notifyRepaymentAllocation(allocation())],
  ];

  for (const [name, call] of calls) {
    it.each([true, false])(`adds nothing to ${name} (enumerable: %s)`, async (enumerable) => {
      const expected = await sentBy(call);
      pollute({ ...fields, ...options }, enumerable);
      const sent = await sentBy(call);
      expect(sent).toEqual(expected);
    });
  }

  it('gives no key and no reference to a post', async () => {
    const call = (given: object) => merchant(given).post('/v2/payments/status', { a: 1 });
    const expected = await sentBy(call);
    pollute(options, false);
    expect(await sentBy(call)).toEqual(expected);
    expect(expected.key).toBeNull();
  });

  it('sets no option of a client', async () => {
    const { fetch, requests } = unreachable();
    pollute({ fetch, headers: { 'X-Evil': '1' }, wire: { signatureEncoding: 'base64' } }, false);
    const client = new InstallmentClient({ ...demo, baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    expect(await rejection(client.initiatePayment(paymentRequest()))).toMatchObject({ code: 'CONNECTION' });
    expect(requests).toHaveLength(0);
  });
});

describe('customer data as the name of a field', () => {
  const canaries = ['nguyen.van.an@example.com', '0912345678', 'Nguyễn Văn An'];
  const calls: readonly (readonly [string, (key: string, client: InstallmentClient) => Promise<unknown>])[] =
    [
      ['a request', (key, client) => client.initiatePayment({ ...paymentRequest(), [key]: 1 })],
      [
        'an object inside',
        (key, client) =>
          client.initiatePayment(paymentRequest({ customer: { ...paymentRequest().customer, [key]: 1 } })),
      ],
      [
        'extraData',
        (key, client) => client.uploadInvoice(invoiceUpload({ extraData: { [key]: { deep: NaN } } })),
      ],
      ['the options', (key, client) => client.initiatePayment(paymentRequest(), { [key]: 1 })],
      ['a body of post', (key, client) => client.post('/v2/refunds', { list: [{ [key]: () => 1 }] })],
    ];

  it.each(calls)(
    'is not quoted from %s: not in messages, paths, JSON, inspection or the log',
    async (_name, call) => {
      for (const key of canaries) {
        const lines: unknown[] = [];
        const log = (...line: unknown[]) => void lines.push(line);
        const logger = { debug: log, info: log, warn: log, error: log };
        const error = await rejection(
          call(key, demoClient({ fetch: unreachable().fetch, logger, logLevel: 'debug' })),
        );
        expect(error).toMatchObject({ code: 'VALIDATION' });
        const shown = [String(error), JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })];
        for (const text of shown) expect(text).toContain('[redacted]');
        for (const text of [...shown, inspect(lines, { depth: 9 })]) expect(text).not.toContain(key);
      }
    },
  );
});
