import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createOrderPayments, OrderError, type Query } from '../../src/entries/orders.js';
import { createWebhookHandler, signWebhook } from '../../src/entries/webhooks.js';
import { conflicts, errorNamed, mysql, pg, secret } from './driver-errors.js';
import { eventOf, shop } from './support.js';

function paymentsWith(query: Query) {
  return createOrderPayments({ client: shop().client, dialect: 'postgres', query, onPaid: 'firstPaid' });
}

const rejecting =
  (error: Error): Query =>
  () =>
    Promise.reject(error);

/** Everything that an inspection, a log or JSON shows. */
function shown(error: unknown): string {
  const { cause, message, stack } = error as Error;
  const outer = new Error('the shop wraps it', { cause: error });
  return [
    inspect(error, { depth: Infinity, showHidden: true, getters: true }),
    inspect(outer, { depth: Infinity, showHidden: true }),
    JSON.stringify(error),
    JSON.stringify(Object.getOwnPropertyDescriptors(error)),
    String(cause),
    message,
    stack,
  ].join('\n');
}

afterEach(() => vi.restoreAllMocks());

describe('an error of the database', () => {
  test.each(Object.entries(conflicts))(
    'of %s contains its codes and no value of a statement, also in a log',
    async (_name, [driverError, driver]) => {
      const payments = paymentsWith(rejecting(driverError));
      const error = await payments.get('A-1').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OrderError);
      expect(error).toMatchObject({ name: 'OrderError', code: 'STORAGE', driver });
      expect(shown(error)).not.toContain('0912345678');
      expect((error as OrderError).driverError()).toBe(driverError);
    },
  );

  test.each(Object.entries(conflicts))(
    'of %s in a transaction of the caller says to run the transaction again',
    async (_name, [driverError, driver]) => {
      const query = rejecting(driverError);
      const error = await paymentsWith(query)
        .handleEvent(eventOf('A-1-1'), { query })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'CONFLICT', driver });
      expect((error as Error).message).toContain('roll your transaction back and run it again');
      expect(shown(error)).not.toContain('0912345678');
    },
  );

  test.each([
    ['a constraint', pg('23505')],
    ['a lost connection', errorNamed('Error', secret, { code: 'ECONNRESET', errno: -104, syscall: 'read' })],
    ['Prisma without a conflict', errorNamed('PrismaClientKnownRequestError', secret, { code: 'P2010' })],
    ['an error of the application', errorNamed('TRPCError', secret, { code: 'CONFLICT' })],
    ['something that is not an error', secret as never],
  ])('that would occur again is not reported as a conflict: %s', async (_name, driverError) => {
    const query = rejecting(driverError);
    const error = await paymentsWith(query)
      .handleEvent(eventOf('A-1-1'), { query })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'STORAGE' });
    expect(shown(error)).not.toContain('0912345678');
  });

  test.each([
    ['PostgreSQL, after a statement that failed', pg('25P02')],
    ['Prisma', errorNamed('PrismaClientKnownRequestError', secret, { code: 'P2028' })],
    ['TypeORM', errorNamed('QueryRunnerAlreadyReleasedError', secret)],
    ['Knex', new Error('Transaction query already complete, run with DEBUG=knex:tx for more info')],
  ])('in a transaction that is over says that the transaction is over: %s', async (_name, driverError) => {
    const query = rejecting(driverError);
    const error = await paymentsWith(query)
      .handleEvent(eventOf('A-1-1'), { query })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'STORAGE' });
    expect((error as Error).message).toMatch(
      /^your transaction is over: .* Await each call inside the transaction/,
    );
  });

  test('does not contain a code of an unusual form, because it might be data', async () => {
    const odd = { code: '0912345678', errno: 912_345_678, sqlState: 'Lan 0', name: 'Lan' };
    const error = await paymentsWith(rejecting(Object.assign(new Error(secret), odd)))
      .get('A-1')
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ driver: { name: 'Error' } });
    expect(shown(error)).not.toContain('912345678');
    expect(shown(error)).not.toContain('Lan');
  });

  test('is printed by the webhook handler without a value of the statement', async () => {
    const written: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((...values: unknown[]) => {
      written.push(...values.map((value) => inspect(value, { depth: Infinity })));
    });
    const payments = paymentsWith(rejecting(mysql(1205, 'ER_LOCK_WAIT_TIMEOUT', 'HY000')));
    const secretKey = 'test-secret-key';
    const webhook = createWebhookHandler({
      secretKey,
      onEvent: async () => {
        await payments.handleEvent(eventOf('A-1-1'));
      },
    });
    const body = JSON.stringify(eventOf('A-1-1'));
    const headers = { signature: signWebhook(body, secretKey) };
    const response = await webhook.fetch(
      new Request('https://shop.example/webhook', { method: 'POST', body, headers }),
    );
    expect(response.status).toBe(500);
    expect(written.join()).toContain('ER_LOCK_WAIT_TIMEOUT');
    expect(written.join()).not.toContain('0912345678');
  });
});
