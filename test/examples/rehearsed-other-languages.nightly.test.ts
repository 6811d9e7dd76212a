import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'vitest';
import { createMockService, DEMO_MERCHANT, type MockOptions } from '../../src/entries/mock.js';
import { freePort } from '../helpers/free-port.js';
import { rehearseCommand, shopEnvironment } from '../workbench/rehearsal/rehearse-command.js';
import { fewScenarios } from './few-scenarios.js';
import { python, runProgram, startProgram } from './programs.js';

const folder = 'examples/other-languages';

interface Commands {
  readonly serve: (port: number) => readonly string[];
  readonly run: (command: string) => readonly string[];
}

const shops: Readonly<Record<string, Commands>> = {
  Flask: {
    serve: (port) => [python, '-m', 'flask', '--app', `${folder}/shop`, 'run', '--port', String(port)],
    run: (command) => [python, '-m', 'flask', '--app', `${folder}/shop`, command],
  },
  PHP: {
    // This is PHP without a php.ini, which displays its errors.
    serve: (port) => ['php', '-d', 'display_errors=1', '-S', `127.0.0.1:${port}`, `${folder}/shop.php`],
    run: (command) => ['php', `${folder}/shop.php`, command],
  },
};

/** A shop with its own database. The processes that it has started end with the test. */
async function startShop(
  { expect, onTestFinished }: TestContext,
  { serve, run }: Commands,
  mockPort: number,
) {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'shop-'));
  const env = {
    ...shopEnvironment(mockPort, port),
    SHOP_DATABASE: join(directory, 'shop.db'),
    PHP_CLI_SERVER_WORKERS: '8',
  };
  const url = `http://127.0.0.1:${port}`;
  const ends: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const end of ends) await end();
    await rm(directory, { recursive: true });
  });
  const start = async () => {
    ends.push(await startProgram(serve(port), env, port));
  };
  await start();
  return {
    url,
    env,
    work: async () => {
      ends.push(await startProgram(run('work'), env));
    },
    restart: async () => {
      for (const end of ends.splice(0)) await end();
      await start();
    },
    /** Lets time pass, by moving all times in the database back. */
    age: async (seconds: number) => {
      const unit = run('work')[0] === 'php' ? 1000 : 1;
      const change = `UPDATE payments SET created_at = created_at - ${seconds * unit}, next_at = next_at - ${seconds * unit}`;
      const code = `import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as database: database.execute(sys.argv[2])`;
      const { output } = await runProgram([python, '-c', code, env.SHOP_DATABASE, change]);
      expect(output).toBe('');
    },
    review: async () => (await runProgram(run('review'), env)).output,
    /** The address to which the checkout leads. */
    checkOut: async (order: string) => {
      const init = { method: 'POST', redirect: 'manual' } as const;
      return (await fetch(`${url}/checkout?order=${order}`, init)).headers.get('location') ?? '';
    },
    page: async (reference: string) => (await fetch(`${url}/orders/${reference}`)).text(),
    notify: async (body: string, signature?: string) => {
      const signed = createHmac('sha256', 'demo-secret').update(body).digest('hex');
      const headers = { signature: signature ?? signed };
      return (await fetch(`${url}/webhooks/installments`, { method: 'POST', body, headers })).status;
    },
  };
}

/** The service, at a port that is fixed before it starts. */
async function startService({ onTestFinished }: TestContext, port: number, options: MockOptions = {}) {
  const mock = createMockService(options);
  const server = await mock.listen({ port });
  onTestFinished(() => server.close());
  return mock;
}

function eventFor(referenceId: string, changes: object = {}): string {
  const amount = { value: 12_000_000, currency: 'VND' };
  return JSON.stringify({
    ...{ referenceId, status: 'paid', merchantId: DEMO_MERCHANT.merchantId, amount },
    ...changes,
  });
}

// The tests wait most of the time, so all of them run in parallel.
describe.concurrent.each(Object.entries(shops))(
  'the shop with %s',
  { timeout: 600_000 },
  (_name, commands) => {
    it('has no finding in a rehearsal', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      const shop = await startShop(context, commands, mockPort);
      await shop.work();
      const { code, report, output } = await rehearseCommand(
        [
          // The shop's job runs each second, and later on a machine that runs all these tests in parallel.
          ...['--port', String(mockPort), '--customer', 'pays', '--settle-ms', '8000', ...fewScenarios],
          ...['--checkout', `POST ${shop.url}/checkout?order={order}`],
          ...['--webhook', `${shop.url}/webhooks/installments`, '--order-url', `${shop.url}/orders/{ref}`],
        ],
        shop.env,
      );

      expect(report.findings, output).toEqual([]);
      const unjudged = report.scenarios.filter(({ notJudged }) => notJudged !== undefined);
      // These scenarios need a command that restarts the shop (see test/slow/rehearsal), and a refused request.
      const wanting = ['restarted', 'refusals-by-kind'];
      expect(unjudged.filter(({ name }) => !wanting.includes(name))).toEqual([]);
      expect(code, output).toBe(0);
    });

    it.for([undefined, ''])(
      'does not start with the secret key %j, which is public',
      async (secret, { expect }) => {
        const { code, output } = await runProgram(commands.run('review'), { INSTALLMENT_SECRET_KEY: secret });

        expect(code).not.toBe(0);
        expect(output).toContain('INSTALLMENT_SECRET_KEY is not set');
      },
    );

    it('returns the same link for each click, also after it was killed', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      const mock = await startService(context, mockPort);
      const shop = await startShop(context, commands, mockPort);
      const links = await Promise.all([1, 2, 3].map(() => shop.checkOut('A')));
      await shop.restart();
      links.push(await shop.checkOut('A'));

      expect(new Set(links)).toEqual(new Set([mock.payments.get('A-1')?.paymentUrl]));
      expect(mock.payments.all()).toHaveLength(1);
    });

    it('sends the stored bytes again, with the same key, once the service is back', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      const shop = await startShop(context, commands, mockPort);
      expect(await shop.checkOut('A')).toBe('/orders/A-1');

      const mock = await startService(context, mockPort);
      mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
      await shop.work();
      await expect.poll(() => shop.checkOut('A'), { timeout: 30_000 }).toMatch(/^http/);
      const sent = mock.journal.all();
      expect(sent.length).toBeGreaterThan(1);
      expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
      expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    });

    it('uses a new reference after a refusal, but not after a refusal that followed a lost response', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      const mock = await startService(context, mockPort);
      const shop = await startShop(context, commands, mockPort);
      const refusal = { resultStatus: 'INVALID_AMOUNT' } as const;
      mock.respondWith('initiatePayment', refusal, { referenceId: 'A-1' });
      expect(await shop.checkOut('A')).toBe('/orders/A-1');
      expect(await shop.checkOut('A')).toBe(mock.payments.get('A-2')?.paymentUrl);

      mock.injectFault('initiatePayment', 'connection-reset', { phase: 'before', referenceId: 'B-1' });
      mock.respondWith('initiatePayment', refusal, { referenceId: 'B-1' });
      expect(await shop.checkOut('B')).toBe('/orders/B-1');
      expect(await shop.checkOut('B')).toBe('/orders/B-1');
      expect(mock.journal.all().filter(({ referenceId }) => referenceId === 'B-2')).toEqual([]);
      expect(await shop.review()).toMatch(/B-1.*look_up/);
    });

    it('repeats the request of a killed process, and does not treat a refusal as final then', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      const mock = await startService(context, mockPort);
      const shop = await startShop(context, commands, mockPort);
      mock.injectFault('initiatePayment', 'hang', { phase: 'before' });
      mock.respondWith('initiatePayment', { resultStatus: 'INVALID_AMOUNT' });
      const cut = shop.checkOut('A').catch(() => 'cut');
      await mock.journal.waitFor({ referenceId: 'A-1' }, { timeoutMs: 10_000 });
      await shop.restart();
      expect(await cut).toBe('cut');
      expect(await shop.checkOut('A')).toBe('/orders/A-1');
      expect(mock.journal.all()).toHaveLength(1);

      await shop.age(121);
      expect(await shop.checkOut('A')).toBe('/orders/A-1');
      const [first, second] = mock.journal.all();
      expect(second?.body).toBe(first?.body);
      expect(await shop.review()).toMatch(/A-1.*look_up/);
    });

    it('sends nothing once the time to pay is over, and begins another payment only if no payment can be paid', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      const shop = await startShop(context, commands, mockPort);
      await shop.checkOut('NEVER-SENT');
      const mock = await startService(context, mockPort);
      await shop.checkOut('STARTED');
      mock.injectFault('initiatePayment', 'empty-response', { times: 9, referenceId: 'OPEN-1' });
      await shop.checkOut('OPEN');
      const sent = mock.journal.all().length;
      await shop.age(16 * 60);
      await shop.work();
      await expect.poll(() => shop.review(), { timeout: 10_000 }).toMatch(/OPEN-1.*look_up/);
      expect(await shop.checkOut('OPEN')).toBe('/orders/OPEN-1');
      expect(await shop.checkOut('STARTED')).toBe(mock.payments.get('STARTED-1')?.paymentUrl);
      expect(mock.journal.all()).toHaveLength(sent);
      expect(await shop.checkOut('NEVER-SENT')).toBe(mock.payments.get('NEVER-SENT-2')?.paymentUrl);

      await shop.age(25 * 60);
      await expect.poll(() => shop.review(), { timeout: 10_000 }).toMatch(/STARTED-1.*overdue/);
      expect(await shop.checkOut('STARTED')).toBe(mock.payments.get('STARTED-2')?.paymentUrl);
      expect(await shop.checkOut('OPEN')).toBe('/orders/OPEN-1');
    });

    it.for([
      ['a redirect', { httpStatus: 307, body: '{}' }],
      ['an undocumented word', { httpStatus: 400, body: { resultStatus: 'REFUND_PENDING' } }],
      [
        'a payment of another reference',
        { body: { resultStatus: 'APPROVED', referenceId: 'Z', paymentUrl: 'https://p' } },
      ],
      ['a link that is not text', { body: { resultStatus: 'APPROVED', paymentUrl: { href: 'https://p' } } }],
      ['a duplicate', { resultStatus: 'DUPLICATE_REFERENCE_ID' }],
      ['a refusal in an envelope', { httpStatus: 429, body: { data: { resultStatus: 'APPROVED' } } }],
    ] as const)('leaves a payment with an unclear outcome to staff: %s', async ([, answer], context) => {
      const { expect } = context;
      const mockPort = await freePort();
      const mock = await startService(context, mockPort);
      const shop = await startShop(context, commands, mockPort);
      mock.respondWith('initiatePayment', answer, { times: 9 });

      expect(await shop.checkOut('A')).toBe('/orders/A-1');
      expect(await shop.checkOut('A')).toBe('/orders/A-1');
      expect(mock.journal.all()).toHaveLength(1);
      expect(await shop.review()).toMatch(/A-1.*look_up/);
    });

    it('responds with 401 to an invalid signature, and with 500 to an unknown webhook', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      await startService(context, mockPort);
      const shop = await startShop(context, commands, mockPort);
      await shop.checkOut('A');
      for (const signature of ['', '0', 'é'.repeat(64), 'Ã©'.repeat(32)])
        expect([signature, await shop.notify(eventFor('A-1'), signature)]).toEqual([signature, 401]);
      for (const body of [
        eventFor('Z-1'),
        '[]',
        'null',
        '{}',
        'paid',
        '',
        eventFor('A-1', { amount: undefined }),
      ])
        expect([body, await shop.notify(body)]).toEqual([body, 500]);

      expect(await shop.page('A-1')).not.toMatch(/\bpaid\b/);
    });

    it('does not count a webhook with a different amount, currency or merchant, and keeps it for staff', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      await startService(context, mockPort);
      const shop = await startShop(context, commands, mockPort);
      await shop.checkOut('A');
      for (const changes of [
        { amount: { value: 1000, currency: 'VND' } },
        { amount: { value: 12_000_000, currency: 'USD' } },
        { amount: { value: true, currency: 'VND' } },
        { merchantId: 'ANOTHER' },
      ]) {
        expect(await shop.notify(eventFor('A-1', changes))).toBe(204);
        expect(await shop.page('A-1')).not.toMatch(/\bpaid\b/);
      }
      expect(await shop.review()).toMatch(/A-1.*ANOTHER/);
      expect(await shop.notify(eventFor('A-1').replace('12000000', '12000000.0'))).toBe(204);
      expect(await shop.page('A-1')).toMatch(/\bpaid\b/);
    });

    it('uploads one invoice for an order that is paid twice, lists the other payment, and does not repeat a lost upload', async (context) => {
      const { expect } = context;
      const mockPort = await freePort();
      const mock = await startService(context, mockPort);
      const shop = await startShop(context, commands, mockPort);
      await shop.checkOut('A');
      await shop.notify(eventFor('A-1', { status: 'declined' }));
      await shop.checkOut('A');
      for (const reference of ['A-1', 'A-2']) {
        mock.settle(reference, 'paid');
        expect(await shop.notify(eventFor(reference))).toBe(204);
        expect(await shop.notify(eventFor(reference))).toBe(204);
      }
      await shop.checkOut('B');
      mock.settle('B-1', 'paid');
      mock.injectFault('uploadInvoice', 'connection-reset', { phase: 'after', referenceId: 'B-1' });
      await shop.notify(eventFor('B-1'));
      await shop.work();
      await expect.poll(() => mock.invoices.all().length, { timeout: 30_000 }).toBe(2);
      await expect.poll(() => shop.review(), { timeout: 10_000 }).toMatch(/B-1.*look_up/);

      const uploads = mock.journal.all().filter(({ operation }) => operation === 'uploadInvoice');
      expect(uploads.map(({ referenceId }) => referenceId).sort()).toEqual(['A-1', 'B-1']);
      expect(await shop.review()).toMatch(/A-2.*paid/);
    });
  },
);
