import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { newAttempt, startPayment, type Attempt } from '../../examples/start-payment.js';
import { InstallmentClient, type PaymentRequest } from '../../src/index.js';
import { DEMO_MERCHANT, sampleError, samplePaymentRequest } from '../../src/mock/index.js';

/** How a service answers a request whose reference it knows. */
const repeats = {
  replay: (reference: string) => approval(reference),
  duplicate: () => ({ resultStatus: 'DUPLICATE_REFERENCE_ID' }),
  invalid: () => ({ resultStatus: 'INVALID_REQUEST' }),
  limit: () => ({ resultStatus: 'AMOUNT_EXCEEDED_UPPER_LIMIT' }),
  conflict: () => ({ httpStatus: 409, error: 'conflict' }),
  throttled: () => ({ httpStatus: 429, error: 'slow down' }),
  processing: () => ({ resultStatus: 'REQUEST_PROCESSING' }),
} satisfies Record<string, (reference: string) => object>;

function approval(referenceId: string): object {
  const { merchantId } = DEMO_MERCHANT;
  return { merchantId, referenceId, resultStatus: 'APPROVED', paymentUrl: 'https://pay.example/1' };
}

interface Service extends AsyncDisposable {
  readonly url: string;
  readonly references: Set<string>;
  readonly requests: () => number;
}

/** A service that creates a payment for each new reference; the first answers are lost. */
async function serviceOf(repeat: (reference: string) => object, lostAnswers: number): Promise<Service> {
  const references = new Set<string>();
  let requests = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { referenceId } = JSON.parse(Buffer.concat(chunks).toString()) as PaymentRequest;
    const body = references.has(referenceId) ? repeat(referenceId) : approval(referenceId);
    references.add(referenceId);
    if (requests++ < lostAnswers) return request.socket.destroy();
    const { httpStatus = 200, ...rest }: { httpStatus?: number } = body;
    return response.writeHead(httpStatus).end(JSON.stringify(rest));
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    references,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function clientOf({ url }: Service, maxRetries = 0): InstallmentClient {
  const { clientId, secretKey } = DEMO_MERCHANT;
  return new InstallmentClient({ baseUrl: url, clientId, secretKey, maxRetries });
}

const attemptToPay = (): Attempt =>
  newAttempt(
    samplePaymentRequest({
      referenceId: 'ORDER-1-1',
      merchantId: DEMO_MERCHANT.merchantId,
      storeId: 'STORE-01',
      platformId: 'WEBSHOP',
    }),
  );

describe.each(Object.entries(repeats))('where a repeated request is answered with %s', (name, repeat) => {
  const isReplayed = name === 'replay';

  test('a lost answer never ends as refused, and repeats end', async () => {
    await using service = await serviceOf(repeat, 1);
    const client = clientOf(service);
    const attempt = attemptToPay();
    const states: string[] = [];
    for (let submit = 0; submit < 20; submit++) states.push((await startPayment(client, attempt)).state);

    expect(states[0]).toBe('unknown');
    expect(states).not.toContain('refused');
    expect(states).not.toContain('new');
    expect(isReplayed).toBe(states.includes('started'));
    expect(service.references).toEqual(new Set(['ORDER-1-1']));
    expect(service.requests()).toBeLessThanOrEqual(10);
  });

  test('a lost answer that the client repeats by itself is not refused either', async () => {
    await using service = await serviceOf(repeat, 1);
    const { state } = await startPayment(clientOf(service, 1), attemptToPay());

    expect(isReplayed ? ['started'] : ['unknown', 'look up']).toContain(state);
    expect(service.references.size).toBe(1);
  });

  test('a customer who submits twice, one after the other or at once, gets the payment that exists', async () => {
    await using service = await serviceOf(repeat, 0);
    const client = clientOf(service);
    const attempt = attemptToPay();
    const atOnce = await Promise.all([startPayment(client, attempt), startPayment(client, attempt)]);
    const later = await startPayment(client, attempt);

    expect(atOnce.map(({ state }) => state)).toEqual(['started', 'sending']);
    expect(later).toEqual({ state: 'started', paymentUrl: 'https://pay.example/1' });
    expect(service.requests()).toBe(1);
  });

  test('a process that died while it sent leaves an attempt that is sent again and never refused', async () => {
    await using service = await serviceOf(repeat, 0);
    await clientOf(service).initiatePayment(attemptToPay().request); // by the process that died
    const attempt: Attempt = {
      ...attemptToPay(),
      sends: 1,
      sentAt: Date.now() - 60_000,
      progress: { state: 'sending' },
    };
    const client = clientOf(service);

    expect((await startPayment(client, attempt)).state).toBe('sending');
    attempt.sentAt -= 120_000;
    const { state } = await startPayment(client, attempt);
    expect(isReplayed ? ['started'] : ['unknown', 'look up']).toContain(state);
    expect(service.references.size).toBe(1);
  });
});

test('an attempt that was never sent is sent again as a first one', async () => {
  const service = await serviceOf(repeats.duplicate, 0);
  const client = clientOf(service);
  await service[Symbol.asyncDispose]();
  const attempt = attemptToPay();

  expect(await startPayment(client, attempt)).toMatchObject({ state: 'new', error: { outcome: 'not_sent' } });
  expect(attempt.sends).toBe(0);
});

test('a refusal of the first call ends the attempt', async () => {
  await using service = await serviceOf(repeats.invalid, 0);
  service.references.add('ORDER-1-1');
  const progress = await startPayment(clientOf(service), attemptToPay());

  expect(progress).toMatchObject({
    state: 'refused',
    error: { code: 'INVALID_REQUEST', outcome: 'rejected' },
  });
});

test('a first call that is refused after another process has asked does not end the attempt', async () => {
  const attempt = attemptToPay();
  const errors = [
    sampleError('INVALID_REQUEST'),
    sampleError('TIMEOUT', { outcome: 'unknown', retryable: true }),
  ];
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
