import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { evaluate, root, run, toolbox } from '../package/support.js';

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

test('the NestJS example compiles to CommonJS and takes a payment, with options that are given and that a factory makes', async () => {
  const compiler = join(toolbox, 'node_modules/typescript-5.9/bin/tsc');
  const { code, output } = await run(process.execPath, [compiler, '-p', folder], folder);
  expect(output).toBe('');
  expect(code).toBe(0);

  const shop = `
    require('reflect-metadata');
    const { NestFactory } = require('@nestjs/core');
    const { createMockService } = require('installment-payments/mock');
    const { PaymentsModule } = require('./dist/payments.module.js');
    const { CheckoutService } = require('./dist/checkout.service.js');
    const order = require('./order.json');

    const statusOf = (promise) => promise.then(() => 200, (error) => error.getStatus());
    const outcomes = async (payments) => {
      const app = await NestFactory.createApplicationContext(payments, { logger: false });
      const checkout = app.get(CheckoutService);
      const url = await checkout.checkout(order, false);
      const invalid = await statusOf(checkout.checkout({ ...order, items: [] }, false));
      const taken = await statusOf(checkout.checkout({ ...order, description: 'another' }, true));
      // The order may have been sent before, whatever is wrong with this call's input.
      const repeated = await statusOf(checkout.checkout({ ...order, items: [] }, true));
      await app.close();
      return [url, invalid, taken, repeated];
    };
    (async () => {
      const useFactory = async () => createMockService().clientOptions();
      const registered = await outcomes(PaymentsModule.register(await useFactory()));
      const asynchronously = await outcomes(PaymentsModule.registerAsync({ useFactory }));
      console.log(JSON.stringify([registered, asynchronously]));
    })();`;
  const answers: unknown[] = [expect.stringContaining('/pay/'), 400, 409, 409];
  expect(await evaluate(shop, 'commonjs', folder)).toEqual([answers, answers]);
});
