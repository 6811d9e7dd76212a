import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/entries/mock.js';
import { mswHandlers } from '../../../src/mock/adapters/msw.js';
import { contractSuite } from '../../mock/adapters/contract-suite.js';
import { initiate, now } from '../../helpers/signed-requests.js';

describe('the mock behind MSW', () => {
  contractSuite(() => {
    const mock = createMockService({ now });
    const server = setupServer(...mswHandlers(mock, 'https://sandbox.example'));
    server.listen({ onUnhandledRequest: 'error' });
    return Promise.resolve({
      mock,
      send: ({ path, init }, signal) =>
        fetch(`https://sandbox.example${path}`, { ...init, ...(signal && { signal }) }),
      close: () => {
        server.close();
      },
    });
  }, {});
});

describe('mswHandlers', () => {
  test.each(['', '/', '//'].map((end) => `https://pay.example/base/(v1)+${end}`))(
    'the path of %s is taken off before the mock sees the request',
    async (baseUrl) => {
      const mock = createMockService({ now });
      const server = setupServer(...mswHandlers(mock, baseUrl));
      server.listen({ onUnhandledRequest: 'error' });
      const { path, init } = initiate();
      try {
        const response = await fetch(`https://pay.example/base/(v1)+${path}`, init);
        const result = (await response.json()) as { paymentUrl: string };
        expect(result).toMatchObject({
          resultStatus: 'APPROVED',
          paymentUrl: 'https://pay.example/base/(v1)+/pay/00000001',
        });
        expect(await (await fetch(result.paymentUrl)).text()).toContain('ORDER:2026-0001');
        expect(mock.journal.all()).toMatchObject([{ path: '/v2/payments' }]);
      } finally {
        server.close();
      }
    },
  );

  test('a lost connection is not passed on to other handlers', async () => {
    const mock = createMockService();
    const elsewhere = http.all('*', () => HttpResponse.text('elsewhere'));
    const server = setupServer(...mswHandlers(mock, 'https://pay.example'), elsewhere);
    server.listen();
    mock.injectFault('initiatePayment', 'connection-reset');
    const { path, init } = initiate();
    try {
      await expect(fetch(`https://pay.example${path}`, init)).rejects.toThrow(TypeError);
    } finally {
      server.close();
    }
  });

  test('requests elsewhere are none of its business', async () => {
    const elsewhere = http.all('*', () => HttpResponse.text('elsewhere'));
    const server = setupServer(...mswHandlers(createMockService(), 'https://pay.example/base'), elsewhere);
    server.listen();
    try {
      for (const url of [
        'https://pay.example/basement',
        'https://pay.example.evil/base/',
        'https://evil.example/https://pay.example/base/',
      ]) {
        expect(await (await fetch(url)).text()).toBe('elsewhere');
      }
    } finally {
      server.close();
    }
  });
});
