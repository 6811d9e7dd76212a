import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { InstallmentClient, type PaymentRequest } from '../../../src/entries/index.js';
import { samplePaymentRequest } from '../../../src/entries/mock.js';
import { signPayment } from '../../../src/operations/signer.js';
import { freePort } from '../../helpers/free-port.js';
import { listening } from '../../helpers/listening.js';
import { runOnce, type Ran } from '../../workbench/cli/support.js';

const whole = JSON.parse(readFileSync('test/workbench/rehearsal/merchants/order.json', 'utf8')) as object;
const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
function fileWith(content: string): string {
  const file = join(folder, `${Math.random()}`);
  writeFileSync(file, content);
  return file;
}

type Route = (request: IncomingMessage, body: string, pay: typeof initiate) => Promise<Answer> | Answer;
type Answer = readonly [status: number, body: string, headers?: Record<string, string>];
let baseUrl = '';

/** A payment for an order. @returns its link */
async function initiate(order: string, changes: Partial<PaymentRequest> = {}): Promise<string> {
  const client = new InstallmentClient({
    ...{ baseUrl, clientId: 'demo-client', secretKey: 'demo-secret', merchantId: 'DEMO-MERCHANT' },
    ...{ storeId: 'STORE-01', platformId: 'WEBSHOP', maxRetries: 0 },
  });
  const { paymentUrl } = await client.initiatePayment(
    samplePaymentRequest({ referenceId: order, ...changes }),
  );
  return paymentUrl;
}

/** Rehearses a shop in the baseline. `checkout` is the part of the URL after its address. */
async function rehearsed(
  route: Route,
  checkout: string,
  ...args: string[]
): Promise<Ran & { readonly shop: string }> {
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => route(request, body, initiate))
      .then(
        ([status, body, headers]) => response.writeHead(status, headers).end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  const shop = `http://127.0.0.1:${await listening(server)}`;
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  const ran = await runOnce([
    ...['rehearse', '--port', String(port), '--settle-ms', '50', '--scenarios', 'baseline', '--orders', '1'],
    ...['--checkout', `POST ${shop}${checkout}`, '--order-url', `${shop}/orders/{ref}`, ...args],
  ]);
  return { ...ran, shop };
}

describe('a call of the checkout', () => {
  const isSent = ({ headers }: IncomingMessage) =>
    headers['cookie'] === 'session=1; csrf=2' && headers['x-csrf-token'] === '2';

  test('sends a JSON body with the order, and the headers of each request to the shop', async () => {
    const refused: unknown[] = [];
    const { code, out, error } = await rehearsed(
      async (request, body, pay) => {
        if (!isSent(request)) refused.push(request.url);
        if (request.method === 'GET') return [200, 'open'];
        expect(request.headers['content-type']).toBe('application/json');
        const { order } = JSON.parse(body) as { order: string };
        return [200, JSON.stringify({ url: await pay(order) })];
      },
      '/api/checkout',
      ...['--checkout-body', fileWith('{"order":"{order}"}')],
      ...['--header', 'Cookie: session=1', '--header', 'cookie: csrf=2', '--header', 'X-CSRF-Token: 2'],
    );
    expect([refused, code, error], out).toEqual([[], 0, '']);
  });

  test('sends a form, after which a 303 leads to the link', async () => {
    const { code, out, error } = await rehearsed(
      async (request, body, pay) => {
        if (request.method === 'GET') return [200, 'open'];
        expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
        return [303, '', { location: await pay(new URLSearchParams(body).get('order') ?? '') }];
      },
      '/checkout',
      ...['--checkout-body', fileWith('order={order}&csrf=2')],
    );
    expect([code, error], out).toEqual([0, '']);
  });

  test('sends the content type of a header', async () => {
    const types = new Set<string | undefined>();
    await rehearsed(
      async (request, _body, pay) => {
        if (request.method === 'GET') return [200, 'open'];
        types.add(request.headers['content-type']);
        return [200, await pay(new URL(request.url ?? '', 'http://shop').searchParams.get('order') ?? '')];
      },
      '/checkout?order={order}',
      ...['--checkout-body', fileWith('{}'), '--header', 'Content-Type: application/vnd.api+json'],
    );
    expect([...types]).toEqual(['application/vnd.api+json']);
  });

  test('opens the page of the shop to which it leads, with the headers and without the body', async () => {
    const opened: unknown[] = [];
    const { code } = await rehearsed(
      async (request, body, pay) => {
        const order = new URL(request.url ?? '', 'http://shop').searchParams.get('order');
        if (order === null) return [200, 'open'];
        if (request.method === 'POST') return [302, '', { location: `/pay?order=${order}` }];
        opened.push([request.headers['x-token'], body]);
        return [200, `<a href="${await pay(order)}">pay</a>`];
      },
      '/checkout?order={order}',
      ...['--checkout-body', fileWith('{}'), '--header', 'X-Token: 1'],
    );
    expect([code, opened]).toEqual([0, [['1', '']]]);
  });
});

describe('a checkout without a link ends with exit code 2, and names the call and the response,', () => {
  test('if the shop refuses before it sends anything', async () => {
    const { code, error, shop } = await rehearsed(() => [403, 'No  CSRF\ntoken.'], '/checkout?order={order}');
    expect(error).toContain(`POST ${shop}/checkout?order={order} was called 5 times for the order `);
    expect(error).toContain(
      'and no response contained a paymentUrl of the mock in its body or its Location header. The last response of the shop was HTTP 403: No CSRF token. The shop sent no request to the mock: its INSTALLMENT_BASE_URL might not be the address of the mock, or the route might need JSON, a cookie or a CSRF token (see --header, --checkout-body and --checkout-page).',
    );
    expect(error).toContain(`The mock listened at ${baseUrl}`);
    expect(code).toBe(2);
  });

  test('if nothing listens at its address, with only the error of the system', async () => {
    const port = await freePort();
    const { code, error } = await runOnce([
      ...[
        'rehearse',
        '--port',
        String(await freePort()),
        '--settle-ms',
        '50',
        '--scenarios',
        'baseline',
        '--orders',
        '1',
      ],
      ...['--checkout', `POST http://127.0.0.1:${port}/{order}`],
    ]);
    expect(error).toContain(
      'The last call failed: ECONNREFUSED. No call got a response: check that the shop is running at this address.',
    );
    expect(code).toBe(2);
  });

  test.each<[string, object, string, RegExp]>([
    [
      'payment, with the status and the field',
      { description: 1 },
      '',
      /was INVALID_REQUEST: description: must be a string; got a number\. /,
    ],
    [
      'signature, with what is wrong and what to do',
      {},
      '\n',
      /was INVALID_SIGNATURE: The signed text ends with a line feed \(LF\) that was not sent\. Sign exactly .*\. Nothing /,
    ],
  ])('if the service has refused the %s', async (_what, changes, signedToo, words) => {
    const { code, error } = await rehearsed(async (request) => {
      const order = new URL(request.url ?? '', 'http://shop').searchParams.get('order') ?? '';
      const body = JSON.stringify({ ...whole, referenceId: order, ...changes });
      const response = await fetch(`${baseUrl}/v2/payments`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Client-Id': 'demo-client',
          'Request-Time': '2026-11-20 10:04:05',
          Signature: signPayment(`${body}${signedToo}`, 'demo-secret'),
        },
        body,
      });
      return [502, await response.text()];
    }, '/checkout?order={order}');
    expect(error).toMatch(
      /The last response of the shop was HTTP 502: \{"merchantId.*\. The response to request 5 \(.*-1\) /,
    );
    expect(error).toMatch(words);
    expect(code).toBe(2);
  });
});

test.each([
  [['--checkout-body', 'order.json', '--', 'true'], '--checkout-body needs --checkout or --checkout-page'],
  [
    ['--checkout', 'GET http://127.0.0.1:1/{order}', '--checkout-body', fileWith('{}')],
    '--checkout-body cannot be sent with GET',
  ],
  [
    ['--checkout', 'POST http://127.0.0.1:1/', '--checkout-body', fileWith('{}')],
    'with {order} in it or in --checkout-body',
  ],
  [
    ['--checkout', 'POST http://127.0.0.1:1/{order}', '--checkout-body', join(folder, 'none')],
    'none (ENOENT)',
  ],
  [['--header', 'no colon', '--', 'true'], '--header must be a name and a value'],
  [['--header', 'Cookie: a\nb', '--', 'true'], '--header must be a name and a value'],
  [['--header', 'Cookie: khoá-bí-mật ạ', '--', 'true'], '--header must be a name and a value'],
  [['--restart', 'true', '--', 'true'], '--restart needs --order-url'],
  [
    ['--order-url', 'http://127.0.0.1:1/{ref}', '--once', 'shipped: \\d+', '--', 'true'],
    '--once must be a regular expression that captures a number',
  ],
])('wrong usage is refused with exit code 2: %j', async (args, words) => {
  const { code, error } = await runOnce(['rehearse', ...args]);
  expect(error).toContain(words);
  expect(error).not.toContain('khoá');
  expect(code).toBe(2);
});
