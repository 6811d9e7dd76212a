import { beforeEach, describe, expect, test } from 'vitest';
import { newAttempt, startPayment, type Attempt } from '../../examples/start-payment.js';
import { InstallmentClient } from '../../src/index.js';
import { createMockService, sampleError, samplePaymentRequest } from '../../src/mock/index.js';

const mock = createMockService();
const options = mock.clientOptions();
const clientOf = (maxRetries = 0) => new InstallmentClient({ ...options, maxRetries });
beforeEach(() => {
  mock.reset({ world: 'plain' });
});

const { merchantId, storeId, platformId } = options;
const attemptToPay = (): Attempt =>
  newAttempt(samplePaymentRequest({ referenceId: 'ORDER-1-1', merchantId, storeId, platformId }));

describe.each(['replay', 'duplicate', 'invalid', 'conflict', 'processing'] as const)(
  'where a repeated request is answered with %s',
  (repeat) => {
    const ends = repeat === 'replay' ? ['started'] : ['unknown', 'look up'];

    test('a lost response never ends as refused, and retries end', async () => {
      mock.reset({ world: { repeat, network: 'lost-answer' } });
      const attempt = attemptToPay();
      const states: string[] = [];
      for (let submit = 0; submit < 20; submit++)
        states.push((await startPayment(clientOf(), attempt)).state);

      expect(states[0]).toBe('unknown');
      expect(ends).toContain(states.at(-1));
      expect(states).not.toContain('refused');
      expect(states).not.toContain('new');
      expect(mock.payments.all()).toHaveLength(1);
      expect(mock.journal.all().length).toBeLessThanOrEqual(10);
    });

    test('a lost response that the client retries by itself is not refused either', async () => {
      mock.reset({ world: { repeat, network: 'lost-answer' } });

      expect(ends).toContain((await startPayment(clientOf(1), attemptToPay())).state);
      expect(mock.payments.all()).toHaveLength(1);
    });

    test('a process that died while it sent leaves an attempt that is sent again and never refused', async () => {
      mock.reset({ world: { repeat } });
      await clientOf().initiatePayment(attemptToPay().request); // by the process that died
      const sending = { sends: 1, sentAt: Date.now() - 60_000, progress: { state: 'sending' } } as const;
      const attempt = { ...attemptToPay(), ...sending };

      expect((await startPayment(clientOf(), attempt)).state).toBe('sending');
      Object.assign(attempt, { sentAt: Date.now() - 180_000 });
      expect(ends).toContain((await startPayment(clientOf(), attempt)).state);
      expect(mock.payments.all()).toHaveLength(1);
    });
  },
);

test('a customer who submits twice, one after the other or at once, gets the payment that exists', async () => {
  const attempt = attemptToPay();
  const start = () => startPayment(clientOf(), attempt);
  const atOnce = await Promise.all([start(), start()]);

  expect(atOnce.map(({ state }) => state)).toEqual(['started', 'sending']);
  expect((await start()).state).toBe('started');
  expect(mock.journal.all()).toHaveLength(1);
});

test('an attempt that was never sent is sent again as a first one', async () => {
  const attempt = attemptToPay();
  const client = {
    initiatePayment: () => Promise.reject(sampleError('CONNECTION', { outcome: 'not_sent' })),
  };

  expect(await startPayment(client, attempt)).toMatchObject({ state: 'new', error: { outcome: 'not_sent' } });
  expect(attempt.sends).toBe(0);
});

test('a refusal of the first call ends the attempt', async () => {
  mock.respondWith('initiatePayment', { resultStatus: 'INVALID_REQUEST' });

  expect(await startPayment(clientOf(), attemptToPay())).toMatchObject({
    state: 'refused',
    error: { code: 'INVALID_REQUEST', outcome: 'rejected' },
  });
});

test('a first call that is refused after another process has asked does not end the attempt', async () => {
  const attempt = attemptToPay();
  const errors = [sampleError('INVALID_REQUEST'), sampleError('TIMEOUT')];
  const client = {
    initiatePayment: async (): Promise<never> => {
      const error = errors.shift();
      // The process is suspended for longer than a call takes.
      attempt.sentAt -= 130_000;
      if (errors.length > 0) expect(await startPayment(client, attempt)).toEqual({ state: 'unknown' });
      throw error ?? new Error('a third call');
    },
  };

  expect(await startPayment(client, attempt)).toEqual({ state: 'unknown' });
  expect(attempt.sends).toBe(2);
});
