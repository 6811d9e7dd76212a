import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  InstallmentClient,
  invoiceCanonicalString,
  signInvoice,
  ValidationError,
  type InvoiceUpload,
} from '../../src/index.js';
import { demo, files, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { FaultServer } from './fault-server.js';
import { approval, approved, canaries } from './harness.js';
import { json } from './steps.js';

let server: FaultServer;
let folder: string;

beforeAll(async () => {
  server = await FaultServer.start([approved]);
  folder = await mkdtemp(join(tmpdir(), 'invoices-'));
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

type Operation = 'initiatePayment' | 'uploadInvoice';

/** Calls with input that the types would refuse: many callers write JavaScript. */
async function call(operation: Operation, request: unknown, options?: unknown): Promise<unknown> {
  const client = new InstallmentClient({ ...demo, secretKey: canaries.secretKey, baseUrl: server.url });
  const method = client[operation].bind(client) as (request: unknown, options?: unknown) => Promise<unknown>;
  return method(request, options);
}

/** The error of input that must not leave this process. */
async function refused(operation: Operation, request: unknown, options?: unknown): Promise<ValidationError> {
  const before = server.connections;
  const error = await rejection(call(operation, request, options));
  expect(error).toBeInstanceOf(ValidationError);
  expect(server.connections).toBe(before);
  return error as ValidationError;
}

const pay = (changes: object) => refused('initiatePayment', { ...paymentRequest(), ...changes });
const send = (changes: object) => refused('uploadInvoice', { ...invoiceUpload(), ...changes });
const paths = ({ issues }: ValidationError) => issues.map(({ path }) => path.join('.'));
const statuses = ({ issues }: ValidationError) => issues.map(({ resultStatus }) => resultStatus);

/** The last request, which the sent bytes are read from. */
function lastSent(): string {
  return server.requests.at(-1)?.body.toString('utf8') ?? '';
}

const halfPair = 'a\ud83d';

describe('text', () => {
  test.each(['a\rb', 'a\nb', 'a\0b', 'khoá-ấ', '\ud83d\ude00'])(
    'a header value %j is refused and not quoted',
    async (value) => {
      const configured = () => new InstallmentClient({ ...demo, headers: { 'X-Trace': value } });
      expect(configured).toThrow(ConfigurationError);
      expect(configured).not.toThrow(value);
      expect(() => new InstallmentClient({ ...demo, clientId: value })).toThrow(ConfigurationError);
      const error = await refused('initiatePayment', paymentRequest(), { idempotencyKey: value });
      expect(paths(error)).toEqual(['options.idempotencyKey']);
      expect(error.message).not.toContain(value);
    },
  );

  test('half of a surrogate pair is refused in any text', async () => {
    const request = paymentRequest();
    expect(paths(await pay({ description: halfPair }))).toEqual(['description']);
    expect(paths(await pay({ extraData: halfPair }))).toEqual(['extraData']);
    expect(paths(await pay({ customer: { ...request.customer, lastName: halfPair } }))).toEqual([
      'customer.lastName',
    ]);
    expect(paths(await send({ description: halfPair }))).toEqual(['description']);
    expect(paths(await send({ extraData: { note: halfPair } }))).toEqual(['extraData']);
    expect(paths(await send({ file: { data: files.pdf, filename: `${halfPair}.pdf` } }))).toEqual(['file']);
  });

  test('a referenceId has 1 to 60 characters, and none that only looks like one', async () => {
    for (const referenceId of ['a', 'a'.repeat(60)]) {
      await using echo = await FaultServer.start([json({ ...approval, referenceId })]);
      const client = new InstallmentClient({ ...demo, baseUrl: echo.url });
      await expect(client.initiatePayment(paymentRequest({ referenceId }))).resolves.toMatchObject({
        referenceId,
      });
    }
    for (const referenceId of ['', 'a'.repeat(61), 'ORDER-1\n', 'ORDER-١٢', 'ĐƠN-1']) {
      expect(statuses(await pay({ referenceId }))).toEqual(['INVALID_REFERENCE_ID']);
    }
  });

  test('& and = inside values are signed as they are', () => {
    const fields = { referenceId: 'R', description: 'a=b&extraData=c', extraData: '{"q":"x&y=z"}' };
    expect(invoiceCanonicalString(fields)).toContain('&description=a=b&extraData=c&extraData={"q":"x&y=z"}');
  });

  test('an absent field is signed as an empty one, or left out where the switch says so', () => {
    const given = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER:2026-0002' };
    const vector = '1caef978c2acc95a3b173bbc7376a13675a24e04d174d18b60b7755132088277';
    expect(signInvoice(given, 'demo-secret')).toBe(vector);
    expect(signInvoice({ ...given, description: '' }, 'demo-secret')).toBe(vector);
    expect(invoiceCanonicalString(given, { absentFields: 'omit' })).toBe(
      'merchantId=DEMO-MERCHANT&referenceId=ORDER:2026-0002',
    );
  });

  test.each(['NFC', 'NFD'])('Vietnamese in %s is sent as given', async (form) => {
    const description = 'Hoá đơn tủ lạnh – Thành phố Hồ Chí Minh'.normalize(form);
    await call('initiatePayment', paymentRequest({ description }));
    expect(lastSent()).toContain(JSON.stringify(description));
    await call('uploadInvoice', invoiceUpload({ description }));
    expect(lastSent()).toContain(`\r\n\r\n${description}\r\n`);
    expect(server.requests.at(-1)?.header('signature')).toBe(
      signInvoice(
        { merchantId: demo.merchantId, referenceId: 'ORDER:2026-0001', storeId: demo.storeId, description },
        canaries.secretKey,
      ),
    );
  });
});

describe('numbers and shapes', () => {
  test.each([NaN, Infinity, -Infinity, 1e21, 1.5, -1, 10n, '100', new Date(NaN)])(
    '%s is refused as an amount, a quantity and a duration',
    async (value) => {
      expect(paths(await pay({ amount: { value } }))).toEqual(['amount.value']);
      expect(paths(await pay({ transExpiredTime: value }))).toEqual(['transExpiredTime']);
      const [item] = paymentRequest().items;
      expect(paths(await pay({ items: [{ ...item, quantity: value }] }))).toContain('items.0.quantity');
    },
  );

  test('an invalid Date is refused as an invoice date', async () => {
    expect(paths(await send({ invoiceDate: new Date(NaN) }))).toEqual(['invoiceDate']);
  });

  test.each(['__proto__', 'constructor', 'toString'])('the key %s from JSON is refused', async (key) => {
    const hostile = JSON.parse(`{"${key}":{"polluted":true}}`) as object;
    const text = JSON.stringify(paymentRequest()).replace('{', `{"${key}":{"polluted":true},`);
    await refused('initiatePayment', JSON.parse(text));
    await pay({
      customer: { ...paymentRequest().customer, ...hostile, [key]: hostile },
    });
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('a cycle and nesting 100,000 deep are refused without a stack overflow', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level++) deep = { deep };
    for (const value of [cycle, deep]) {
      await pay({ customer: value });
      await pay({ extra: value });
      await send({ extraData: value });
    }
  });

  test('1 and 200 items pass, 0 and 201 do not', async () => {
    const [item] = paymentRequest().items;
    const lines = (length: number) => Array.from({ length }, () => item);
    for (const count of [1, 200]) await call('initiatePayment', { ...paymentRequest(), items: lines(count) });
    for (const count of [0, 201]) expect(paths(await pay({ items: lines(count) }))).toEqual(['items']);
  });

  test('200 problems at once are all there, each with its path', async () => {
    const [item] = paymentRequest().items;
    const error = await pay({ items: Array.from({ length: 200 }, () => ({ ...item, quantity: 0 })) });
    expect(paths(error)).toEqual(
      Array.from({ length: 200 }, (_, index) => `items.${String(index)}.quantity`),
    );
    expect(error.message.length).toBeLessThan(2_000);
  });

  test.each([null, [[]], 'text', undefined])('%j for the whole request is refused', async (request) => {
    for (const operation of ['initiatePayment', 'uploadInvoice'] as const) {
      expect((await refused(operation, request)).issues.length).toBeGreaterThan(0);
    }
  });
});

const mebibyte = 1024 * 1024;

/** A PDF of an exact size. */
function pdfOf(bytes: number): Uint8Array {
  const file = Buffer.alloc(bytes);
  file.write('%PDF-1.7\n');
  return file;
}

describe('files', () => {
  test.each([
    ['../../etc/"in;voice".pdf', '%22in;voice%22.pdf'],
    ['C:\\invoices\\hoá đơn.pdf', 'hoá đơn.pdf'],
    ['folder/', 'invoice.pdf'],
  ])('the name %j goes out as its base name, escaped', async (filename, sent) => {
    await call('uploadInvoice', invoiceUpload({ file: { data: files.pdf, filename } }));
    expect(lastSent()).toContain(`name="file"; filename="${sent}"\r\n`);
  });

  test.each(['a\r\nX: y.pdf', 'a\n.pdf', 'a\0.pdf'])('the name %j is refused', async (filename) => {
    expect(paths(await send({ file: { data: files.pdf, filename } }))).toEqual(['file']);
  });

  test('5 MiB - 1 and 5 MiB pass, one byte more and none do not', async () => {
    for (const size of [5 * mebibyte - 1, 5 * mebibyte]) {
      await call('uploadInvoice', invoiceUpload({ file: pdfOf(size) }));
    }
    expect(statuses(await send({ file: pdfOf(5 * mebibyte + 1) }))).toEqual(['FILE_TOO_LARGE']);
    expect(statuses(await send({ file: new Uint8Array() }))).toEqual(['INVALID_REQUEST']);
  });

  test('an endless stream is read no further than the limit', async () => {
    let taken = 0;
    let stopped = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          await Promise.resolve();
          taken += mebibyte;
          yield pdfOf(mebibyte);
        }
      } finally {
        stopped = true;
      }
    }
    expect(statuses(await send({ file: endless() }))).toEqual(['FILE_TOO_LARGE']);
    expect(taken).toBe(6 * mebibyte);
    expect(stopped).toBe(true);
  });

  test.each<[string, InvoiceUpload['file']]>([
    ['a png named .pdf', { data: files.png, filename: 'invoice.pdf' }],
    ['HTML named .xml', { data: Buffer.from('<!DOCTYPE html><html></html>'), filename: 'invoice.xml' }],
    ['a text declared as PDF', { data: Buffer.from('total: 12'), contentType: 'application/pdf' }],
  ])('%s is refused', async (_title, file) => {
    expect(statuses(await send({ file }))).toEqual(['INVALID_FILE_TYPE']);
  });

  test.each(['total: 12', '<!DOCTYPE html><v/>', '<?xml version="1.0"?><!-- x --><HTML>'])(
    '%s named .xml is refused',
    async (text) => {
      const file = { data: Buffer.from(text), filename: 'invoice.xml' };
      expect(statuses(await send({ file }))).toEqual(['INVALID_FILE_TYPE']);
    },
  );

  test.each(['<Invoice', '<div><p>12</p></div>', '<!DOCTYPE v [<!ENTITY e "]>">]><v>&e;'])(
    '%s is sent as XML, whatever follows',
    async (text) => {
      const data = Buffer.from(text);
      await call('uploadInvoice', invoiceUpload({ file: { data, filename: 'Cty ABC.app' } }));
      expect(server.requests.at(-1)?.bytes.includes(data)).toBe(true);
    },
  );

  test('a stream that fails midway is refused with its cause', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(files.pdf);
      throw Object.assign(new Error('disk gone'), { code: 'EIO' });
    }
    const error = await send({ file: failing() });
    expect(error.cause).toMatchObject({ message: 'disk gone', code: 'EIO' });
  });

  test('a path that is not there, or is a folder, is refused', async () => {
    expect((await send({ file: { path: join(folder, 'none.pdf') } })).cause).toMatchObject({
      code: 'ENOENT',
    });
    expect(paths(await send({ file: { path: folder } }))).toEqual(['file']);
  });

  test('a buffer that its owner changes after the call goes out as it was', async () => {
    const file = Buffer.from(files.pdf);
    const sent = call('uploadInvoice', invoiceUpload({ file }));
    file.fill('x');
    await sent;
    expect(server.requests.at(-1)?.bytes.includes(files.pdf)).toBe(true);
  });

  test('neither file nor fileUrl, an http fileUrl, or one that ends in .exe is refused', async () => {
    expect(paths(await send({ file: undefined }))).toEqual(['file']);
    expect(paths(await send({ file: undefined, fileUrl: 'http://files.example/a.pdf' }))).toEqual([
      'fileUrl',
    ]);
    const executable = await send({ file: undefined, fileUrl: 'https://files.example/a.exe' });
    expect(statuses(executable)).toEqual(['INVALID_FILE_TYPE']);
  });
});
