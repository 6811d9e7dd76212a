import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { evaluate, root, run, toolbox } from '../package/support.js';

const folder = join(inject('packed').consumer, 'nestjs');

// This is the set-up of `nest new`: CommonJS, and decorators with their metadata.
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

test('the NestJS example compiles to CommonJS, and accepts a payment and its webhook, with given options and with options from a factory', async () => {
  const compiler = join(toolbox, 'node_modules/typescript-5.9/bin/tsc');
  const { code, output } = await run(process.execPath, [compiler, '-p', folder], folder);
  expect(output).toBe('');
  expect(code).toBe(0);

  const shop = `
    require('reflect-metadata');
    const { once } = require('node:events');
    const { createServer } = require('node:http');
    const { signWebhook } = require('installment-payments/webhooks');
    const { NestFactory } = require('@nestjs/core');
    const { createMockService } = require('installment-payments/mock');
    const { PaymentsModule } = require('./dist/payments.module.js');
    const { CheckoutService } = require('./dist/checkout.service.js');
    const { WebhookController } = require('./dist/webhook.controller.js');
    const { OrderPayments } = require('installment-payments/orders');
    const { InstallmentClient } = require('installment-payments');
    const Database = require(${JSON.stringify(join(root, 'node_modules/libsql'))});
    const { referenceId: _referenceId, ...order } = require('./order.json');

    const statusOf = (promise) => promise.then(() => 200, (error) => error.getStatus());
    const secretKey = (process.env.INSTALLMENT_SECRET_KEY = 'webhook-key');
    const stateAfterWebhook = async (app) => {
      const controller = app.get(WebhookController);
      const server = createServer((request, response) => controller.receive(request, response)).listen(0);
      await once(server, 'listening');
      const amount = { value: order.amount.value, currency: 'VND' };
      const body = JSON.stringify({ referenceId: '1-1', status: 'paid', amount });
      const headers = { Signature: signWebhook(body, secretKey) };
      await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', body, headers });
      server.close();
      return (await app.get(OrderPayments).get('1')).state;
    };
    const outcomes = async (payments, mock) => {
      const app = await NestFactory.createApplicationContext(payments, { logger: false });
      const checkout = app.get(CheckoutService);
      const url = await checkout.checkout('1', order);
      const again = await checkout.checkout('1', order);
      const invalid = await statusOf(checkout.checkout('2', { ...order, items: [] }));
      mock.respondWith('initiatePayment', { resultStatus: 'ACCESS_DENIED' });
      const refused = await statusOf(checkout.checkout('3', order));
      mock.injectFault('initiatePayment', 'empty-response', { times: 9 });
      const unknown = await statusOf(checkout.checkout('4', order));
      const state = await stateAfterWebhook(app);
      await app.close();
      return [url === again, url, invalid, refused, unknown, state];
    };
    const optionsFor = (mock) => {
      const database = new Database(':memory:');
      const query = async (sql, values) => {
        const statement = database.prepare(sql);
        return statement.reader ? statement.all(values) : statement.run(values);
      };
      const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
      const options = { client, dialect: 'sqlite', query, onPaid: 'firstPaid' };
      const { schema } = require('installment-payments/orders').createOrderPayments(options);
      for (const statement of schema) database.exec(statement);
      return options;
    };
    (async () => {
      const mock = createMockService();
      const registered = await outcomes(PaymentsModule.register(optionsFor(mock)), mock);
      mock.reset();
      const useFactory = async () => optionsFor(mock);
      const asynchronously = await outcomes(PaymentsModule.registerAsync({ useFactory }), mock);
      console.log(JSON.stringify([registered, asynchronously]));
    })();`;
  const answers: unknown[] = [true, expect.stringContaining('/pay/'), 400, 422, 409, 'paid'];
  expect(await evaluate(shop, 'commonjs', folder)).toEqual([answers, answers]);
});
