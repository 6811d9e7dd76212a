import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { orderPage } from '../../../src/workbench/cli/rehearse-shop.js';
import { openRedirect } from '../../../src/workbench/rehearsal/redirects.js';

let page: [status: number, text: string] = [200, ''];
let asked = '';
const server = createServer((request, response) => {
  asked = request.url ?? '';
  response.writeHead(page[0]).end(page[1]);
});
let url = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.close();
});

test('headers for the shop are sent only to its origin, also after redirects', async () => {
  const received: unknown[] = [];
  const listen = async (status: number, location: () => string) => {
    const answering = createServer(({ headers, url: path }, response) => {
      received.push([path, headers['x-token']]);
      response.writeHead(status, { location: location() }).end('paid');
    });
    await once(answering.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void answering.close());
    return `http://127.0.0.1:${(answering.address() as AddressInfo).port}`;
  };
  const target = await listen(200, () => '/');
  let hops = 0;
  const shop: string = await listen(302, () => ['/moved', `${target}/elsewhere`][hops++] ?? '/');
  const read = orderPage(`${shop}/{ref}`, 'paid', undefined, { 'x-token': '1' });
  expect(await read('R', AbortSignal.timeout(5000))).toMatchObject({ showsPaid: true });
  hops = 0;
  await openRedirect(`${shop}/thanks`, { origins: [shop], headers: { 'x-token': '1' } });
  expect(received).toEqual([
    ...[
      ['/R', '1'],
      ['/moved', '1'],
      ['/elsewhere', undefined],
    ],
    ...[
      ['/thanks', '1'],
      ['/moved', '1'],
      ['/elsewhere', undefined],
    ],
  ]);
});

describe('the order page', () => {
  const read = (pattern = '\\bpaid\\b', once?: string) =>
    orderPage(`${url}/{ref}?again={ref}`, pattern, once)('R/1', AbortSignal.timeout(5000));

  test('is requested with an encoded reference, wherever the URL contains it', async () => {
    page = [200, 'open'];
    await read();
    expect(asked).toBe('/R%2F1?again=R%2F1');
  });

  test('counts as unpaid if the pattern matches nothing', async () => {
    page = [200, 'unpaid'];
    expect(await read()).toEqual({
      showsPaid: false,
      evidence: `GET ${url}/R%2F1?again=R%2F1 responded with HTTP 200, and --paid matches nothing in the page`,
    });
  });

  test.each([
    ['in either case of letters', '<b>PAID</b>', 'PAID', '<b>PAID</b>'],
    ['with 24 characters before it', `${'x'.repeat(30)} paid`, 'paid', `${'x'.repeat(23)} paid`],
    ['with 24 characters from its start', `paid ${'x'.repeat(60)}`, 'paid', `paid ${'x'.repeat(43)}`],
    ['with white space as one space', '  is\n\n paid \t', 'paid', 'is paid'],
  ])('counts as paid if the pattern matches, shown %s', async (_how, text, match, where) => {
    page = [200, text];
    expect(await read()).toEqual({
      showsPaid: true,
      evidence: `GET ${url}/R%2F1?again=R%2F1 responded with HTTP 200, and --paid matches "${match}" in: ${where}`,
    });
  });

  test('has the number that --once captures, even if the order is not paid', async () => {
    page = [200, 'open, shipped: 2 parcels'];
    expect(await read('paid', 'shipped: (\\d+)')).toMatchObject({ showsPaid: false, onceNumber: 2 });
    page = [200, 'paid'];
    expect(await read('paid', 'shipped: (\\d+)')).toMatchObject({ showsPaid: true, onceNumber: undefined });
  });

  test('is read without its comments, which React writes between texts', async () => {
    page = [200, 'state=<!-- -->paid, shipped: <!--\n-->1'];
    expect(await read('state=paid', 'shipped: (\\d+)')).toMatchObject({ showsPaid: true, onceNumber: 1 });
  });

  test('counts as unpaid if it responds with an error, and explains the reference', async () => {
    page = [404, 'paid'];
    expect(await read()).toEqual({
      showsPaid: false,
      problem: `GET ${url}/R%2F1?again=R%2F1 responded with HTTP 404; {ref} in --order-url is the referenceId of the payment`,
    });
  });

  test('is reported with its URL and the reason if it does not respond', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await expect(
      orderPage(`http://127.0.0.1:${port}/{ref}`, 'paid', undefined)('R', AbortSignal.timeout(5000)),
    ).rejects.toThrow(`GET http://127.0.0.1:${port}/R failed: ECONNREFUSED`);
  });

  test.each([502, 503, 504])('does not respond if a proxy responds for it with HTTP %i', async (status) => {
    page = [status, 'paid'];
    await expect(read()).rejects.toThrow(`responded with HTTP ${status}`);
  });

  test.each([
    ['https://shop.example/orders', 'paid'],
    ['shop.example/{ref}', 'paid'],
    ['see http://shop.example/{ref}', 'paid'],
    ['ftp://shop.example/{ref}', 'paid'],
  ])('needs a URL with a reference in it: %s', (template, pattern) => {
    expect(() => orderPage(template, pattern, undefined)).toThrow(
      "--order-url must be an http or https URL with {ref} in it, such as 'http://127.0.0.1:3000/orders/{ref}'",
    );
  });

  test('accepts an https URL', () => {
    expect(orderPage('https://shop.example/{ref}', 'paid', undefined)).toBeTypeOf('function');
  });

  test('needs a valid regular expression', () => {
    expect(() => orderPage('http://shop.example/{ref}', '(', undefined)).toThrow(
      '--paid must be a regular expression, such as \\bpaid\\b',
    );
  });
});
