import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InstallmentClient, signInvoice, ValidationError } from '../../src/index.js';
import { demo, files, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { FaultServer } from './fault-server.js';
import { approved, canaries } from './harness.js';

// The cases of each rule are beside the rule. Here one of each stands for all: nothing of such input leaves the process.

let server: FaultServer;

beforeAll(async () => {
  server = await FaultServer.start([approved]);
});

afterAll(async () => {
  await server.close();
});

type Operation = 'initiatePayment' | 'uploadInvoice';

/** Calls with input that the types would refuse: many callers write JavaScript. */
async function call(operation: Operation, request: unknown, options?: unknown): Promise<unknown> {
  const client = new InstallmentClient({ ...demo, secretKey: canaries.secretKey, baseUrl: server.url });
  if (operation === 'initiatePayment') return client.initiatePayment(request as never, options as never);
  return client.uploadInvoice(request as never, options as never);
}

const halfPair = 'a\ud83d';
const [item] = paymentRequest().items;
const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;
const deep = () => {
  let value: unknown = {};
  for (let level = 0; level < 100_000; level++) value = { deep: value };
  return value;
};
async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(files.pdf);
  throw new Error('disk gone');
}

describe('nothing is sent, and the path is named:', () => {
  const payments: readonly (readonly [name: string, path: string, changes: () => object])[] = [
    ['half of a surrogate pair', 'description', () => ({ description: halfPair })],
    ['NaN as an amount', 'amount.value', () => ({ amount: { value: NaN } })],
    ['__proto__ from JSON', 'customer.__proto__', () => JSON.parse('{"customer":{"__proto__":1}}') as object],
    ['a cycle', 'customer.self', () => ({ customer: cycle })],
    ['nesting 100,000 deep', 'extra', () => ({ extra: deep() })],
  ];
  const uploads: readonly (readonly [name: string, path: string, changes: () => object])[] = [
    ['a line feed in a file name', 'file', () => ({ file: { data: files.pdf, filename: 'a\n.pdf' } })],
    ['a stream that fails midway', 'file', () => ({ file: failing() })],
    ['neither file nor fileUrl', 'file', () => ({ file: undefined })],
    ['a Map as extraData', 'extraData', () => ({ extraData: new Map() })],
  ];
  const rows = [
    ...payments.map(([name, path, changes]) => ({ name, path, operation: 'initiatePayment', changes })),
    ...uploads.map(([name, path, changes]) => ({ name, path, operation: 'uploadInvoice', changes })),
  ] as const;

  test.each(rows)('$operation, $name: $path', async ({ path, operation, changes }) => {
    const base = operation === 'initiatePayment' ? paymentRequest() : invoiceUpload();
    const before = server.connections;
    const error = await rejection(call(operation as Operation, { ...base, ...changes() }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ outcome: 'not_sent' });
    expect((error as ValidationError).issues.map((issue) => issue.path.join('.'))).toContain(path);
    expect(server.connections).toBe(before);
    expect(Object.prototype).not.toHaveProperty('1');
  });

  test.each([null, [[]], 'text', undefined])('%j for the whole request', async (request) => {
    for (const operation of ['initiatePayment', 'uploadInvoice'] as const) {
      expect(await rejection(call(operation, request))).toMatchObject({ code: 'VALIDATION' });
    }
  });

  test('a header value with a line break, which is not quoted', async () => {
    const error = await rejection(call('initiatePayment', paymentRequest(), { idempotencyKey: 'a\r\nb' }));
    expect(error).toMatchObject({ issues: [{ path: ['options', 'idempotencyKey'] }] });
    expect((error as Error).message).not.toContain('a\r\nb');
  });

  test('200 problems at once are all there, each with its path', async () => {
    const items = Array.from({ length: 200 }, () => ({ ...item, quantity: 0 }));
    const error = await rejection(call('initiatePayment', { ...paymentRequest(), items }));
    expect(error).toHaveProperty('issues.length', 200);
    expect(error).toHaveProperty('issues.199.path', ['items', 199, 'quantity']);
    expect((error as Error).message.length).toBeLessThan(2_000);
  });
});

describe('what the caller gives', () => {
  test.each(['NFC', 'NFD'])('is sent as it is where it is Vietnamese in %s', async (form) => {
    const description = 'Hoá đơn tủ lạnh – Thành phố Hồ Chí Minh'.normalize(form);
    await call('uploadInvoice', invoiceUpload({ description }));
    const sent = server.requests.at(-1);
    expect(sent?.body.toString()).toContain(`\r\n\r\n${description}\r\n`);
    const { merchantId, storeId } = demo;
    const fields = { merchantId, referenceId: 'ORDER:2026-0001', storeId, description };
    expect(sent?.header('signature')).toBe(signInvoice(fields, canaries.secretKey));
  });

  test('is sent as it was where its owner changes a buffer after the call', async () => {
    const file = Buffer.from(files.pdf);
    const sent = call('uploadInvoice', invoiceUpload({ file }));
    file.fill('x');
    await sent;
    expect(server.requests.at(-1)?.bytes.includes(files.pdf)).toBe(true);
  });

  test.each([
    ['../../etc/"in;voice".pdf', '%22in;voice%22.pdf'],
    ['C:\\invoices\\hoá đơn.pdf', 'hoá đơn.pdf'],
  ])('is sent as an escaped base name where a file is called %j', async (filename, sent) => {
    await call('uploadInvoice', invoiceUpload({ file: { data: files.pdf, filename } }));
    expect(server.requests.at(-1)?.body.toString()).toContain(`name="file"; filename="${sent}"\r\n`);
  });
});
