import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, MockUsageError, type MockFault } from '../../../src/mock/index.js';
import type { Operation } from '../../../src/protocol/endpoints.js';
import { resultStatuses } from '../../../src/protocol/result-statuses.js';
import {
  allocation,
  initiate,
  now,
  order,
  receipt,
  upload,
  type PlainRequest,
} from '../../helpers/signed-requests.js';

const waits: number[] = [];
const mock = createMockService({
  now,
  delay: (milliseconds) => {
    waits.push(milliseconds);
    return Promise.resolve();
  },
});

beforeEach(() => {
  mock.reset();
  waits.length = 0;
});

const send = ({ path, init }: PlainRequest) => mock.fetch(`https://sandbox.example${path}`, init);
const statusOf = async (request: PlainRequest) =>
  ((await (await send(request)).json()) as { resultStatus: string }).resultStatus;
const ordered = (referenceId: string) => initiate(order({ referenceId }));

describe('respondWith', () => {
  test('applies to the given number of requests, oldest rule first', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'DOWNSTREAM_ERROR' }, { times: 2 });
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' });
    const results = [];
    for (const id of ['A', 'B', 'C', 'D']) results.push(await statusOf(ordered(id)));
    expect(results).toEqual(['DOWNSTREAM_ERROR', 'DOWNSTREAM_ERROR', 'ERROR_GENERAL', 'APPROVED']);
  });

  test('may have no limit', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' }, { times: Infinity });
    const results = new Set<string>();
    for (let index = 0; index < 50; index += 1) results.add(await statusOf(ordered(`R-${String(index)}`)));
    expect([...results]).toEqual(['ERROR_GENERAL']);
  });

  test('may be for one reference', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' }, { referenceId: 'B' });
    expect(await statusOf(ordered('A'))).toBe('APPROVED');
    expect(await statusOf(ordered('B'))).toBe('ERROR_GENERAL');
    expect(await statusOf(ordered('B'))).toBe('APPROVED');
  });

  test.each([
    ['paymentReceipt', receipt(), 'LTC-1'],
    ['repaymentAllocation', allocation(), 'REQ-A1'],
  ] as const)('%s goes by the lender’s words', async (operation, request, referenceId) => {
    mock.respondWith(operation, { resultStatus: 'ACCESS_DENIED', resultMsg: 'no' }, { referenceId });
    const response = await send(request);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ resultStatus: 'ACCESS_DENIED', resultMsg: 'no' });
    expect((await send(request)).status).toBe(200);
  });

  test('applies after the signature check', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' });
    const forged = initiate(order(), { headers: { Signature: 'forged' } });
    expect(await statusOf(forged)).toBe('INVALID_SIGNATURE');
    expect(await statusOf(initiate())).toBe('ERROR_GENERAL');
  });

  test('a scripted approval creates nothing in the mock', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'APPROVED' });
    mock.respondWith('uploadInvoice', { resultStatus: 'APPROVED' });
    mock.respondWith('paymentReceipt', { resultStatus: 'APPROVED' });
    expect(await (await send(initiate())).json()).toMatchObject({
      resultStatus: 'APPROVED',
      paymentUrl: 'https://sandbox.example/pay/scripted',
    });
    expect(await (await send(upload())).json()).toMatchObject({
      resultStatus: 'APPROVED',
      invoiceId: 'INV-SCRIPTED',
    });
    expect((await send(receipt())).status).toBe(200);
    expect([mock.payments.all(), mock.invoices.all(), mock.receipts.all()]).toEqual([[], [], []]);
    expect(mock.journal.all().map(({ scripted }) => scripted)).toEqual([true, true, true]);
  });

  test.each([
    [
      'status and headers',
      { resultStatus: 'ERROR_GENERAL', httpStatus: 429, headers: { 'Retry-After': '3' } },
      429,
      /"resultStatus":"ERROR_GENERAL"/,
    ],
    [
      'a status that nobody documented',
      { body: { resultStatus: 'SURPRISE' } },
      200,
      /^{"resultStatus":"SURPRISE"}$/,
    ],
    ['text as it is', { body: '<p>no</p>', httpStatus: 500 }, 500, /^<p>no<\/p>$/],
    ['anything else as JSON', { body: { resultStatus: 7 } }, 200, /^{"resultStatus":7}$/],
    ['null', { body: null }, 200, /^null$/],
    ['bytes as they are', { body: Uint8Array.from([0x7b, 0xff]) }, 200, /^{\ufffd$/],
    [
      'bytes of another realm, as far as their view goes',
      { body: runInNewContext('new Uint8Array([0, 0x7b, 0x7d, 0]).subarray(1, 3)') as unknown },
      200,
      /^{}$/,
    ],
    ['an ArrayBuffer', { body: Uint8Array.from([0x7b, 0x7d]).buffer }, 200, /^{}$/],
    ['a type of its own', { body: '{}', headers: { 'Content-Type': 'text/plain' } }, 200, /^{}$/],
    [
      'another type for what is usual',
      { resultStatus: 'ERROR_GENERAL', headers: { 'CONTENT-TYPE': 'text/plain' } },
      200,
      /"ERROR_GENERAL"/,
    ],
    ['an empty body', { httpStatus: 204 }, 204, /^$/],
  ] as const)('gives %s', async (_title, answer, status, text) => {
    mock.respondWith('initiatePayment', answer);
    const response = await send(initiate());
    expect(response.status).toBe(status);
    for (const [name, value] of Object.entries(('headers' in answer && answer.headers) || {})) {
      expect(response.headers.get(name)).toBe(value);
    }
    expect(await response.text()).toMatch(text);
  });

  test.each([
    [
      'an operation that is none',
      () => {
        mock.respondWith('refund' as Operation, { resultStatus: 'ERROR_GENERAL' });
      },
    ],
    [
      'an answer that says nothing',
      () => {
        mock.respondWith('initiatePayment', {});
      },
    ],
    [
      'an HTTP status that is none',
      () => {
        mock.respondWith('initiatePayment', { httpStatus: 99 });
      },
    ],
    [
      'a header with a line break',
      () => {
        mock.respondWith('initiatePayment', { headers: { a: 'b\r\nc' } });
      },
    ],
    [
      'no times',
      () => {
        mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' }, { times: 0 });
      },
    ],
    [
      'a fault that is none',
      () => {
        mock.injectFault('initiatePayment', 'conection-reset' as MockFault);
      },
    ],
    [
      'a delay that no timer can hold',
      () => {
        mock.injectFault('initiatePayment', { delayMs: 2 ** 31 });
      },
    ],
    [
      'a delay that is no number',
      () => {
        mock.injectFault('initiatePayment', { delayMs: NaN });
      },
    ],
  ])('%s is refused at once', (_title, use) => {
    expect(use).toThrow(MockUsageError);
  });

  test('an unknown operation is refused with the list of the operations', () => {
    expect(() => {
      mock.respondWith('refund' as Operation, { resultStatus: 'ERROR_GENERAL' });
    }).toThrow(
      'respondWith: operation must be one of initiatePayment, uploadInvoice, paymentReceipt, repaymentAllocation.',
    );
  });

  test.each([
    [{ resultStatus: 'INVALID_AMMOUNT' as never }, 'did you mean INVALID_AMOUNT?'],
    [{ resultStatus: 'REFUNDED' as never }, 'LIMIT_EXCEEDED; any other goes into body'],
    [{ resultStatus: 7 as never }, 'as { body: { resultStatus } }.'],
  ])('an undocumented status is refused with what to write instead', (answer, words) => {
    const add = () => {
      mock.respondWith('initiatePayment', answer);
    };
    expect(add).toThrow(MockUsageError);
    expect(add).toThrow(`respondWith: answer.resultStatus must be one of APPROVED, ACCESS_DENIED, `);
    expect(add).toThrow(words);
  });

  test('the number of rules is limited', () => {
    const add = () => {
      mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' });
    };
    for (let index = 0; index < 1000; index += 1) add();
    expect(add).toThrow('1000 rules');
  });
});

describe('triggers', () => {
  const statuses = [
    ...new Set([
      ...Object.keys(resultStatuses.initiatePayment),
      ...Object.keys(resultStatuses.uploadInvoice),
    ]),
  ];

  test.each(statuses)('trigger:%s: forces it, for both operations', async (resultStatus) => {
    const referenceId = `trigger:${resultStatus}:1`;
    expect(await statusOf(ordered(referenceId))).toBe(resultStatus);
    if (resultStatus === 'APPROVED') mock.settle(referenceId, 'paid');
    expect(await statusOf(upload({ fields: { referenceId } }))).toBe(resultStatus);
    expect(mock.payments.all()).toHaveLength(resultStatus === 'APPROVED' ? 1 : 0);
  });

  test('a forced refusal is not stored for its key', async () => {
    const request = initiate(order({ referenceId: 'trigger:DOWNSTREAM_ERROR:1' }), { key: 'k' });
    expect([await statusOf(request), await statusOf(request)]).toEqual([
      'DOWNSTREAM_ERROR',
      'DOWNSTREAM_ERROR',
    ]);
    expect(mock.journal.all().map(({ replay }) => replay)).toEqual([false, false]);
  });

  test.each(['xtrigger:ERROR_GENERAL:1', 'trigger', 'Trigger:ERROR_GENERAL:1'])(
    '%s is a reference like any other',
    async (referenceId) => {
      expect(await statusOf(ordered(referenceId))).toBe('APPROVED');
    },
  );

  test.each([
    'trigger:SURPRISE:1',
    'trigger:ERROR_GENERAL',
    'trigger:error_general:1',
    'trigger:constructor:1',
    'trigger::1',
    'trigger:',
  ])('%s is refused with the list of the statuses', async (referenceId) => {
    const result = (await (await send(ordered(referenceId))).json()) as Record<string, string>;
    expect(result).toMatchObject({ resultStatus: 'INVALID_REQUEST', referenceId });
    for (const status of statuses) expect(result['resultMsg']).toContain(status);
    expect(mock.payments.all()).toEqual([]);
    expect(mock.journal.all()).toMatchObject([{ scripted: false }]);
  });
});

describe('injectFault', () => {
  test('a delay before acting delays the answer of every operation', async () => {
    for (const operation of [
      'initiatePayment',
      'uploadInvoice',
      'paymentReceipt',
      'repaymentAllocation',
    ] as const) {
      mock.injectFault(operation, { delayMs: 1234 });
    }
    for (const request of [initiate(), upload(), receipt(), allocation()]) {
      expect(await statusOf(request)).toBe('APPROVED');
      if (mock.payments.get('ORDER:2026-0001')?.status === 'pending') mock.settle('ORDER:2026-0001', 'paid');
    }
    expect(waits).toEqual([1234, 1234, 1234, 1234]);
  });

  test('a request that is refused early is delayed too', async () => {
    mock.injectFault('initiatePayment', { delayMs: 1234 });
    expect(await statusOf(initiate(order(), { headers: { Signature: 'no' } }))).toBe('INVALID_SIGNATURE');
    expect(waits).toEqual([1234]);
  });

  test('is injected before the signature check', async () => {
    mock.injectFault('initiatePayment', 'html-502');
    expect((await send(initiate(order(), { headers: { Signature: 'no' } }))).status).toBe(502);
    expect(mock.journal.all()[0]).not.toHaveProperty('resultStatus');
  });

  test('a fault loses a scripted answer', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' });
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    await expect(send(initiate())).rejects.toThrow('fetch failed');
    expect(mock.journal.all()).toMatchObject([
      { resultStatus: 'ERROR_GENERAL', scripted: true, fault: 'connection-reset' },
    ]);
    expect(await statusOf(initiate())).toBe('APPROVED');
  });

  test('may be for one reference, and for several requests', async () => {
    mock.injectFault('initiatePayment', 'html-502', { referenceId: 'B', times: 2 });
    const results = [];
    for (const id of ['A', 'B', 'B', 'B']) results.push((await send(ordered(id))).status);
    expect(results).toEqual([200, 502, 502, 200]);
  });

  test('is dropped by a reset', async () => {
    mock.injectFault('initiatePayment', 'html-502');
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' });
    mock.reset();
    expect(await statusOf(initiate())).toBe('APPROVED');
  });
});

describe('a rule for one operation', () => {
  const requests = {
    initiatePayment: initiate(),
    uploadInvoice: upload(),
    paymentReceipt: receipt(),
    repaymentAllocation: allocation(),
  };
  const names = Object.keys(requests) as Operation[];

  test.each(names)('does not affect the others: %s', async (operation) => {
    mock.respondWith(operation, { resultStatus: 'LIMIT_EXCEEDED' });
    mock.injectFault(operation, { delayMs: 7 });
    for (const other of names.filter((name) => name !== operation)) {
      expect(await statusOf(requests[other])).not.toBe('LIMIT_EXCEEDED');
    }
    expect(waits).toEqual([]);
    expect(await statusOf(requests[operation])).toBe('LIMIT_EXCEEDED');
    expect(waits).toEqual([7]);
  });
});

describe('the arguments of the controls', () => {
  test('an unknown fault is refused with the list of the faults', () => {
    expect(() => {
      mock.injectFault('initiatePayment', 'timeout' as MockFault);
    }).toThrow(
      'injectFault: fault must be one of connection-reset, empty-response, hang, stalled-body, truncated-body, ' +
        'invalid-json, html-502, or { delayMs } with 0 to 2147483647 milliseconds.',
    );
  });

  test('an unknown phase is refused with the list of the phases', () => {
    expect(() => {
      mock.injectFault('initiatePayment', 'hang', { phase: 'during' as 'before' });
    }).toThrow('injectFault: phase must be one of before, after.');
  });

  test('an unknown settlement is refused with the list, and nothing is stored', async () => {
    await send(initiate());
    expect(() => mock.settle('ORDER:2026-0001', 'payed' as 'paid')).toThrow(
      new MockUsageError('settle: status must be one of paid, declined, expired.'),
    );
    expect(mock.payments.get('ORDER:2026-0001')?.status).toBe('pending');
  });
});

describe('the invalid-json fault', () => {
  test.each([
    ['paymentReceipt', receipt()],
    ['repaymentAllocation', allocation()],
  ] as const)('of %s is no acknowledgement, whether the mock acted or not', async (operation, request) => {
    for (const phase of ['before', 'after'] as const) {
      mock.injectFault(operation, 'invalid-json', { phase });
      const response = await send(request);
      expect(response.status).toBe(500);
      await expect(response.json()).rejects.toThrow(SyntaxError);
    }
    expect(mock.receipts.all().length + mock.allocations.all().length).toBe(1);
  });
});
