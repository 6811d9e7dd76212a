import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { evaluate, root, run, toolbox } from './support.js';

const folder = join(inject('packed').consumer, 'nestjs');

// As `nest new` sets a project up: CommonJS, decorators with their metadata.
const compilerOptions = {
  target: 'ES2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  outDir: 'dist',
};

beforeAll(async () => {
  await cp(join(root, 'examples/nestjs'), folder, { recursive: true });
  await cp(join(root, 'examples/order.json'), join(folder, 'order.json'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
});

test('the NestJS example compiles to CommonJS and takes a payment', async () => {
  const compiler = join(toolbox, 'node_modules/typescript-5.9/bin/tsc');
  const { code, output } = await run(process.execPath, [compiler, '-p', folder], folder);
  expect(output).toBe('');
  expect(code).toBe(0);

  const shop = `
    require('reflect-metadata');
    const { NestFactory } = require('@nestjs/core');
    const { createMockService, DEMO_MERCHANT } = require('installment-payments/mock');
    const { PaymentsModule } = require('./dist/payments.module.js');
    const { CheckoutService } = require('./dist/checkout.service.js');
    const order = require('./order.json');

    const { clientId, secretKey, merchantId, storeIds: [storeId] } = DEMO_MERCHANT;
    const options = { baseUrl: 'https://pay.example', clientId, secretKey, merchantId, storeId, platformId: 'WEBSHOP' };
    const statusOf = (promise) => promise.then(() => 200, (error) => error.getStatus());
    (async () => {
      const { fetch } = createMockService();
      const app = await NestFactory.createApplicationContext(PaymentsModule.register({ ...options, fetch }), { logger: false });
      const checkout = app.get(CheckoutService);
      const url = await checkout.checkout(order);
      const invalid = await statusOf(checkout.checkout({ ...order, items: [] }));
      const taken = await statusOf(checkout.checkout({ ...order, description: 'another' }));
      console.log(JSON.stringify([url, invalid, taken]));
      await app.close();
    })();`;
  expect(await evaluate(shop, 'commonjs', folder)).toEqual([expect.stringContaining('/pay/'), 400, 409]);
});
