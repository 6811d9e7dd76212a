import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, type MockService } from '../../../src/entries/mock.js';
import { allocation, now, receipt, transaction, type PlainRequest } from '../../helpers/signed-requests.js';

let mock: MockService;

beforeEach(() => {
  mock = createMockService({ now });
});

async function send(
  { path, init }: PlainRequest,
  to: MockService = mock,
): Promise<{ status: number; type: string | null; json: unknown }> {
  const response = await to.fetch(`https://mock.example${path}`, init);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    json: await response.json(),
  };
}

const type = 'application/json; charset=utf-8';
const approved = (requestId: string, resultMsg: string) => ({
  status: 200,
  type,
  json: { requestId, resultStatus: 'APPROVED', resultMsg },
});
const refused = (requestId: string | undefined, resultMsg: string, resultStatus = 'INVALID_REQUEST') => ({
  status: 400,
  type,
  json: { ...(requestId !== undefined && { requestId }), resultStatus, resultMsg },
});

const reversal = { receivedStatus: 'REVERSED', reversalReason: 'bounced' };

describe('a payment receipt', () => {
  test('is recorded once and reversed once, however often it is sent', async () => {
    expect(await send(receipt())).toStrictEqual(approved('REQ-1', 'The receipt was recorded.'));
    expect(await send(receipt({ requestId: 'REQ-2' }))).toStrictEqual(
      approved('REQ-2', 'The receipt was recorded before.'),
    );
    expect(await send(receipt(reversal))).toStrictEqual(approved('REQ-1', 'The receipt was reversed.'));
    expect(await send(receipt(reversal))).toStrictEqual(
      approved('REQ-1', 'The receipt was recorded before.'),
    );
    expect(mock.journal.all().map(({ replay, scripted }) => [replay, scripted])).toStrictEqual([
      [false, false],
      [true, false],
      [false, false],
      [true, false],
    ]);
  });

  test('is refused for different facts under a known lenderTransactionCode', async () => {
    await send(receipt());
    const resultMsg = 'The lenderTransactionCode was used for a different receipt or reversal.';
    expect(await send(receipt({ receivedAmount: 1 }))).toStrictEqual(refused('REQ-1', resultMsg));
    await send(receipt(reversal));
    const otherReason = receipt({ ...reversal, reversalReason: 'fraud' });
    expect(await send(otherReason)).toStrictEqual(refused('REQ-1', resultMsg));
    expect(mock.receipts.all()).toMatchObject([{ reversalReason: 'bounced' }]);
  });

  test.each<[string, object, string]>([
    ['a missing field', { contractNumber: undefined }, 'contractNumber: is required and must be a string.'],
    ['an empty identifier', { lenderTransactionCode: '' }, 'lenderTransactionCode: must not be empty.'],
    ['an unknown status', { receivedStatus: 'PAID' }, "receivedStatus: must be 'SUCCESS' or 'REVERSED'."],
    [
      'a reversal without a reason',
      { receivedStatus: 'REVERSED' },
      'reversalReason: is required if receivedStatus is REVERSED, and must not be empty.',
    ],
    [
      'another form of a moment',
      { receivedDatetime: '2026-11-20T09:00:00Z' },
      'receivedDatetime: must be a string in the form yyyy-MM-ddTHH:mm:ss+0700, such as 2026-11-20T09:30:00+0700.',
    ],
  ])('is refused for %s with the name of the field', async (_title, changes, resultMsg) => {
    expect(await send(receipt(changes))).toStrictEqual(refused('REQ-1', resultMsg));
    expect(mock.receipts.all()).toStrictEqual([]);
  });
});

test('a notification is accepted with unknown fields, which its entry lists', async () => {
  const fields = { branch: 'HN', channel: { name: 'POS' } };
  for (const request of [
    receipt(fields),
    allocation({ ...fields, repaymentTransactions: [transaction(fields)] }),
  ])
    expect((await send(request)).status).toBe(200);
  expect(mock.receipts.all()).toMatchObject([fields]);
  expect(mock.allocations.all()).toMatchObject([{ ...fields, repaymentTransactions: [fields] }]);
  const names = ['branch', 'channel'];
  expect(mock.journal.all().map(({ unknownFields }) => unknownFields?.toSorted())).toEqual([
    names,
    [...names, ...names.map((name) => `repaymentTransactions[].${name}`)],
  ]);
});

describe('a repayment allocation', () => {
  test('is recorded once for its requestId', async () => {
    expect(await send(allocation())).toStrictEqual(approved('REQ-A1', 'The allocation was recorded.'));
    expect(await send(allocation())).toStrictEqual(approved('REQ-A1', 'The allocation was recorded before.'));
    expect(await send(allocation({ requestId: 'REQ-A2' }))).toStrictEqual(
      approved('REQ-A2', 'The allocation was recorded.'),
    );
    expect(mock.journal.all().map(({ replay }) => replay)).toStrictEqual([false, true, false]);
    expect(mock.allocations.all().map(({ requestId }) => requestId)).toStrictEqual(['REQ-A1', 'REQ-A2']);
  });

  test('is refused for different content under a known requestId', async () => {
    await send(allocation());
    expect(await send(allocation({ repaymentType: 'PARTIAL' }))).toStrictEqual(
      refused('REQ-A1', 'The requestId was used for a different allocation.'),
    );
    expect(mock.journal.get(2)).toMatchObject({ replay: false, resultStatus: 'INVALID_REQUEST' });
  });

  test.each<[string, object, string]>([
    [
      'no transaction',
      { repaymentTransactions: [] },
      'repaymentTransactions: must be an array of at least one transaction.',
    ],
    [
      'a wrong total',
      { repaymentTransactions: [transaction({ allocatedTotal: 1 })] },
      'repaymentTransactions[0].allocatedTotal: must equal allocatedPrincipal + allocatedServiceFee + allocatedPenalty exactly.',
    ],
    [
      'an unknown type',
      { repaymentType: 'LATE' },
      "repaymentType: must be 'NORMAL', 'EARLY_SETTLEMENT' or 'PARTIAL'.",
    ],
    [
      'many broken rules',
      { lenderCode: 7, contractNumber: undefined, repaymentType: 'LATE', repaymentTransactions: [] },
      "lenderCode: must be a string; got a number; contractNumber: is required and must be a string; repaymentType: must be 'NORMAL', 'EARLY_SETTLEMENT' or 'PARTIAL'; and 1 more.",
    ],
  ])('is refused for %s with the name of the field', async (_title, changes, resultMsg) => {
    expect(await send(allocation(changes))).toStrictEqual(refused('REQ-A1', resultMsg));
    expect(mock.allocations.all()).toStrictEqual([]);
  });

  test('has a journal entry with the sum of its transactions', async () => {
    await send(allocation({ repaymentTransactions: [transaction(), transaction()] }));
    expect(mock.journal.get(1)).toMatchObject({
      operation: 'repaymentAllocation',
      requestId: 'REQ-A1',
      contractNumber: 'CONTRACT-1',
      amount: 3_000_000,
      resultMsg: 'The allocation was recorded.',
      httpStatus: 200,
    });
    expect(mock.journal.get(1)).not.toHaveProperty('lenderTransactionCode');
  });
});

describe.each([
  ['a payment receipt', receipt, 'REQ-1'],
  ['a repayment allocation', allocation, 'REQ-A1'],
])('%s', (_title, notification, requestId) => {
  const withBody = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const { path, init } = notification();
    return { path, init: { ...init, headers: { ...init.headers, ...headers }, body } };
  };

  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['that is not JSON', '{', 'The body is not JSON.'],
    ['that is not UTF-8', Uint8Array.of(0xff), 'The body is not UTF-8.'],
    ['that is a list', '["a"]', 'The body: must be an object; got an array.'],
  ])('is refused for a body %s', async (_case, body, resultMsg) => {
    expect(await send(withBody(body))).toStrictEqual(refused(undefined, resultMsg));
  });

  test('is refused before it is read if it is not authentic', async () => {
    let shown = '';
    const authenticate = async (request: Request) => {
      shown = await request.text();
      return false;
    };
    const strict = createMockService({ now, lender: { authenticate } });
    expect(await send(withBody('{}'), strict)).toStrictEqual(
      refused(undefined, 'The request is not authenticated.', 'ACCESS_DENIED'),
    );
    expect(shown).toBe('{}');
  });

  test('gets a failure of the mock if its authentication throws', async () => {
    const authenticate = () => Promise.reject(new Error('no key store'));
    const failing = createMockService({ now, lender: { authenticate } });
    expect((await send(notification(), failing)).status).toBe(500);
    expect(failing.journal.get(1)).toMatchObject({ error: 'no key store', resultStatus: 'ERROR_GENERAL' });
  });

  test('changes nothing if the mock is reset during its authentication', async () => {
    let answer: (isAuthentic: boolean) => void = () => undefined;
    const asked = createMockService({
      now,
      lender: { authenticate: () => new Promise((resolve) => (answer = resolve)) },
    });
    const sent = send(notification(), asked);
    const ended = expect(sent).rejects.toThrow('fetch failed');
    await asked.journal.waitFor(({ bodyBytes }) => bodyBytes !== undefined);
    await new Promise((resolve) => setImmediate(resolve));
    asked.reset();
    answer(true);
    await ended;
    expect([...asked.receipts.all(), ...asked.allocations.all()]).toStrictEqual([]);
  });

  test('is not recorded if its response is scripted, and a refusal has status 400', async () => {
    const { path } = notification();
    const operation = path.endsWith('receipt') ? 'paymentReceipt' : 'repaymentAllocation';
    mock.respondWith(operation, { resultStatus: 'APPROVED' });
    mock.respondWith(operation, { resultStatus: 'ERROR_GENERAL' });
    mock.respondWith(operation, {
      resultStatus: 'DOWNSTREAM_ERROR',
      resultMsg: 'Own words.',
      httpStatus: 503,
    });

    expect(await send(notification())).toStrictEqual(approved(requestId, 'As scripted.'));
    expect(await send(notification())).toStrictEqual(
      refused(requestId, 'The request was declined because of a general error.', 'ERROR_GENERAL'),
    );
    expect(await send(notification())).toStrictEqual({
      ...refused(requestId, 'Own words.', 'DOWNSTREAM_ERROR'),
      status: 503,
    });
    expect(mock.journal.all().map(({ scripted }) => scripted)).toStrictEqual([true, true, true]);
    expect([...mock.receipts.all(), ...mock.allocations.all()]).toStrictEqual([]);
  });
});

describe('a different name of the masked field', () => {
  const renamed = () => createMockService({ now, lender: { applicationIdField: 'acmeApplicationId' } });

  test.each<[string, object, string]>([
    ['nothing', { serviceApplicationId: undefined }, 'acmeApplicationId: is required and must be a string.'],
    ['the name of the specification', {}, 'acmeApplicationId: is required and must be a string.'],
    ['another type', { acmeApplicationId: 7 }, 'acmeApplicationId: must be a string; got a number.'],
  ])('refuses %s', async (_title, changes, resultMsg) => {
    expect(await send(receipt(changes), renamed())).toStrictEqual(refused('REQ-1', resultMsg));
  });

  test('is accepted, and stored under the name of the specification', async () => {
    const mock = renamed();
    await send(receipt({ serviceApplicationId: undefined, acmeApplicationId: 'APP-1' }), mock);
    expect(mock.receipts.get('LTC-1')?.serviceApplicationId).toBe('APP-1');
  });

  test('applies only to the first level', async () => {
    const mock = renamed();
    const changes = {
      serviceApplicationId: undefined,
      acmeApplicationId: 'APP-1',
      repaymentTransactions: [transaction({ serviceApplicationId: 'x' })],
    };
    expect((await send(allocation(changes), mock)).status).toBe(200);
    expect(mock.journal.get(1)?.unknownFields).toEqual(['repaymentTransactions[].serviceApplicationId']);
  });
});
