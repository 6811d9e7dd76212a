import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { snippetsOf } from '../helpers/snippets.js';
import { root, run, toolbox } from '../package/support.js';

const { consumer } = inject('packed');
const jest = join(toolbox, 'node_modules/jest/bin/jest.js');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** A folder of a merchant with one file. */
async function shopWith(name: string, file: string, code: string): Promise<string> {
  const folder = join(consumer, name);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, private: true }));
  await writeFile(join(folder, file), code);
  return folder;
}

// Most merchants on NestJS use this set-up: CommonJS, and Jest with its defaults.
const merchantTest = `
const { InstallmentClient, DuplicateReferenceIdError, isInstallmentError } = require('installment-payments');
const { LenderClient } = require('installment-payments/lender');
const { createMockService, DEMO_MERCHANT } = require('installment-payments/mock');

const order = {
  storeId: 'STORE-01',
  platformId: 'WEBSHOP',
  referenceId: 'ORDER-1',
  paymentMethod: 'WEB',
  description: 'Tủ lạnh',
  successRedirectUrl: 'https://shop.example/paid',
  unSuccessRedirectUrl: 'https://shop.example/not-paid',
  amount: { value: 12000000 },
  items: [{ productId: 'SKU-1', productName: 'Tủ lạnh', category: 'appliance', quantity: 1, price: 12000000 }],
  customer: { phoneNumber: '0912345678', email: 'an@example.com', firstName: 'An', lastName: 'Nguyễn' },
  shipping: { city: 'Hà Nội', district: 'Ba Đình', ward: 'Kim Mã', street: 'Kim Mã', houseNumber: '12' },
};

test('a payment, its invoice and a refusal', async () => {
  const mock = createMockService();
  const server = await mock.listen();
  try {
    const { clientId, secretKey, merchantId } = DEMO_MERCHANT;
    const client = new InstallmentClient({ clientId, secretKey, merchantId, baseUrl: server.url });
    const payment = await client.initiatePayment(order);
    expect(payment.paymentUrl).toContain(server.url);

    mock.settle('ORDER-1', 'paid');
    const invoice = await client.uploadInvoice({ referenceId: 'ORDER-1', file: Buffer.from('%PDF-1.7 invoice') });
    expect(invoice.invoiceId).toBeDefined();

    const again = await client.initiatePayment({ ...order, description: 'another' }).catch((error) => error);
    expect(again).toBeInstanceOf(DuplicateReferenceIdError);
    expect(isInstallmentError(again)).toBe(true);
  } finally {
    await server.close();
  }
});

test('the classes work with a separate module registry', () => {
  jest.isolateModules(() => {
    const other = require('installment-payments');
    expect(other.InstallmentClient).not.toBe(InstallmentClient);
    expect(() => new InstallmentClient({ baseUrl: 'nowhere' })).toThrow(other.ConfigurationError);
  });
  expect(() => new LenderClient({ baseUrl: 'nowhere' })).toThrow('baseUrl');
});
`;

test('a merchant can test with Jest in CommonJS, without any configuration', async () => {
  const folder = await shopWith('jest', 'payments.test.js', merchantTest);

  const { code, output } = await run(process.execPath, [jest, '--ci'], folder);

  expect(output).toContain('2 passed');
  expect(code).toBe(0);
});

// The mock needs Response, streams and structuredClone, which jsdom lacks.
const domTest = `
/** @jest-environment ${join(toolbox, 'node_modules/jest-environment-jsdom')} */
const http = require('node:http');
const { InstallmentClient } = require('installment-payments');
require('installment-payments/lender');
require('installment-payments/orders');
require('installment-payments/webhooks');

test('a call over a socket, with the signal of a DOM, and a call that times out', async () => {
  const server = http.createServer((request, response) => {
    if (request.url === '/ok') request.resume().on('end', () => response.end('{"name":"Nguyễn"}'));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = 'http://127.0.0.1:' + server.address().port;
  const client = new InstallmentClient({ baseUrl, clientId: 'demo-client', secretKey: 'demo-secret' });
  const { signal } = new AbortController();
  for (let call = 0; call < 2; call++)
    expect((await client.post('/ok', {}, { signal })).body).toEqual({ name: 'Nguyễn' });
  const late = await client.post('/hang', {}, { signal, attemptTimeoutMs: 50 }).catch((error) => error);
  expect(late.code).toBe('TIMEOUT');
  server.closeAllConnections();
  server.close();
});
`;

test('a merchant can test with Jest and jsdom', async () => {
  const folder = await shopWith('jest-jsdom', 'payments.test.js', domTest);

  const { code, output } = await run(process.execPath, [jest, '--ci'], folder);

  expect(output).toContain('1 passed');
  expect(code).toBe(0);
});

test.each([
  ["require('@jest/globals')", 'payments.test.js', [jest, '--ci']],
  ["from 'vitest'", 'payments.test.ts', [vitest, 'run', '--root', '.']],
])('the test with %s in the guide to tests passes unchanged', async (loaded, file, program) => {
  const guide = await readFile(join(root, 'docs/testing.md'), 'utf8');
  const snippet = snippetsOf(guide, 'docs/testing.md').find(({ code }) => code.includes(loaded));
  const folder = await shopWith(`guide-${file.split('.').at(-1)}`, file, snippet?.code ?? '');
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'), 'dir');

  const { code, output } = await run(process.execPath, program, folder);

  expect(output).toContain('1 passed');
  expect(code).toBe(0);
});
