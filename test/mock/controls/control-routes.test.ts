import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMockService, type MockServer, type MockService } from '../../../src/entries/mock.js';
import {
  allocation,
  initiate,
  now,
  order,
  receipt,
  upload,
  type PlainRequest,
} from '../../helpers/signed-requests.js';

let mock: MockService;
let server: MockServer;

beforeEach(async () => {
  mock = createMockService({ now });
  server = await mock.listen();
});
afterEach(() => server.close());

const send = ({ path, init }: PlainRequest) => fetch(server.url + path, init);

async function control(path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const response = await fetch(
    `${server.url}/_mock${path}`,
    body === undefined
      ? {}
      : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) },
  );
  return { status: response.status, json: await response.json() };
}

describe('the controls over HTTP', () => {
  test('inject a fault', async () => {
    await control('/faults', { operation: 'initiatePayment', fault: 'html-502', phase: 'after' });
    expect((await send(initiate())).status).toBe(502);
    expect(mock.payments.all()).toHaveLength(1);
  });

  test('settle a payment, or say why they cannot', async () => {
    await send(initiate());
    const body = { referenceId: 'ORDER:2026-0001', status: 'paid' };
    expect((await control('/settle', body)).json).toMatchObject({
      status: 'paid',
      paymentTransId: 'PT-00000001',
    });
    expect(await control('/settle', { ...body, status: 'declined' })).toEqual({
      status: 400,
      json: { error: 'The payment is already paid and cannot become declined.' },
    });
  });

  test('accept a form instead of JSON, and respond with JSON', async () => {
    await send(initiate());
    const { status, json } = await control(
      '/settle',
      'referenceId=ORDER%3A2026-0001&status=paid&merchantId=',
    );
    expect([status, json]).toMatchObject([200, { status: 'paid' }]);
    await control('/respond', 'operation=initiatePayment&times=2&answer.httpStatus=418');
    expect((await send(initiate())).status).toBe(418);
  });

  test('list the journal, look entries up and wait for them', async () => {
    await send(initiate());
    mock.settle('ORDER:2026-0001', 'paid');
    await send(upload());
    expect((await control('/journal')).json).toHaveLength(2);
    expect((await control('/journal?operation=uploadInvoice&resultStatus=APPROVED')).json).toMatchObject([
      { id: 2 },
    ]);
    expect((await control('/journal/1')).json).toMatchObject({ id: 1, at: now().toISOString() });
    expect((await control('/journal/9')).status).toBe(404);

    const times = { at: now().toISOString(), completedAt: now().toISOString() };
    const match = { operation: 'uploadInvoice', ...times };
    expect((await control('/journal/find', { match })).json).toMatchObject({ id: 2 });
    const post = { match: { method: 'POST' } };
    expect((await control('/journal/find', post)).json).toMatchObject({ id: 1 });
    expect((await control('/journal/find', { ...post, last: true })).json).toMatchObject({ id: 2 });
    expect((await control('/journal/filter', { match })).json).toMatchObject([{ id: 2 }]);
    const nothing = { match: { referenceId: 'other' } };
    expect((await control('/journal/filter', nothing)).json).toEqual([]);
    expect(await control('/journal/find', nothing)).toEqual({
      status: 404,
      json: { error: 'Nothing was found.', found: false },
    });

    const waiting = control('/journal/wait', { match: { operation: 'paymentReceipt' } });
    await send(receipt());
    expect((await waiting).json).toMatchObject({ lenderTransactionCode: 'LTC-1' });
    const gaveUp = await control('/journal/wait', {
      match: { operation: 'repaymentAllocation' },
      timeoutMs: 1,
    });
    expect(gaveUp.status).toBe(408);
    expect(gaveUp.json).toMatchObject({
      error: expect.stringMatching(/within 1 ms.* 3 requests arrived/) as unknown,
    });
  });

  test.each([
    ['/respond', '{', 'The body is not JSON.'],
    ['/respond', { operation: 'refund', answer: { httpStatus: 500 } }, 'operation must be'],
    ['/faults', { operation: 'initiatePayment', fault: 'boom' }, 'fault must be'],
    ['/settle', { referenceId: 'nobody' }, 'status'],
    ['/journal/find', { match: { at: 'yesterday' } }, 'match.at'],
    ['/journal/find', { match: { completedAt: 'today' } }, 'match.completedAt'],
    ['/journal/find', { match: {}, timeoutMs: 1 }, 'timeoutMs'],
    ['/journal/filter', { match: [] }, 'match'],
    ['/journal/wait', { match: {}, timeoutMs: 60_001 }, 'timeoutMs'],
    ['/journal?refrenceId=a', undefined, 'refrenceId'],
    ['/reset', { word: 'baseline' }, 'word'],
    ['/reset', { scenario: 'upside-down' }, "scenario must be 'baseline'"],
    ['/webhooks/7/resend', '', '7'],
    ['/invoices/INV-9/remove', '', 'INV-9'],
    ['/script/clear', { operation: 'initiatePayment' }, 'operation'],
    ['/script/clear', [], 'options must be an object'],
  ])('respond to %s with the body %j with status 400 and the problem', async (path, body, name) => {
    const { status, json } = await control(path, body);
    expect([status, json]).toEqual([400, { error: expect.stringContaining(name) as unknown }]);
  });

  test('filter the journal by each identifier of a request', async () => {
    for (const request of [initiate(order(), { key: 'KEY-1' }), receipt(), allocation()]) await send(request);
    for (const [query, id] of [
      ['operation=paymentReceipt', 2],
      ['referenceId=ORDER:2026-0001', 1],
      ['idempotencyKey=KEY-1', 1],
      ['lenderTransactionCode=LTC-1', 2],
      ['requestId=REQ-A1', 3],
      ['operation=repaymentAllocation&requestId=REQ-A1', 3],
    ] as const)
      expect((await control(`/journal?${query}`)).json).toMatchObject([{ id }]);
    expect((await control('/journal?resultStatus=INVALID_SIGNATURE')).json).toEqual([]);
  });

  test('return the scenario and the findings, and change the scenario at a reset', async () => {
    const plain = await control('/scenario');
    expect(plain.json).toEqual(mock.scenario());
    expect(await control('/reset', { scenario: 'repeat-duplicate' })).toEqual({
      status: 200,
      json: { ok: true },
    });
    expect((await control('/scenario')).json).toMatchObject({ repeat: 'duplicate' });
    expect(await control('/reset', ' ')).toEqual({ status: 200, json: { ok: true } });
    expect((await control('/scenario')).json).toMatchObject({ repeat: 'duplicate' });
    await control('/reset', { scenario: {} });
    expect((await control('/scenario')).json).toEqual(plain.json);

    expect((await control('/findings')).json).toEqual([]);
    await send(initiate());
    expect((await control('/findings')).json).toMatchObject([{ rule: 'no-key' }]);
  });

  test('respond to an unknown control with 404', async () => {
    expect((await control('/refund')).status).toBe(404);
    expect((await control('/respond')).status).toBe(404);
  });

  test('refuse a body larger than 1 MiB', async () => {
    expect((await control('/respond', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });

  test('respond with status 500 and the reason if the mock itself fails', async () => {
    let clock = now;
    const broken = createMockService({ now: () => clock() });
    const { path, init } = initiate();
    await broken.fetch(`https://mock.example${path}`, init);
    clock = () => {
      throw new Error('the clock stopped');
    };
    const body = JSON.stringify({ referenceId: 'ORDER:2026-0001', status: 'paid' });
    const response = await broken.fetch('https://mock.example/_mock/settle', { method: 'POST', body });

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: 'The mock failed: the clock stopped' });
  });
});

/** A request with a Host and an Origin that another website can set. */
async function responseTo(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const sent = httpRequest({ port: server.port, host: '127.0.0.1', method, path, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await text(response);
  return response;
}

describe('the root path', () => {
  test.each(['GET', 'HEAD'])('%s redirects to the inspector', async (method) => {
    const response = await fetch(server.url, { method, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/_mock']);
    expect((await fetch(server.url, { method })).headers.get('content-type')).toContain('text/html');
    expect(mock.journal.all()).toEqual([]);
  });

  test('responds to other methods with INVALID_API', async () => {
    const response = await fetch(server.url, { method: 'POST' });
    expect(await response.json()).toMatchObject({ resultStatus: 'INVALID_API' });
  });
});

describe('refused pages and controls', () => {
  test.each([
    [
      { host: 'evil.example' },
      'The Host header must be an IP address, localhost, the host on which the mock listens, or a name in allowedHosts (--allow-host).',
    ],
    [{ origin: 'https://evil.example' }, 'Requests from a different origin are refused.'],
  ])('give the reason: %j', async (headers, error) => {
    const sent = httpRequest({ port: server.port, host: '127.0.0.1', path: '/_mock', headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];

    expect(JSON.parse(await text(response))).toEqual({ error });
  });

  test.each([
    ['another origin', 'GET', '/_mock', { origin: 'https://evil.example' }, 403],
    ['another host at the root', 'GET', '/', { host: 'evil.example' }, 403],
  ])('have the security headers of a page: %s', async (_title, method, path, given, status) => {
    const response = await responseTo(method, path, { host: 'localhost', ...given });
    expect(response.statusCode).toBe(status);
    for (const name of ['content-security-policy', 'x-content-type-options', 'x-frame-options']) {
      expect(response.headers).toHaveProperty(name);
    }
  });
});
