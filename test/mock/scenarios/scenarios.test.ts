import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/entries/mock.js';
import { isAnswerLost } from '../../../src/mock/state/journal.js';
import type { Scenario } from '../../../src/mock/scenarios/scenario.js';
import type { ScenarioOption } from '../../../src/mock/scenarios/resolve-scenario.js';
import { initiate, now, order, pdf, upload, type PlainRequest } from '../../helpers/signed-requests.js';

let clock = now().getTime();
const mock = createMockService({ now: () => new Date(clock) });
const inScenario = (scenario: ScenarioOption) => {
  mock.reset({ scenario });
};
beforeEach(() => {
  inScenario('baseline');
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Record<string, unknown>;
}

/** The response to a request; undefined if it was lost. */
async function send({ path, init }: PlainRequest): Promise<Answer | undefined> {
  const response = await mock.fetch(`https://mock.example${path}`, init).catch(() => undefined);
  if (!response) return undefined;
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

/** The results of requests, one after another: the resultStatus, or the HTTP status, or `lost`. */
async function results(...requests: readonly PlainRequest[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const request of requests) {
    const answer = await send(request);
    seen.push(answer ? (answer.body['resultStatus'] ?? answer.status) : 'lost');
  }
  return seen;
}

const pay = initiate(order(), { key: 'key-1' });
const settle = () => mock.settle('ORDER:2026-0001', 'paid');
const paidIn = async (scenario: ScenarioOption) => {
  inScenario(scenario);
  await send(pay);
  settle();
};

describe('a repeated key', () => {
  test.each([
    ['replay', 200, 'APPROVED'],
    ['duplicate', 200, 'DUPLICATE_REFERENCE_ID'],
    ['invalid', 200, 'INVALID_REQUEST'],
    ['conflict', 409, undefined],
    ['processing', 200, 'REQUEST_PROCESSING'],
    ['busy', 422, 'REQUEST_PROCESSING'],
  ] as const)(
    '%s: responds with HTTP %i and the resultStatus %s, however often',
    async (repeat, status, resultStatus) => {
      inScenario({ repeat });
      await send(pay);
      for (const again of [await send(pay), await send(pay)]) {
        expect([again?.status, again?.body['resultStatus']]).toEqual([status, resultStatus]);
        expect(again?.body['resultMsg'] ?? again?.body['message']).toMatch(/^The .+\.$/);
      }
      expect(mock.payments.all()).toHaveLength(1);
      expect(mock.journal.all().map(({ acted }) => acted)).toEqual([true, false, false]);
      const otherBody = initiate(order({ description: 'other' }), { key: 'key-1' });
      expect(await results(otherBody, initiate(order(), { key: 'key-2' }))).toEqual([
        'INVALID_REQUEST',
        'DUPLICATE_REFERENCE_ID',
      ]);
    },
  );

  test('creates another payment with the same reference and another link with `another`', async () => {
    inScenario({ repeat: 'another' });
    const links = [await send(pay), await send(pay)].map((answer) => answer?.body['paymentUrl']);
    expect(new Set(links).size).toBe(2);
    expect(mock.payments.all().map(({ referenceId, paymentUrl }) => [referenceId, paymentUrl])).toEqual(
      links.map((link) => ['ORDER:2026-0001', link]),
    );
    expect(mock.journal.all().map(({ acted, replay }) => [acted, replay])).toEqual([
      [true, false],
      [true, false],
    ]);
    const otherBody = initiate(order({ description: 'other' }), { key: 'key-1' });
    expect(await results(otherBody, initiate(order(), { key: 'key-2' }))).toEqual([
      'INVALID_REQUEST',
      'DUPLICATE_REFERENCE_ID',
    ]);
  });

  test('creates another payment each time in the scenario repeat-another, in which only the first response is lost', async () => {
    inScenario('repeat-another');
    expect(await results(pay, pay, pay)).toEqual(['lost', 'APPROVED', 'APPROVED']);
    expect(mock.payments.all()).toHaveLength(3);
  });

  test('gets the stored response 3 seconds after the first request with `busy`, and never with `invalid`', async () => {
    inScenario({ repeat: 'busy' });
    const statuses: (number | undefined)[] = [];
    for (const passedMs of [0, 2999, 1]) {
      clock += passedMs;
      statuses.push((await send(pay))?.status);
    }
    expect(statuses).toEqual([200, 422, 200]);
    expect(mock.journal.get(3)).toMatchObject({ resultStatus: 'APPROVED', replay: true });
    inScenario({ repeat: 'invalid' });
    await send(pay);
    clock += 3000;
    expect(await results(pay)).toEqual(['INVALID_REQUEST']);
  });
});

describe('a first response of REQUEST_PROCESSING', () => {
  test('hides an existing payment until the request is repeated', async () => {
    inScenario({ firstResponse: 'processing' });
    const first = await send(pay);
    expect(first?.body).toMatchObject({
      resultStatus: 'REQUEST_PROCESSING',
      resultMsg: 'The request is being processed.',
      referenceId: 'ORDER:2026-0001',
    });
    expect(first?.body['paymentUrl']).toBeUndefined();
    const { paymentUrl } = mock.payments.get('ORDER:2026-0001') ?? {};
    expect((await send(pay))?.body).toMatchObject({ resultStatus: 'APPROVED', paymentUrl });
  });

  test('is followed by the response of the scenario to a repeated key', async () => {
    inScenario({ firstResponse: 'processing', repeat: 'duplicate' });
    expect(await results(pay, pay)).toEqual(['REQUEST_PROCESSING', 'DUPLICATE_REFERENCE_ID']);
  });
});

describe('refusals', () => {
  const trigger = (status: string) => initiate(order({ referenceId: `trigger:${status}:1` }));
  test.each<[string, PlainRequest, number]>([
    ['INVALID_SIGNATURE', initiate(order(), { headers: { Signature: '0'.repeat(64) } }), 401],
    ['INVALID_CLIENT_ID', initiate(order(), { headers: { 'Client-Id': 'nobody' } }), 401],
    ['INVALID_MERCHANT_ID', initiate(order({ merchantId: 'OTHER' })), 403],
    ['INVALID_REQUEST', initiate(order({ description: 1 })), 400],
    ['INVALID_AMOUNT', initiate(order({ amount: { value: -1, currency: 'VND' } })), 422],
    ['REQUEST_PROCESSING', trigger('REQUEST_PROCESSING'), 409],
    ['DOWNSTREAM_ERROR', trigger('DOWNSTREAM_ERROR'), 502],
    ['ERROR_GENERAL', trigger('ERROR_GENERAL'), 500],
    ['FILE_TOO_LARGE', upload({ fields: { referenceId: 'trigger:FILE_TOO_LARGE:1' } }), 413],
    ['INVALID_API', { ...pay, path: '/v2/unknown' }, 404],
    ['INVALID_HTTP_METHOD', { ...pay, init: { ...pay.init, method: 'PUT' } }, 405],
  ])('%s have HTTP status 200, and their own status with by-kind', async (resultStatus, request, status) => {
    const plain = await send(request);
    expect([plain?.status, plain?.body['resultStatus']]).toEqual([200, resultStatus]);
    inScenario('refusals-by-kind');
    const byKind = await send(request);
    expect([byKind?.status, byKind?.body]).toEqual([status, plain?.body]);
  });

  test('have the statuses of an object, and 200 for every other resultStatus', async () => {
    inScenario({ refusals: { INVALID_SIGNATURE: 401 } });
    const statusOf = async (request: PlainRequest) => (await send(request))?.status;
    expect(await statusOf(initiate(order(), { headers: { Signature: '0'.repeat(64) } }))).toBe(401);
    expect(await statusOf(initiate(order(), { headers: { 'Client-Id': 'nobody' } }))).toBe(200);
    expect(await statusOf(pay)).toBe(200);
  });

  test('leave an approval at 200 with by-kind, and give a duplicate 409', async () => {
    inScenario('refusals-by-kind');
    expect([(await send(pay))?.status, (await send(initiate()))?.status]).toEqual([200, 409]);
  });
});

describe('the fields of responses', () => {
  test('are resultStatus, and paymentUrl if a payment is approved, with sparse', async () => {
    inScenario('sparse-responses');
    const approved = await send(pay);
    expect(Object.keys(approved?.body ?? {}).sort()).toEqual(['paymentUrl', 'resultStatus']);
    expect((await send(initiate()))?.body).toEqual({ resultStatus: 'DUPLICATE_REFERENCE_ID' });
    settle();
    expect((await send(upload()))?.body).toEqual({ resultStatus: 'APPROVED' });
  });

  test('are all documented fields and additional fields of each JSON type with extra', async () => {
    const plain = await send(pay);
    inScenario('extra-fields');
    expect((await send(pay))?.body).toEqual({
      ...plain?.body,
      resultCode: 0,
      traceId: expect.stringMatching(/./) as string,
      promotion: null,
      warnings: [],
      _links: { self: { href: '/v2/payments' } },
    });
  });
});

describe('a settled payment', () => {
  test.each([
    ['final', false],
    ['late', true],
    ['reordered', true],
  ] as const)('with %s, can be paid after it was declined: %s', async (settlement, canBePaidLater) => {
    inScenario({ settlement });
    await send(pay);
    mock.settle('ORDER:2026-0001', 'declined');
    if (canBePaidLater) expect(settle().status).toBe('paid');
    else expect(settle).toThrow('The payment is already declined and cannot become paid.');
  });

  test('stays paid in the scenario settled-late', async () => {
    await paidIn('settled-late');
    expect(() => mock.settle('ORDER:2026-0001', 'declined')).toThrow('The payment is already paid');
  });
});

describe('a repeated upload', () => {
  const invoice = (invoiceNumber: string) => upload({ fields: { invoiceNumber } });
  const idsIn = async (uploads: Scenario['uploads'], ...numbers: readonly string[]) => {
    await paidIn({ uploads });
    const ids: unknown[] = [];
    for (const number of numbers) ids.push((await send(invoice(number)))?.body['invoiceId']);
    return ids;
  };

  test('adds an invoice, or gets the first response', async () => {
    expect(new Set(await idsIn('stored', '1', '1', '2')).size).toBe(3);
    const [first, again, other] = await idsIn('recognised', '1', '1', '2');
    expect([again === first, other === first]).toEqual([true, false]);
    expect(mock.journal.all().map(({ acted, replay }) => [acted, replay])).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [true, false],
    ]);
  });

  test('is recognised after the third invoice, and then nothing more is stored', async () => {
    const [, , third, again, fourth] = await idsIn('recognised', '1', '2', '3', '3', '4');
    expect([again === third, fourth]).toEqual([true, undefined]);
  });
});

describe('the network', () => {
  test('loses the first response for each reference after the service has acted, with lost-response', async () => {
    inScenario('lost-response');
    expect(await results(pay, pay)).toEqual(['lost', 'APPROVED']);
    expect(mock.journal.all().map(({ acted, answer, replay }) => [acted, answer, replay])).toEqual([
      [true, 'lost', false],
      [false, 'sent', true],
    ]);
  });

  test('loses the first response for each file, but not a refusal, with lost-response', async () => {
    inScenario('lost-response');
    const other = upload({ file: { data: Buffer.concat([pdf, pdf]) } });
    expect(await results(pay, upload())).toEqual(['lost', 'INVALID_REFERENCE_ID']);
    settle();
    expect(await results(upload(), upload(), other)).toEqual(['lost', 'APPROVED', 'lost']);
    expect(mock.invoices.all()).toHaveLength(3);
  });

  test('responds to the first request for each reference with 502 after the service has acted, with gateway', async () => {
    inScenario('gateway');
    expect(await results(pay, pay)).toEqual([502, 'APPROVED']);
    expect(mock.journal.all().map(({ acted, answer }) => [acted, answer])).toEqual([
      [true, 'lost'],
      [false, 'sent'],
    ]);
  });

  test('refuses the first request for each reference, and the service does not act, with rate-limited', async () => {
    inScenario('rate-limited');
    expect(await send(pay)).toMatchObject({ status: 429, retryAfter: '1', body: {} });
    expect(mock.payments.all()).toEqual([]);
    const other = initiate(order({ referenceId: 'ORDER-2' }), { key: 'key-2' });
    expect(await results(pay, other, other)).toEqual(['APPROVED', 429, 'APPROVED']);
    expect(await results(initiate({}))).toEqual(['INVALID_REQUEST']);
  });

  test('delivers the first request for each reference, and loses all responses within three seconds, with outage', async () => {
    inScenario('outage');
    const other = initiate(order({ referenceId: 'ORDER-2' }), { key: 'key-2' });
    expect(await results(pay, initiate(order(), { key: 'another' }))).toEqual(['lost', 'lost']);
    clock += 2999;
    expect(await results(pay, other)).toEqual(['lost', 'lost']);
    settle();
    expect(await results(upload())).toEqual(['lost']);
    clock += 1;
    expect(await results(pay, other, upload())).toEqual(['APPROVED', 'lost', 'APPROVED']);
    expect(mock.payments.all()).toHaveLength(2);
    expect(mock.journal.all().map(isAnswerLost)).toEqual([
      ...[true, true, true, true, true],
      ...[false, true, false],
    ]);
  });

  test('delivers the first request for each reference, and resets the connection after 20 seconds, with hang', async () => {
    const waits: number[] = [];
    const delay = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
    const hanging = createMockService({ now, delay, scenario: 'hang' });
    const { path, init } = pay;
    const sendTo = () => hanging.fetch(`https://mock.example${path}`, init);
    await expect(sendTo()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect((await sendTo()).status).toBe(200);
    expect(waits).toEqual([20_000]);
    expect(hanging.journal.all().map(({ acted, answer }) => [acted, answer])).toEqual([
      [true, 'lost'],
      [false, 'sent'],
    ]);
  });

  test('delays the response to the first request for each reference by 0.3 seconds with clicks-twice', async () => {
    const waits: number[] = [];
    const delay = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
    const clicked = createMockService({ now, delay, scenario: 'clicked-twice' });
    const { path, init } = pay;
    await clicked.fetch(`https://mock.example${path}`, init);
    await clicked.fetch(`https://mock.example${path}`, init);
    expect(waits).toEqual([300]);
  });

  test('redirects the first request for each reference to an address at which it would be approved', async () => {
    inScenario('redirected');
    const { path, init } = pay;
    const first = await mock.fetch(`https://mock.example${path}`, { ...init, redirect: 'manual' });
    const location = 'https://mock.example/redirected/v2/payments';
    expect([first.status, first.headers.get('location')]).toEqual([307, location]);
    expect(mock.payments.all()).toEqual([]);
    expect(await results({ path: new URL(location).pathname, init })).toEqual(['APPROVED']);
    expect(await results(pay)).toEqual(['APPROVED']);
    expect(mock.journal.all().map(({ operation, acted }) => [operation, acted])).toEqual([
      ['initiatePayment', false],
      ['initiatePayment', true],
      ['initiatePayment', false],
    ]);
    inScenario('baseline');
    expect(await results({ path: '/redirected/v2/payments', init })).toEqual(['INVALID_API']);
  });

  test('delays each response by 0.3 seconds or more with slow', async () => {
    inScenario('slow');
    const started = performance.now();
    await send(pay);
    expect(performance.now() - started).toBeGreaterThan(290);
  });

  test('has no fault if a test injects a fault', async () => {
    inScenario('lost-response');
    mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
    expect(await results(pay)).toEqual([502]);
  });

  test('can be combined with other values: a lost response, then a refusal with its own status', async () => {
    inScenario({ network: 'lost-response', repeat: 'duplicate', refusals: 'by-kind', responses: 'sparse' });
    expect(await send(pay)).toBeUndefined();
    expect(await send(pay)).toMatchObject({ status: 409, body: { resultStatus: 'DUPLICATE_REFERENCE_ID' } });
  });
});
