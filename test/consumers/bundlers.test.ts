import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { succeed, toolbox } from '../package/support.js';

const { consumer } = inject('packed');
const bundlers = join(toolbox, 'node_modules');
const tool = (path: string) => [process.execPath, join(bundlers, path)] as const;

// A merchant's Lambda function: a payment, an invoice and the verification of a webhook.
const backend = `
import { createHmac } from 'node:crypto';
import { InstallmentClient, isInstallmentError } from 'installment-payments';
import { verifyWebhook } from 'installment-payments/webhooks';

const [, , baseUrl, order] = process.argv;
const client = new InstallmentClient({ baseUrl, clientId: 'demo-client', secretKey: 'demo-secret', merchantId: 'DEMO-MERCHANT', storeId: 'STORE-01', platformId: 'SHOP' });

async function main() {
  const payment = await client.initiatePayment(JSON.parse(order));
  await fetch(baseUrl + '/_mock/settle', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ referenceId: payment.referenceId, status: 'paid' }),
  });
  const invoice = await client.uploadInvoice({ referenceId: payment.referenceId, file: Buffer.from('%PDF-1.7 invoice'), extraData: { till: 4 } });
  const body = JSON.stringify({ paid: true });
  const event = verifyWebhook({ body, signature: createHmac('sha256', 's').update(body).digest('hex') }, { secretKey: 's' });
  const refusal = await client.initiatePayment({}).catch((error) => error);
  console.log(JSON.stringify([payment.resultStatus, typeof invoice.invoiceId, event, isInstallmentError(refusal) && refusal.code]));
}
main();
`;

interface Recipe {
  readonly name: string;
  /** The path of the bundle that its build writes. */
  readonly output: string;
  /** The build command of a merchant. */
  readonly command: readonly [string, ...string[]];
  /** Configuration files, if the bundler requires them. */
  readonly files?: Readonly<Record<string, string>>;
}

const recipes: readonly Recipe[] = [
  {
    name: 'esbuild to ESM',
    output: 'out.mjs',
    command: [
      join(bundlers, 'esbuild/bin/esbuild'),
      'backend.mjs',
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--outfile=out.mjs',
    ],
  },
  {
    name: 'esbuild to CommonJS',
    output: 'out.cjs',
    command: [
      join(bundlers, 'esbuild/bin/esbuild'),
      'backend.mjs',
      '--bundle',
      '--platform=node',
      '--outfile=out.cjs',
    ],
  },
  {
    name: 'webpack',
    output: 'out.cjs',
    command: [process.execPath, 'webpack.mjs'],
    files: {
      // The configuration for webpack-cli.
      'webpack.mjs': `
        import { createRequire } from 'node:module';
        const webpack = createRequire('${bundlers}/')('webpack');
        webpack({ mode: 'production', target: 'node20', entry: './backend.mjs', output: { path: process.cwd(), filename: 'out.cjs' } }, (error, stats) => {
          if (!error && !stats.hasErrors() && !stats.hasWarnings()) return;
          console.error(error ?? stats.toString());
          process.exitCode = 1;
        });`,
    },
  },
  {
    name: 'rollup',
    output: 'out/backend.mjs',
    command: [...tool('rollup/dist/bin/rollup'), '--config', 'rollup.config.mjs', '--failAfterWarnings'],
    files: {
      'rollup.config.mjs': `
        import { createRequire } from 'node:module';
        const { nodeResolve } = createRequire('${bundlers}/')('@rollup/plugin-node-resolve');
        export default {
          input: 'backend.mjs',
          output: { dir: 'out', format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
          plugins: [nodeResolve({ preferBuiltins: true })],
        };`,
    },
  },
  {
    name: 'ncc',
    output: 'out/index.mjs',
    command: [...tool('@vercel/ncc/dist/ncc/cli.js'), 'build', 'backend.mjs', '--out', 'out'],
  },
  {
    name: 'bun build',
    output: 'out.mjs',
    command: [
      join(
        bundlers,
        `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}/bin/bun`,
      ),
      'build',
      'backend.mjs',
      '--target=node',
      '--outfile=out.mjs',
    ],
  },
];

const mock = createMockService();
let server: Awaited<ReturnType<typeof mock.listen>>;
let elsewhere: string;
beforeAll(async () => {
  server = await mock.listen();
  // There is no node_modules above this folder, so everything that the bundle has left out is missing here.
  elsewhere = await mkdtemp(join(tmpdir(), 'bundle-'));
  return async () => {
    await server.close();
    await rm(elsewhere, { recursive: true });
  };
});

describe('a backend that is bundled without any configuration for this package pays, uploads and verifies, with', () => {
  test.each(recipes)('$name', async ({ name, output, command: [program, ...args], files = {} }) => {
    const folder = join(consumer, name.replaceAll(' ', '-'));
    await mkdir(folder);
    for (const [file, text] of Object.entries({ 'backend.mjs': backend, ...files }))
      await writeFile(join(folder, file), text);

    await succeed(program, args, folder);
    const lambda = join(elsewhere, name.replaceAll(' ', '-'));
    await cp(dirname(join(folder, output)), lambda, {
      recursive: true,
      filter: (path) => !path.endsWith('backend.mjs') || path.includes('/out'),
    });
    const order = samplePaymentRequest({ referenceId: name.replaceAll(' ', '-') });
    const printed = await succeed(
      process.execPath,
      [basename(output), server.url, JSON.stringify(order)],
      lambda,
    );

    expect(JSON.parse(printed)).toEqual(['APPROVED', 'string', { paid: true }, 'VALIDATION']);
  });
});
