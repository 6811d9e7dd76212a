import { cp, lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { evaluate, run } from '../package/support.js';

const { consumer } = inject('packed');

/**
 * Both formats of the package, the real SDK, and a payment with one lost response, under the same names in both kinds
 * of script.
 */
const both = `
  const { createRequire } = process.getBuiltinModule('node:module');
  const require = createRequire(process.cwd() + '/here');
  const names = ['installment-payments', 'installment-payments/mock', 'installment-payments/opentelemetry'];
  const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-node');
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  tracerProvider.register();
  const load = async () => ({ esm: await Promise.all(names.map((name) => import(name))), cjs: names.map((name) => require(name)) });
  async function pay([{ InstallmentClient }, { createMockService, samplePaymentRequest }]) {
    const mock = createMockService();
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    const client = new InstallmentClient({ ...mock.clientOptions(), attemptTimeoutMs: 5000 });
    const { resultStatus } = await client.initiatePayment(samplePaymentRequest());
    return [resultStatus, mock.payments.all().length];
  }
  function traced() {
    const spans = exporter.getFinishedSpans().map(({ name, parentSpanContext }) => [name, parentSpanContext !== undefined]);
    exporter.reset();
    return spans;
  }
`;
const trace = [
  ['POST', true],
  ['POST', true],
  ['installment.initiatePayment', false],
];

describe('OpenTelemetry', () => {
  test.each([
    ['esm', 'esm'],
    ['cjs', 'cjs'],
    ['esm', 'cjs'],
    ['cjs', 'esm'],
  ])('instrumented in %s shows the calls of a client in %s', async (instrumenting, paying) => {
    const code = `${both}
      load().then(async ({ ${instrumenting}: [, , { instrument }], ${paying}: format }) => {
        const undo = instrument();
        await pay(format);
        const shown = traced();
        undo();
        await pay(format);
        console.log(JSON.stringify([shown, traced()]));
      });`;

    expect(await evaluate(code, instrumenting === 'esm' ? 'module' : 'commonjs', consumer)).toEqual([
      trace,
      [],
    ]);
  });

  test('shows each call once if it is instrumented in both formats', async () => {
    const code = `${both}
      load().then(async ({ esm, cjs }) => {
        const first = esm[2].instrument();
        const second = cjs[2].instrument();
        first();
        await pay(esm);
        const shown = traced();
        second();
        await pay(cjs);
        console.log(JSON.stringify([shown, traced()]));
      });`;

    expect(await evaluate(code, 'module', consumer)).toEqual([trace, []]);
  });

  test('reports the error of a subscriber that throws, and a payment is not affected', async () => {
    const code = `${both}
      const reported = [];
      process.on('uncaughtException', ({ message }) => reported.push(message));
      const { subscribe } = process.getBuiltinModule('node:diagnostics_channel');
      for (const name of ['tracing:installment-payments:call:start', 'tracing:installment-payments:call:asyncEnd', 'installment-payments:attempt'])
        subscribe(name, () => { throw new Error(name); });
      load().then(async ({ esm }) => {
        esm[2].instrument();
        const paid = await pay(esm);
        setImmediate(() => console.log(JSON.stringify([paid, traced(), reported])));
      });`;

    expect(await evaluate(code, 'module', consumer)).toEqual([
      ['APPROVED', 1],
      trace,
      [
        'tracing:installment-payments:call:start',
        'installment-payments:attempt',
        'installment-payments:attempt',
        'tracing:installment-payments:call:asyncEnd',
      ],
    ]);
  });
});

describe('the package without its peers', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'without-peers-')));
    // The tests use links for these packages. npm installed the other packages.
    const filter = async (path: string) =>
      !(await lstat(path)).isSymbolicLink() && !path.endsWith('@opentelemetry');
    await cp(join(consumer, 'node_modules'), join(folder, 'node_modules'), { recursive: true, filter });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const rest = ['', '/lender', '/mock', '/mock/remote', '/webhooks'].map(
    (path) => `installment-payments${path}`,
  );
  const load = {
    module: `Promise.all(${JSON.stringify(rest)}.map((name) => import(name)))`,
    commonjs: `Promise.resolve(${JSON.stringify(rest)}.map((name) => require(name)))`,
  };

  test.each(['module', 'commonjs'] as const)(
    'loads every other entry without a warning (%s)',
    async (type) => {
      const code = `${load[type]}.then((all) => console.log(all.length))`;
      const { output } = await run(process.execPath, [`--input-type=${type}`, '--eval', code], folder);

      expect(output).toBe(`${rest.length}\n`);
    },
  );

  test('names the missing package if the OpenTelemetry entry is loaded', async () => {
    const code = `import('installment-payments/opentelemetry').catch(({ message }) => console.log(JSON.stringify(message)))`;

    expect(await evaluate(code, 'module', folder)).toContain("Cannot find package '@opentelemetry/api'");
  });
});
