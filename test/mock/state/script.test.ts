import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, MockUsageError } from '../../../src/entries/mock.js';
import { Changes, type MockChange } from '../../../src/mock/state/changes.js';
import { Script } from '../../../src/mock/state/script.js';
import type { Operation } from '../../../src/protocol/endpoints.js';
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

const send = ({ path, init }: PlainRequest) => mock.fetch(`https://mock.example${path}`, init);
const statusOf = async (request: PlainRequest) =>
  ((await (await send(request)).json()) as { resultStatus: string }).resultStatus;
const ordered = (referenceId: string) => initiate(order({ referenceId }));

describe('respondWith', () => {
  test('applies to the given number of requests, oldest rule first', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'DOWNSTREAM_ERROR' }, { times: 2 });
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' }, { times: Infinity });
    const results = [];
    for (const id of ['A', 'B', 'C', 'D']) results.push(await statusOf(ordered(id)));
    expect(results).toEqual(['DOWNSTREAM_ERROR', 'DOWNSTREAM_ERROR', 'ERROR_GENERAL', 'ERROR_GENERAL']);
  });

  test('can apply to one reference', async () => {
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

  test('can apply to a custom path, with a text as its body', async () => {
    const path = '/v2/refunds';
    mock.handle(path, () => ({}));
    mock.respondWith(path, { body: 'gone' });
    expect(await (await send({ ...initiate(), path })).text()).toBe('gone');
  });
});

describe('injectFault', () => {
  test('applies before the signature check', async () => {
    mock.injectFault('initiatePayment', 'html-502');
    expect((await send(initiate(order(), { headers: { Signature: 'no' } }))).status).toBe(502);
    expect(mock.journal.all()[0]).not.toHaveProperty('resultStatus');
    expect(mock.journal.all()[0]?.faultPhase).toBe('before');
  });

  test('can apply to one reference, and to several requests', async () => {
    mock.injectFault('initiatePayment', 'html-502', { referenceId: 'B', times: 2 });
    const results = [];
    for (const id of ['A', 'B', 'B', 'B']) results.push((await send(ordered(id))).status);
    expect(results).toEqual([200, 502, 502, 200]);
  });

  test('is removed by a reset', async () => {
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

  test.each(names)('does not affect other operations: %s', async (operation) => {
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

test('faults and responses are listed in the order of their use, and announced, until a reset', () => {
  const changes = new Changes();
  const seen: MockChange[] = [];
  changes.subscribe((change) => seen.push(change));
  const script = new Script(changes);
  expect(script.rules()).toEqual([]);
  script.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' });
  script.injectFault('uploadInvoice', 'hang', { times: 2 });
  expect(script.rules()).toMatchObject([
    { operation: 'uploadInvoice', fault: 'hang', times: 2 },
    { operation: 'initiatePayment', answer: { resultStatus: 'ERROR_GENERAL' }, times: 1 },
  ]);
  expect(seen).toEqual([{ kind: 'script' }, { kind: 'script' }]);
  script.reset();
  expect(script.rules()).toEqual([]);
});

describe('a control', () => {
  const respond = (...given: unknown[]) => {
    mock.respondWith(...(given as Parameters<typeof mock.respondWith>));
  };
  const inject = (...given: unknown[]) => {
    mock.injectFault(...(given as Parameters<typeof mock.injectFault>));
  };
  const failed = { resultStatus: 'ERROR_GENERAL' };
  const ofOperation =
    "operation must be 'initiatePayment', 'uploadInvoice', 'paymentReceipt' or 'repaymentAllocation', or a path that handle() serves";
  const ofAnswer =
    'answer must contain at least one of resultStatus, resultMsg, httpStatus, headers and body';
  const ofOptions = 'options must be an object, such as { times: 1 }.';
  const ofStatus = "answer.resultStatus must be 'APPROVED', 'ACCESS_DENIED', ";

  test.each<[string, () => void, string]>([
    ['an unknown operation', () => respond('refund', failed), ofOperation],
    ['an empty answer', () => respond('initiatePayment', {}), `respondWith: ${ofAnswer}`],
    [
      'an answer of which nothing is defined',
      () => respond('initiatePayment', { body: undefined }),
      ofAnswer,
    ],
    [
      'bytes',
      () => respond('initiatePayment', { body: Uint8Array.of(1) }),
      'answer.body must be text or JSON',
    ],
    ['an HTTP status below 200', () => respond('initiatePayment', { httpStatus: 99 }), 'answer.httpStatus'],
    [
      'a header with a line break',
      () => respond('initiatePayment', { headers: { a: 'b\r\nc' } }),
      'answer.headers',
    ],
    ['a misspelled status', () => respond('initiatePayment', { resultStatus: 'INVALID_AMMOUNT' }), ofStatus],
    [
      'an unknown fault',
      () => inject('initiatePayment', 'timeout'),
      "injectFault: fault must be { delayMs } (0 to 2147483647 milliseconds), 'connection-reset', 'empty-response', 'hang', " +
        "'stalled-body', 'truncated-body', 'invalid-json' or 'html-502'",
    ],
    [
      'an unknown phase',
      () => inject('initiatePayment', 'hang', { phase: 'during' }),
      "phase must be 'before' or 'after'",
    ],
    [
      'a text in place of the options of respondWith',
      () => respond('initiatePayment', failed, 'ORDER-1'),
      `respondWith: ${ofOptions}`,
    ],
    [
      'a list in place of the options of injectFault',
      () => inject('initiatePayment', 'hang', [2]),
      `injectFault: ${ofOptions}`,
    ],
  ])('refuses %s with the rule', (_title, control, message) => {
    expect(control).toThrow(MockUsageError);
    expect(control).toThrow(message);
  });

  test('refuses an undocumented status with the way to send it', () => {
    expect(() => respond('initiatePayment', { resultStatus: 'INVALID_AMMOUNT' })).toThrow(
      'did you mean INVALID_AMOUNT?',
    );
    for (const resultStatus of ['REFUNDED', 7]) {
      expect(() => respond('initiatePayment', { resultStatus })).toThrow('as { body: { resultStatus } }.');
    }
  });
});
