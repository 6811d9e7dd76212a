import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { evaluate, root, run, succeed } from './support.js';

const { consumer } = inject('packed');

const entries = {
  'installment-payments': 'InstallmentClient',

  'installment-payments/lender': 'LenderClient',
  'installment-payments/mock': 'createMockService',
  'installment-payments/mock/msw': 'mswHandlers',
  'installment-payments/mock/remote': 'connectMock',
  'installment-payments/opentelemetry': 'instrument',
  'installment-payments/orders': 'createOrderPayments',
  'installment-payments/webhooks': 'createWebhookHandler',
};

describe('every entry', () => {
  // Each entry is loaded in its own process, so that modules of another entry cannot hide a problem.
  test.each(Object.entries(entries))(
    '%s can be imported and required, with the same names',
    async (entry, name) => {
      const code = `
        import { createRequire } from 'node:module';
        import * as imported from '${entry}';
        const required = createRequire(process.cwd() + '/here')('${entry}');
        const names = [imported, required].map((all) => Object.keys(all).sort().join());
        console.log(JSON.stringify([typeof imported.${name}, typeof required.${name}, 'default' in imported, names[0] === names[1]]));`;

      expect(await evaluate(code, 'module', consumer)).toEqual(['function', 'function', false, true]);
    },
  );

  test.each(['dist/index.js', 'dist/cli.js', 'src/index.ts', 'index'])('%s is not an entry', async (path) => {
    const code = `
      const problem = await import('installment-payments/${path}').catch((error) => error.code);
      console.log(JSON.stringify(problem));`;

    expect(await evaluate(code, 'module', consumer)).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('the classes and guards', () => {
  // Each entry in both formats, and the errors that they create.
  const load = `
    import { createRequire } from 'node:module';
    const require = createRequire(process.cwd() + '/here');
    const names = ['installment-payments', 'installment-payments/lender', 'installment-payments/mock'];
    const esm = await Promise.all(names.map((name) => import(name)));
    const cjs = names.map((name) => require(name));
    const errorOf = (make) => { try { make(); } catch (error) { return error; } };
    const errorsOf = ([main, lender, mock]) => [
      errorOf(() => new main.InstallmentClient({ baseUrl: 'nowhere' })),
      errorOf(() => new lender.LenderClient({ baseUrl: 'nowhere' })),
      errorOf(() => mock.createMockService({ journalLimit: -1 })),
    ];`;

  test('are the same within a format, whichever entry exports them', async () => {
    const code = `${load}
      const isOne = (all, [main, lender, mock]) => [
        all[0].ConfigurationError === all[1].ConfigurationError,
        main.constructor === all[0].ConfigurationError,
        lender.constructor === all[0].ConfigurationError,
        mock.constructor === all[0].ConfigurationError,
      ];
      console.log(JSON.stringify([...isOne(esm, errorsOf(esm)), ...isOne(cjs, errorsOf(cjs))]));`;

    expect(await evaluate(code, 'module', consumer)).toEqual(Array.from({ length: 8 }, () => true));
  });

  test('of the mock recognise the errors of its other format and of its remote control', async () => {
    const code = `${load}
      const { connectMock } = await import('installment-payments/mock/remote');
      const server = await esm[2].createMockService().listen();
      const remote = await connectMock(server.url).settle('NO-ORDER', 'paid').catch((error) => error);
      await server.close();
      const errors = [esm, cjs].map(([, , mock]) => errorOf(() => mock.createMockService().settle('NO-ORDER', 'paid')));
      console.log(JSON.stringify([esm, cjs].map(([, , { MockUsageError }]) =>
        [...errors, remote, new Error('other')].map((error) => error instanceof MockUsageError))));`;

    const known = [true, true, true, false];
    expect(await evaluate(code, 'module', consumer)).toEqual([known, known]);
  });

  test('recognise each other across formats', async () => {
    const code = `${load}
      const errors = [...errorsOf(esm), ...errorsOf(cjs)];
      const judges = [esm[0], esm[1], cjs[0], cjs[1]];
      console.log(JSON.stringify(judges.flatMap((judge) => errors.map((error) =>
        judge.isInstallmentError(error) &&
        error instanceof judge.InstallmentError &&
        error instanceof judge.ConfigurationError &&
        !(error instanceof judge.ValidationError)))));`;

    expect(await evaluate(code, 'module', consumer)).toEqual(Array.from({ length: 24 }, () => true));
  });
});

describe('the schemas', () => {
  test.each(['import * as z from "zod"; import * as ours from "installment-payments";', 'require'])(
    'compose with the zod of the merchant (%s)',
    async (loading) => {
      const isModule = loading !== 'require';
      const code = `
        ${isModule ? loading : 'const z = require("zod"); const ours = require("installment-payments");'}
        const checkout = z.object({ cart: z.string(), payment: ours.paymentRequestSchema });
        const failure = checkout.safeParse({ cart: 'c', payment: { items: [] } });
        const uploads = z.array(z.optional(ours.invoiceUploadSchema)).max(1);
        const upload = { merchantId: 'M', referenceId: 'R', invoiceDate: new Date(0), fileUrl: 'https://shop.example/1.pdf' };
        console.log(JSON.stringify([
          ours.paymentRequestSchema instanceof z.core.$ZodType,
          failure.error instanceof z.ZodError,
          failure.error.issues.every(({ path }) => path[0] === 'payment'),
          failure.error.issues.length > 5,
          z.toJSONSchema(checkout, { io: 'input', unrepresentable: 'any' }).properties.payment.required.includes('items'),
          uploads.parse([upload])[0].invoiceDate,
        ]));`;

      expect(await evaluate(code, isModule ? 'module' : 'commonjs', consumer)).toEqual([
        true,
        true,
        true,
        true,
        true,
        '1970-01-01T00:00:00Z',
      ]);
    },
  );
});

describe('the command line', () => {
  const command = join(consumer, 'node_modules/.bin/installment-payments');

  test('is installed under the name of the package', async () => {
    const version = await succeed(command, ['--version'], consumer);

    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(version).toBe(`${manifest.version}\n`);
  });

  test('describes its commands, and fails for an unknown command', async () => {
    const help = await succeed(command, ['--help'], consumer);
    const mistake = await run(command, ['fly'], consumer);

    expect(help).toContain('Serves the mock of the whole service');
    expect(mistake.code).toBe(1);
  });
});

test.each([
  [
    'the client, as CommonJS',
    "require('installment-payments')",
    "new InstallmentClient({ baseUrl: 'x' })",
    'InstallmentClient',
  ],
  [
    'the mock, as CommonJS',
    "require('installment-payments/mock')",
    "createMockService().settle('NONE', 'paid')",
    'settle',
  ],
  [
    'the mock',
    "await import('installment-payments/mock')",
    "createMockService().settle('NONE', 'paid')",
    'settle',
  ],
])('a stack trace of %s names functions and leads to readable lines', async (_what, load, call, name) => {
  const code = `
    const { InstallmentClient, createMockService } = ${load};
    try { ${call}; } catch (error) { console.log(JSON.stringify(error.stack)); }`;

  const type = load.startsWith('await') ? 'module' : 'commonjs';
  const stack = (await evaluate(code, type, consumer)) as string;

  const [, path = '', line = ''] =
    new RegExp(`${name} \\((?:file://)?(/.*\\.c?js):(\\d+):\\d+\\)`).exec(stack) ?? [];
  expect((await readFile(path, 'utf8')).split('\n')[Number(line) - 1]).toMatch(/^ +\S.{10,120}$/);
});

test('importing the client loads no module for connections', async () => {
  const code = `
    await import('installment-payments');
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => /(?:_http_client|https|tls)$/.test(name))));`;

  expect(await evaluate(code, 'module', consumer)).toEqual([]);
});

test.each(['module', 'commonjs'] as const)('a printed error has the name of its class (%s)', async (type) => {
  const names = ['installment-payments', 'installment-payments/webhooks', 'installment-payments/mock'];
  const load = type === 'module' ? 'await import(name)' : 'require(name)';
  const code = `
    const { inspect } = ${type === 'module' ? "await import('node:util')" : "require('node:util')"};
    const thrown = (work) => { try { work(); } catch (error) { return error; } };
    const run = async () => {
      const all = [];
      for (const name of ${JSON.stringify(names)}) all.push(${load});
      const client = new all[0].InstallmentClient(all[2].createMockService().clientOptions());
      const errors = [
        thrown(() => new all[0].InstallmentClient({ baseUrl: 'nowhere' })),
        await client.initiatePayment({}).catch((error) => error),
        await client.uploadInvoice({ referenceId: 'NONE', file: Buffer.from('%PDF-1.7') }).catch((error) => error),
        thrown(() => all[1].verifyWebhook({ body: '{}' }, { secretKey: 's' })),
        thrown(() => all[2].createMockService().settle('NONE', 'paid')),
      ];
      console.log(JSON.stringify(errors.map((error) => [inspect(error).split(':')[0], error.constructor.name])));
    };
    ${type === 'module' ? 'await run();' : 'run();'}`;

  const expected = [
    'ConfigurationError',
    'ValidationError',
    'InvalidReferenceIdError',
    'WebhookError',
    'MockUsageError',
  ];
  expect(await evaluate(code, type, consumer)).toEqual(expected.map((name) => [name, name]));
});
