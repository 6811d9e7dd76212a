import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));

async function rehearse(...args: string[]) {
  const lines: string[] = [];
  const code = await run(['rehearse', ...args], {
    env: process.env,
    signals: process,
    input: new PassThrough(),
    inputIsPipe: false,
    out: (line) => lines.push(line),
    error: (line) => lines.push(line),
  });
  return { code, output: lines.join('\n') };
}

/** A command that takes one order by fetch, and another one where it gets no answer. */
const merchant = `
const { createHmac, randomUUID } = require('node:crypto');
const { env } = process;
const order = JSON.parse(require('node:fs').readFileSync('test/mock/worlds/merchants/order.json', 'utf8'));
async function pay() {
  const body = JSON.stringify({ ...order, referenceId: 'R-' + randomUUID() });
  const now = new Date(Date.now() + 7 * 3600000).toISOString().slice(0, 19).replace('T', ' ');
  const answer = await fetch(env.INSTALLMENT_BASE_URL + '/v2/payments', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json', 'Client-Id': env.INSTALLMENT_CLIENT_ID, 'Request-Time': now,
      'Idempotency-Key': randomUUID(),
      Signature: createHmac('sha256', env.INSTALLMENT_SECRET_KEY).update(body).digest('hex'),
    },
    body,
  });
  const { resultStatus } = await answer.json();
  if (resultStatus !== 'APPROVED') throw new Error(resultStatus);
}
`;
const right = [
  '--',
  process.execPath,
  '-e',
  `${merchant} pay().catch((error) => { console.log('no answer', error.message); process.exit(3); });`,
];
const wrong = ['--', process.execPath, '-e', `${merchant} pay().catch(pay).catch(() => undefined);`];
const quick = ['--settle-ms', '100'];
const refused = [
  '--',
  process.execPath,
  '-e',
  `process.env.INSTALLMENT_SECRET_KEY = 'x'; ${merchant} pay().catch(() => undefined);`,
];

/** A shop whose page of each order is given, in which the robot pays. */
async function rehearsePage(
  page: (referenceId: string, isPaid: boolean) => [number, string],
  ...args: string[]
) {
  const paid = new Set<string>();
  const server = createServer((request, response) => {
    const referenceId = request.url?.replace('/orders/', '') ?? '';
    if (request.method === 'GET') {
      const [status, text] = page(referenceId, paid.has(referenceId));
      response.writeHead(status).end(text);
      return;
    }
    void text(request).then((body) => {
      const event = JSON.parse(body) as { referenceId: string; status: string };
      if (event.status === 'paid') paid.add(event.referenceId);
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const shop = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const url = `${shop}/orders/{ref}`;
  try {
    const page = ['--webhook', `${shop}/hook`, '--order-url', url, '--customer', 'pays'];
    return { shop, ...(await rehearse(...quick, '--worlds', 'extra-fields', ...page, ...args, ...right)) };
  } finally {
    server.close();
  }
}

describe('The order page', () => {
  it('is right where it says paid once the customer has paid', async () => {
    const { code, output } = await rehearsePage((_, isPaid) => [200, isPaid ? 'paid' : 'open']);
    expect(output).toContain('2 worlds: ok');
    expect(code).toBe(0);
  });

  it.each([
    ['of JSON', '{"paid":false}'],
    ['in words', 'Your order is not paid yet'],
  ])('that matches --paid before the customer pays, %s, is wrong usage', async (_how, words) => {
    const { code, output, shop } = await rehearsePage(() => [200, words]);
    expect(output).toMatch(/plain +not judged/);
    expect(output).toContain('counts as paid before its customer has paid: ');
    expect(output).toMatch(
      new RegExp(`GET ${shop}/orders/R-[-\\w]+ answered HTTP 200, and --paid matches "paid" in: `),
    );
    expect(output).toContain(words);
    expect(output).toContain('Nothing can be compared');
    expect(code).toBe(2);
  });

  it('that is not found is named with its status and URL, and is no mistake of the payment', async () => {
    const { code, output, shop } = await rehearsePage(() => [404, 'no such order']);
    expect(output).toMatch(
      new RegExp(`GET ${shop}/orders/R-[-\\w]+ answered HTTP 404; {ref} in --order-url is the ref`),
    );
    expect(output).not.toContain('paid-not-counted');
    expect(code).toBe(2);
  });

  it('that fails in one world is named with its status', async () => {
    const orders = new Set<string>();
    const { code, output } = await rehearsePage((referenceId, isPaid) => {
      orders.add(referenceId);
      return orders.size > 1 ? [500, 'sorry'] : [200, isPaid ? 'paid' : 'open'];
    });
    expect(output).toMatch(
      /ERROR paid-not-counted[^]+extra-fields: .* could not be read\. GET .* answered HTTP 500/,
    );
    expect(code).toBe(1);
  });

  it('that does not answer leaves the world unjudged', async () => {
    const { code, output } = await rehearse(
      ...quick,
      ...['--worlds', 'slow', '--order-url', 'http://127.0.0.1:1/{ref}', ...right],
    );
    expect(output).toMatch(/plain +not judged/);
    expect(output).toContain('could not be read (GET http://127.0.0.1:1/R-');
    expect(code).toBe(2);
  });
});

describe('installment-payments rehearse', () => {
  it.each([
    [
      'without a command',
      [],
      "A command is missing: give it after --, as in 'rehearse -- npm run place-orders'",
    ],
    ['with an unknown world', ['--worlds', 'lost-anwser', '--', 'true'], 'lost-answer'],
    [
      'with an unknown customer',
      ['--customer', 'buys', '--', 'true'],
      '--customer must be none, pays, declines or expires',
    ],
    [
      'with an order page that has no place for the reference',
      ['--order-url', 'http://127.0.0.1:1/orders', '--', 'true'],
      '{ref}',
    ],
    [
      'with a pattern that is not a regular expression',
      ['--order-url', 'http://127.0.0.1:1/{ref}', '--paid', '(', '--', 'true'],
      '--paid must be a regular expression',
    ],
    [
      'with worlds and pairs',
      ['--worlds', 'slow', '--pairs', '--', 'true'],
      '--worlds and --pairs exclude each other',
    ],
    ['with an unknown option', ['--wolrds', 'slow', '--', 'true'], '--wolrds'],
    [
      'with a command that cannot be started',
      [...quick, '--', './no-such-command'],
      'could not be started (ENOENT)',
    ],
    [
      'with a command that fails in the plain world',
      [...quick, '--', process.execPath, '-e', 'console.log("no stock"); process.exit(7)'],
      'failed with exit code 7',
    ],
    [
      'with a command whose every request is refused',
      [...quick, ...refused],
      'created no payment (the last answer was INVALID_SIGNATURE)',
    ],
    ['with a command that sends nothing', [...quick, '--', process.execPath, '-e', ''], 'sent no request'],
  ])('ends with exit code 2 %s', async (_how, args, words) => {
    const { code, output } = await rehearse(...args);
    expect(output).toContain(words);
    expect(code).toBe(2);
  });

  it('shows the end of the output of a command that fails', async () => {
    const { output } = await rehearse(
      ...quick,
      '--',
      process.execPath,
      '-e',
      'console.log("no stock"); process.exit(7)',
    );
    expect(output).toContain('| no stock');
  });

  it('ends with exit code 0 where no world shows an error, though the command fails in one', async () => {
    const { code, output } = await rehearse(...quick, '--worlds', 'lost-answer,extra-fields', ...right);
    expect(output).toMatch(/\[1\/3\] plain +ok +1 request, 1 payment/);
    expect(output).toMatch(/\[2\/3\] lost-answer +1 warning +1 request, 1 payment/);
    expect(output).toContain('the command failed with exit code 3');
    expect(output).toContain('| no answer');
    expect(output).toContain('it created as many payments as in the plain world');
    expect(output).toContain('3 worlds: 1 warning');
    expect(output).toContain('Without --order-url');
    expect(code).toBe(0);
  });

  it('names a world with fewer payments than the plain one, and one whose command failed, not as ok', async () => {
    const givesUp = ['--', process.execPath, '-e', `${merchant} pay().catch(() => undefined);`];
    const fewer = await rehearse(...quick, '--worlds', 'rate-limited', ...givesUp);
    expect(fewer.output).toMatch(/\[2\/2\] rate-limited +1 warning +1 request, 0 payments/);
    expect(fewer.output).toContain('was HTTP 429, and nothing asked again');
    const failed = await rehearse(...quick, '--worlds', 'rate-limited', ...right);
    expect(failed.output).toMatch(/\[2\/2\] rate-limited +1 warning +1 request, 0 payments/);
    expect(failed.output).toContain('the command failed with exit code 3');
  });

  it('ends with exit code 1 and says what to do where a world shows an error, and writes both reports', async () => {
    const [json, junit] = [join(folder, 'report.json'), join(folder, 'report.xml')];
    const { code, output } = await rehearse(
      ...quick,
      '--worlds',
      'lost-answer',
      '--json',
      json,
      '--junit',
      junit,
      ...wrong,
    );
    expect(code).toBe(1);
    expect(output).toContain('ERROR two-payments, in 1 world');
    expect(output).toContain('Why: A customer can be charged twice for one order.');
    expect(output).toContain('Do:  Repeat the same request');
    const report = JSON.parse(readFileSync(json, 'utf8')) as { ok: boolean; findings: { rule: string }[] };
    expect(report.ok).toBe(false);
    expect(report.findings.map(({ rule }) => rule)).toContain('two-payments');
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('<testsuite name="installment-payments rehearsal" tests="2" failures="1">');
    expect(xml).toContain('<failure type="two-payments"');
  });

  it('says that a report cannot be written', async () => {
    const { code, output } = await rehearse(
      ...quick,
      '--worlds',
      'extra-fields',
      '--json',
      join(folder, 'no', 'x.json'),
      ...right,
    );
    expect(output).toContain('--json: cannot write');
    expect(code).toBe(2);
  });

  it('gives the command the address, the credentials and the name of the world', async () => {
    const names = [
      'BASE_URL',
      'CLIENT_ID',
      'SECRET_KEY',
      'MERCHANT_ID',
      'STORE_ID',
      'PLATFORM_ID',
      'MOCK_URL',
      'WORLD',
    ];
    const check = `for (const name of ${JSON.stringify(names)}) if (!process.env['INSTALLMENT_' + name]) process.exit(9);`;
    const { code } = await rehearse(
      ...quick,
      '--worlds',
      'slow',
      '--',
      process.execPath,
      '-e',
      `${check} ${merchant} pay();`,
    );
    expect(code).toBe(0);
  });
});
