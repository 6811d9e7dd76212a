import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InstallmentClient, UnexpectedResponseError, ValidationError, type Fetch } from '../../src/index.js';
import { instantRuntime } from '../helpers/runtime.js';
import { approvedPayment, demo, files, invoiceUpload, paymentRequest } from '../helpers/samples.js';
import { multipartParts } from '../helpers/wire-reader.js';
import { invoiceProblem, paymentProblem, type SentRequest } from './wire-checker.js';

const runs = 2_000;
const timeoutMs = 60_000;

/** A `fetch` that keeps what was sent, and answers as it is told. */
function recording(answer: () => Response): { readonly fetch: Fetch; readonly sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const fetch: Fetch = async (input, init) => {
    sent.push({
      path: new URL(input).pathname,
      headers: init?.headers as Record<string, string>,
      body: Buffer.from(await new Response(init?.body).arrayBuffer()),
    });
    return answer();
  };
  return { fetch, sent };
}

const clientOf = (fetch: Fetch) => new InstallmentClient({ ...demo, fetch, maxRetries: 0 }, instantRuntime());

/** Values that have broken something somewhere. */
const awkward = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  ' ',
  '\0',
  'a\r\nX-Injected: yes',
  '\ud800',
  '\udc00\ud800',
  '"; filename="x.exe',
  '--\r\n--',
  '1e9',
  '０１２',
  'javascript:alert(1)',
  'https://shop.example/a b',
  '31-02-2026',
  '29-02-2024',
  'a@b',
  'e\u0301',
  '{"a":1}',
  -0,
  0,
  1,
  0.1,
  -1,
  1e21,
  5e-324,
  Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER + 1,
  NaN,
  Infinity,
  10n,
  true,
  Symbol('s'),
  () => 1,
  new Date(NaN),
  new Date('2026-02-28T23:59:59.999Z'),
  new Date(8.64e15),
  [],
  {},
  new Map(),
  new Proxy({}, { get: () => ({}) }),
  Object.defineProperty({}, 'value', {
    enumerable: true,
    get: () => {
      throw new Error('a getter of the caller');
    },
  }),
);

const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: awkward },
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.double(),
  fc.integer(),
  fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true }),
);

/** Every field of a request as a path, those that were left out included. */
function pathsOf(sample: unknown, prefix: readonly string[] = []): string[][] {
  if (typeof sample !== 'object' || sample === null || ArrayBuffer.isView(sample)) return [[...prefix]];
  return [[...prefix], ...Object.entries(sample).flatMap(([key, value]) => pathsOf(value, [...prefix, key]))];
}

/** A copy in which the value at a path is another. */
function replaced(sample: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(sample))
    return sample.map(
      (item, index) => (String(index) === key ? replaced(item, rest, value) : item) as unknown,
    );
  return { ...(sample as object), [key]: replaced((sample as Record<string, unknown>)[key], rest, value) };
}

const [item] = paymentRequest().items;
const fullPayment = {
  ...demo,
  ...paymentRequest(),
  requestType: 'installment',
  items: [
    {
      ...item,
      currency: 'VND',
      totalAmount: item?.price,
      description: 'D',
      imageUrl: 'https://i.example/1.png',
    },
  ],
  customer: {
    ...paymentRequest().customer,
    rank: 'A',
    description: 'D',
    gender: 'F',
    dateOfBirth: '29-02-2000',
  },
  shipping: {
    ...paymentRequest().shipping,
    country: 'VN',
    zipCode: '1',
    streetNumber: '2',
    houseExtension: 'b',
  },
  seller: { id: 'S', email: 's@shop.example', name: 'N', address: 'A' },
  installment: { packageId: 'P6' },
  lang: 'vi',
  extraData: 'x',
  terminalType: 'MOBILE_APP',
  transExpiredTime: 60_000,
  sendSms: true,
  sendEmail: false,
  baseUrl: undefined,
  clientId: undefined,
  secretKey: undefined,
} as Record<string, unknown>;
for (const option of ['baseUrl', 'clientId', 'secretKey']) Reflect.deleteProperty(fullPayment, option);

const fullInvoice: Record<string, unknown> = {
  ...invoiceUpload(),
  merchantId: demo.merchantId,
  storeId: demo.storeId,
  paymentTransId: 'PT-1',
  invoiceNumber: 'INV-1',
  invoiceDate: '2026-11-20T03:04:05Z',
  fileUrl: 'https://files.example/a.pdf',
  description: 'D',
  extraData: '{"till":4}',
};

const aFile = fc.oneof(
  awkward,
  fc.uint8Array({ maxLength: 64 }),
  fc.tuple(fc.constantFrom(...Object.values(files)), fc.uint8Array()).map((parts) => Buffer.concat(parts)),
  fc
    .record({
      data: fc.constantFrom(...Object.values(files)),
      filename: fc.string({ unit: 'binary' }),
      contentType: fc.constantFrom(undefined, 'application/pdf', 'text/plain', ''),
    })
    .map((file) => file as unknown),
  fc.record({ path: anything }),
);

/** One field, or a few, replaced by anything; sometimes the whole request. */
function mutations(
  sample: Record<string, unknown>,
  special: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<unknown> {
  const one = fc
    .constantFrom(...pathsOf(sample))
    .chain((path) => (special[path[0] ?? ''] ?? anything).map((value) => [path, value] as const));
  return fc.array(one, { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce<unknown>((request, [path, value]) => {
      try {
        return replaced(request, path, value);
      } catch {
        return request; // an earlier change left nothing on the way
      }
    }, sample),
  );
}

type Call = (client: InstallmentClient, request: unknown) => Promise<unknown>;

/** Calls with any input at all: either nothing is sent and it is a ValidationError, or what is sent is right. */
async function expectRefusedOrRight(
  request: unknown,
  call: Call,
  problem: (sent: SentRequest, secretKey: string) => string | undefined,
): Promise<boolean> {
  const { fetch, sent } = recording(() => new Response('never JSON', { status: 400 }));
  const error = await call(clientOf(fetch), request).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ValidationError) {
    expect(sent).toHaveLength(0);
    expect(error.issues.length).toBeGreaterThan(0);
    return false;
  }
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(sent.map((one) => problem(one, demo.secretKey))).toEqual([undefined]);
  return true;
}

const initiate: Call = (client, request) => client.initiatePayment(request as never);
const upload: Call = (client, request) => client.uploadInvoice(request as never);

// Beyond the simulation, whose orders and answers are well-formed: any input, and any bytes of an answer.

describe('fuzzed input', () => {
  test('a whole request passes the checker that is written from the specification', async () => {
    expect(await expectRefusedOrRight(fullPayment, initiate, paymentProblem)).toBe(true);
    expect(await expectRefusedOrRight(fullInvoice, upload, invoiceProblem)).toBe(true);
  });

  test('the checker sees what is wrong', async () => {
    const { fetch, sent } = recording(() => Response.json({}, { status: 400 }));
    const client = clientOf(fetch);
    await Promise.allSettled([initiate(client, fullPayment), upload(client, fullInvoice)]);
    const [payment, invoice] = sent as [SentRequest, SentRequest];
    const tampered = (request: SentRequest, from: string, to: string) => ({
      ...request,
      body: Buffer.from(Buffer.from(request.body).toString('latin1').replace(from, to), 'latin1'),
    });
    expect(paymentProblem(tampered(payment, '"VND"', '"USD"'), demo.secretKey)).toBe(
      'the body breaks a rule',
    );
    expect(paymentProblem(tampered(payment, '"lang":"vi"', '"lang":"en"'), demo.secretKey)).toBe(
      'wrong Signature',
    );
    expect(invoiceProblem(tampered(invoice, 'INV-1', 'INV-2'), demo.secretKey)).toBe('wrong Signature');
    expect(invoiceProblem(tampered(invoice, '%PDF-', 'hello'), demo.secretKey)).toBe('wrong file content');
    const { headers, body } = tampered(invoice, 'form-data; name="file"', 'attachment');
    expect(multipartParts(headers['Content-Type'], body)).toBeUndefined();
  });

  test(
    'any value in any field of a payment is refused, or right on the wire',
    async () => {
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(mutations(fullPayment), async (request) => {
          if (await expectRefusedOrRight(request, initiate, paymentProblem)) sent++;
        }),
        { numRuns: runs },
      );
      // Both ends were tried, or the property would say little.
      expect(sent).toBeGreaterThan(runs / 50);
      expect(sent).toBeLessThan(runs - runs / 50);
    },
    timeoutMs,
  );

  test(
    'any value in any field of an upload is refused, or right on the wire',
    async () => {
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(mutations(fullInvoice, { file: aFile }), async (request) => {
          if (await expectRefusedOrRight(request, upload, invoiceProblem)) sent++;
        }),
        { numRuns: runs },
      );
      // Both ends were tried, or the property would say little.
      expect(sent).toBeGreaterThan(runs / 50);
      expect(sent).toBeLessThan(runs - runs / 50);
    },
    timeoutMs,
  );
});

/** The approval in an answer's bytes, read without the package, or undefined. */
function approvalIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
    if (typeof value !== 'object' || value === null) return undefined;
    const body = value as Record<string, unknown>;
    // An approval may leave its identifiers out, but an empty one is another.
    const sameReference = [undefined, null, 'ORDER:2026-0001'].includes(body['referenceId'] as string);
    const sameMerchant = [undefined, null, demo.merchantId].includes(body['merchantId'] as never);
    const hasUrl = typeof body['paymentUrl'] === 'string' && body['paymentUrl'] !== '';
    return body['resultStatus'] === 'APPROVED' && sameReference && sameMerchant && hasUrl ? body : undefined;
  } catch {
    return undefined;
  }
}

describe('fuzzed answers', () => {
  const valid = Buffer.from(JSON.stringify(approvedPayment({ resultMsg: 'Đã duyệt' })));

  const mutated = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.nat(valid.length).map((length) => valid.subarray(0, length)),
    fc
      .tuple(fc.nat(valid.length - 1), fc.nat(255))
      .map(([at, byte]) => Buffer.from(valid).fill(byte, at, at + 1)),
    fc
      .tuple(fc.nat(valid.length), fc.uint8Array({ maxLength: 8 }))
      .map(([at, more]) => Buffer.concat([valid.subarray(0, at), more, valid.subarray(at)])),
    fc
      .tuple(fc.constantFrom(...Object.keys(approvedPayment())), fc.jsonValue())
      .map(([field, value]) => Buffer.from(JSON.stringify({ ...approvedPayment(), [field]: value }))),
    fc.json().map((text) => Buffer.from(text)),
  );

  test(
    'no answer gives a success that its bytes do not carry, and none that they carry is lost',
    async () => {
      await fc.assert(
        fc.asyncProperty(mutated, fc.constantFrom(200, 201, 400, 404, 429, 500), async (bytes, status) => {
          const { fetch } = recording(
            () => new Response(bytes.length > 0 ? Buffer.from(bytes) : null, { status }),
          );
          const carried = approvalIn(bytes);
          const call = clientOf(fetch).initiatePayment(paymentRequest());
          if (carried) await expect(call).resolves.toEqual(carried);
          else await expect(call).rejects.toMatchObject({ referenceId: 'ORDER:2026-0001' });
        }),
        { numRuns: runs },
      );
    },
    timeoutMs,
  );
});
