import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectMock, MockUsageError, type RemoteMock } from '../../../src/entries/remote.js';
import { withDates } from '../../../src/workbench/remote/control-calls.js';
import { thrownBy } from '../../helpers/samples.js';

/** A response of a server that replaces a mock. If there is none, the connection is reset. */
type Answer = readonly [status: number, body: string];

const answers = new Map<string, Answer>();
const asked: string[] = [];
let url: string;
let remote: RemoteMock;
const server = createServer((request, response) => {
  const path = String(request.url).replace('/_mock/', '');
  asked.push(path);
  const answer = answers.get(path);
  if (answer) response.writeHead(answer[0]).end(answer[1]);
  else request.socket.resetAndDestroy();
});

beforeEach(async () => {
  answers.clear();
  answers.set('health', [200, '{"ok":true}']);
  asked.length = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  remote = connectMock(url, { waitMs: 0 });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The error of a call for the payments. */
const failure = async (mock: RemoteMock = remote): Promise<Error> =>
  mock.payments.all().then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error as Error,
  );

describe('a failed call', () => {
  test.each<[number, string, string]>([
    [200, '<html></html>', 'The server at URL responds, but is not a mock of this package.'],
    [404, '<html></html>', 'The server at URL responds with status 404, but is not a mock of this package.'],
    [500, '{"error":"the clock stopped"}', 'the clock stopped'],
  ])('gives the reason for %i: %s', async (status, body, message) => {
    answers.set('payments', [status, body]);
    const error = await failure();

    expect(error.message).toBe(message.replace('URL', url));
    expect(error).not.toBeInstanceOf(MockUsageError);
  });

  test.each(['', '.', '..'])('refuses the key %j, which no URL can contain', async (key) => {
    for (const call of [remote.payments.get(key), remote.webhooks.resend(key), remote.ledger(key)])
      await expect(call).rejects.toThrow(`'${key}' cannot be looked up over HTTP.`);
    expect(asked).toEqual([]);
  });

  test('says that a server that responds to everything with JSON is not a mock', async () => {
    answers.set('health', [200, '{"status":"UP"}']);
    answers.set('payments', [200, '{"status":"UP"}']);
    expect((await failure()).message).toBe(
      `The server at ${url} responds, but is not a mock of this package.`,
    );
    expect(asked).toEqual(['health']);
  });

  test.each([400, 403, 499])('is a mistake of the caller for %i', async (status) => {
    answers.set('payments', [status, '{"error":"a wrong word"}']);
    const error = await failure();

    expect(error).toBeInstanceOf(MockUsageError);
    expect(error.message).toBe('a wrong word');
  });

  test('says that the connection ended, with its cause and without the request', async () => {
    const error = await failure();

    expect(error.message).toBe(`The mock at ${url} was up and no longer responds (ECONNRESET).`);
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(asked).toEqual(['health', 'payments', 'payments', 'payments']);
  });

  test('is not repeated after a connection that ends, because the control might have acted', async () => {
    await expect(remote.settle('ORDER-1', 'paid')).rejects.toThrow('no longer responds (ECONNRESET)');
    expect(asked).toEqual(['health', 'settle']);
  });
});

describe('a mock that never came up', () => {
  test.each<[number, string, string]>([
    [
      503,
      '',
      'No mock came up at URL within 0 ms (status 503). Start one with: npx installment-payments mock --port PORT',
    ],
    [
      500,
      '',
      'No mock came up at URL within 0 ms (status 500). Start one with: npx installment-payments mock --port PORT',
    ],
    [200, '<html></html>', 'The server at URL responds, but is not a mock of this package.'],
  ])('is reported with the response at its address: %i %s', async (status, body, message) => {
    answers.set('health', [status, body]);
    const error = await failure();

    expect(error.message).toBe(message.replace('URL', url).replace('PORT', new URL(url).port));
    expect(error.cause).toBeUndefined();
  });

  test.each([
    ['http://127.0.0.2', '80'],
    ['https://127.0.0.2', '443'],
  ])('has an error that says how to start a mock at %s on port %s', async (address, port) => {
    const error = await failure(connectMock(address, { waitMs: 0 }));

    expect(error.message).toMatch(/ within 0 ms \(\w+\)\. /);
    expect(error.message.endsWith(` npx installment-payments mock --port ${port}`)).toBe(true);
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

test('only texts under the name of a date become dates', () => {
  const names = ['at', 'completedAt', 'createdAt', 'expiresAt', 'settledAt', 'uploadedAt', 'recordedAt'];
  names.push('reversedAt', 'startedAt', 'nextTryAt');
  const [time, others] = ['2026-11-20T03:00:00Z', { description: '2026-11-20', toString: '2026', found: 7 }];
  const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));

  expect(withDates({ ...all(time), ...others })).toEqual({ ...all(new Date(time)), ...others });
  expect(withDates({ createdAt: null })).toEqual({ createdAt: null });
});

describe('the arguments of connectMock', () => {
  test('include a limit for the wait: the longest timer', () => {
    expect(thrownBy(() => connectMock(url, { waitMs: 2 ** 31 }))).toMatchObject({
      option: 'waitMs',
      message: 'waitMs must be a number from 0 to 2147483647',
    });
    expect(() => connectMock(url, { waitMs: 2 ** 31 - 1 })).not.toThrow();
  });
});
