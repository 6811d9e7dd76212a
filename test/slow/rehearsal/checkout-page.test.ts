import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { InstallmentClient } from '../../../src/entries/index.js';
import { samplePaymentRequest } from '../../../src/entries/mock.js';
import { freePort } from '../../helpers/free-port.js';
import { listening } from '../../helpers/listening.js';
import { runOnce } from '../../workbench/cli/support.js';

const folder = mkdtempSync(join(tmpdir(), 'checkout-page-'));
function fileWith(content: string): string {
  const file = join(folder, `${Math.random()}`);
  writeFileSync(file, content);
  return file;
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}
type Answer = readonly [status: number, body: string, headers?: Record<string, string | string[]>];
type Route = (asked: Asked) => Promise<Answer> | Answer;

function fieldsOf(headers: IncomingHttpHeaders, body: string): URLSearchParams {
  if (!headers['content-type']?.startsWith('multipart/form-data; boundary='))
    return new URLSearchParams(body);
  const parts = body.matchAll(/form-data; name="([^"]*)"\r\n\r\n([^\r]*)/g);
  return new URLSearchParams([...parts].map(([, name = '', value = '']): [string, string] => [name, value]));
}

async function shopWith(route: Route): Promise<string> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    void text(request)
      .then((body) =>
        route({
          method,
          url: new URL(url, `http://${headers.host}`),
          headers,
          form: fieldsOf(headers, body),
        }),
      )
      .then(
        ([status, body, more]) => response.writeHead(status, more).end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await listening(server)}`;
}

/** Returns the link of an order. A second request for the same order returns the same link. */
function paymentsAt(baseUrl: string): (order: string) => Promise<string> {
  const client = new InstallmentClient({
    ...{ baseUrl, clientId: 'demo-client', secretKey: 'demo-secret', merchantId: 'DEMO-MERCHANT' },
    ...{ storeId: 'STORE-01', platformId: 'WEBSHOP', maxRetries: 0 },
  });
  const links = new Map<string, Promise<string>>();
  return (order) => {
    const started = async () => {
      const { paymentUrl } = await client.initiatePayment(samplePaymentRequest({ referenceId: order }));
      return paymentUrl;
    };
    const link = links.get(order) ?? started();
    links.set(order, link);
    return link;
  };
}

const rehearsalArgs = (port: number, scenarios: string) => [
  ...['rehearse', '--port', String(port), '--settle-ms', '50', '--scenarios', scenarios, '--orders', '1'],
];

describe('a checkout page', () => {
  test('with a token for each page and a session cookie leads to the link, also after a double click', async () => {
    const port = await freePort();
    const pay = paymentsAt(`http://127.0.0.1:${port}`);
    const tokens = new Map<string, string>();
    const refused: unknown[] = [];
    let pages = 0;
    const shop = await shopWith(async ({ method, url, headers, form }) => {
      const order = url.searchParams.get('order') ?? '';
      if (url.pathname.startsWith('/orders/')) return [200, 'open'];
      if (method === 'GET') {
        pages += 1;
        tokens.set(`session=s${pages}`, `token-${pages}`);
        const hidden = `<input type="hidden" name="_csrf" value="token-${pages}">`;
        const html = `<form action="/search"><input name="q"></form>
          <form action="/pay?order=${order}" method="post" enctype="multipart/form-data">${hidden}
          <input name="name" value=""><button name="do" value="pay">Pay</button></form>`;
        return [200, html, { 'content-type': 'text/html', 'set-cookie': [`session=s${pages}; HttpOnly`] }];
      }
      const cookies = (headers.cookie ?? '').split('; ');
      const isAllowed =
        tokens.get(cookies[1] ?? '') === form.get('_csrf') &&
        headers.origin === url.origin &&
        headers.referer === `${url.origin}/checkout?order=${order}` &&
        headers['x-token'] === '1';
      if (!isAllowed) {
        refused.push([cookies, headers, [...form]]);
        return [403, 'No CSRF token.'];
      }
      expect([cookies[0], form.get('do'), form.get('name')]).toEqual(['lang=vi', 'pay', `An ${order}`]);
      return [303, '', { location: await pay(order) }];
    });

    const { code, out, error } = await runOnce([
      ...rehearsalArgs(port, 'clicked-twice'),
      ...[
        '--checkout-page',
        `${shop}/checkout?order={order}`,
        '--checkout-body',
        fileWith('name=An {order}\n'),
      ],
      ...['--header', 'Cookie: lang=vi', '--header', 'X-Token: 1', '--order-url', `${shop}/orders/{ref}`],
    ]);

    expect([refused, error], out).toEqual([[], '']);
    expect([code, pages], out).toEqual([0, 2]);
  });

  test('with an action of another origin sends it neither headers nor cookies, and only the origin as the referrer', async () => {
    const port = await freePort();
    const pay = paymentsAt(`http://127.0.0.1:${port}`);
    const seen: unknown[] = [];
    const api = await shopWith(async ({ headers, form }) => {
      seen.push([headers['x-token'], headers.cookie, headers.origin, headers.referer]);
      return [200, await pay(form.get('order') ?? '')];
    });
    const shop = await shopWith(({ url }) => [
      200,
      url.pathname === '/checkout'
        ? `<form method=post action="${api}/pay"><input name=order></form>`
        : 'open',
      { 'set-cookie': 'session=1' },
    ]);

    const { code, out } = await runOnce([
      ...rehearsalArgs(port, 'baseline'),
      ...['--checkout-page', `${shop}/checkout`, '--checkout-body', fileWith('order={order}')],
      ...['--header', 'X-Token: 1', '--order-url', `${shop}/orders/{ref}`],
    ]);

    expect([code, seen], out).toEqual([0, [[undefined, undefined, shop, `${shop}/`]]]);
  });

  test('that shows the link of a known order needs no form', async () => {
    const port = await freePort();
    const pay = paymentsAt(`http://127.0.0.1:${port}`);
    const shop = await shopWith(async ({ url }) => [
      200,
      `<a href="${await pay(url.pathname.slice(1))}">Pay</a>`,
    ]);
    const { code, out } = await runOnce([
      ...rehearsalArgs(port, 'baseline'),
      ...['--checkout-page', `${shop}/{order}`],
    ]);
    expect(code, out).toBe(0);
  });

  test.each<[string, Answer, string]>([
    ['without a form', [200, '<p>Sold out</p>'], 'HTTP 200: the page contains no form: <p>Sold out</p>.'],
    [
      'that is not HTML',
      [200, '{"form":1}', { 'content-type': 'application/json' }],
      'HTTP 200: the page is not HTML (application/json): {"form":1}.',
    ],
    ['that is not found', [404, '<form></form>'], 'HTTP 404: <form></form>.'],
  ])('%s ends the rehearsal with the reason', async (_what, answer, reason) => {
    const asked: string[] = [];
    const shop = await shopWith(({ method }) => {
      asked.push(method);
      return answer;
    });
    const { code, error } = await runOnce([
      ...rehearsalArgs(await freePort(), 'baseline'),
      ...['--checkout-page', `${shop}/{order}`],
    ]);
    expect(error).toContain(`GET ${shop}/{order} with its form was called 5 times for the order `);
    expect(error).toContain(`The last response of the shop was ${reason}`);
    expect([code, new Set(asked)]).toEqual([2, new Set(['GET'])]);
  });
});

const page = ['--checkout-page', 'http://127.0.0.1:1/{order}'];
test.each([
  [
    [...page, '--checkout', 'http://127.0.0.1:1/{order}'],
    '--checkout and --checkout-page cannot be used together',
  ],
  [[...page, '--', 'true'], '--checkout-page and a command cannot be used together'],
  [['--checkout-page', 'POST http://127.0.0.1:1/{order}'], '--checkout-page must be an http or https URL'],
  [['--checkout-page', 'http://127.0.0.1:1/'], 'with {order} in it or in --checkout-body'],
  [
    [
      ...page,
      '--checkout-changed',
      'POST http://127.0.0.1:1/{order}',
      '--order-url',
      'http://127.0.0.1:1/{ref}',
    ],
    '--checkout-changed must be an http or https URL',
  ],
  [
    [...page, '--checkout-body', fileWith('{"note":"{order}"}')],
    'with --checkout-page, --checkout-body must contain form fields, such as name=An&note={order}',
  ],
])('wrong usage is refused with exit code 2: %j', async (args, words) => {
  const { code, error } = await runOnce(['rehearse', ...args]);
  expect(error).toContain(words);
  expect(code).toBe(2);
});
