import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { freePort } from '../../helpers/free-port.js';
import { listening } from '../../helpers/listening.js';
import { receiver } from '../../helpers/receiver.js';
import { runUntil } from '../../workbench/cli/support.js';

const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
const inScenario = join(folder, 'scenario.json');
writeFileSync(inScenario, '{"scenario":"slow"}');

async function rehearse(...args: string[]) {
  return rehearseUntil(new EventEmitter(), ...args);
}

/** Runs until the command ends, or one of these signals stops it. */
async function rehearseUntil(signals: EventEmitter, ...args: string[]) {
  return runUntil(signals, ['rehearse', ...args], process.env);
}

/** A command that sends one order with fetch, and another order if it gets no response. */
const merchant = `
const { createHmac, randomUUID } = require('node:crypto');
const { env } = process;
const order = JSON.parse(require('node:fs').readFileSync('test/workbench/rehearsal/merchants/order.json', 'utf8'));
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
const quick = ['--settle-ms', '100'];
const node = (code: string) => ['--', process.execPath, '-e', code];
const right = node(
  `${merchant} pay().catch((error) => { console.log('no response', error.message); process.exit(3); });`,
);
const givesUp = `${merchant} pay().catch(() => undefined);`;

/** A shop with a given page for each order. The simulated customer pays in it. */
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
  });
  const shop = `http://127.0.0.1:${await listening(server)}`;
  const asked = ['--webhook', `${shop}/hook`, '--order-url', `${shop}/orders/{ref}`, '--customer', 'pays'];
  return { shop, ...(await rehearse(...quick, '--scenarios', 'extra-fields', ...asked, ...args, ...right)) };
}

describe('the order page', () => {
  test('is correct if it says paid once the customer has paid', async () => {
    const { code, output } = await rehearsePage((_, isPaid) => [200, isPaid ? 'paid' : 'open']);
    expect(output).toContain('2 scenarios: ok');
    expect(output).not.toContain('Without --order-url');
    expect(code, output).toBe(0);
  });

  test('is an error if it matches --paid too early, and the fix names --paid', async () => {
    const { code, output, shop } = await rehearsePage(() => [200, 'Your order is not paid yet']);
    expect(output).toMatch(/ERROR unpaid-counted, in \d+ scenario/);
    expect(output).toMatch(
      new RegExp(`GET ${shop}/orders/R-.* responded with HTTP 200, and --paid matches .* in: Your order`),
    );
    expect(output).toContain('--paid matches too much');
    expect(code).toBe(1);
  });

  test('is reported with its status and URL if it is not found, and the payment has no finding', async () => {
    const { code, output, shop } = await rehearsePage(() => [404, 'no such order']);
    expect(output).toMatch(
      new RegExp(`GET ${shop}/orders/R-[-\\w]+ responded with HTTP 404; {ref} in --order-url is the ref`),
    );
    expect(output).not.toContain('paid-not-counted');
    expect(code).toBe(2);
  });

  test('is reported with its status if it fails in one scenario', async () => {
    const orders = new Set<string>();
    const { code, output } = await rehearsePage((referenceId, isPaid) => {
      orders.add(referenceId);
      return orders.size > 1 ? [500, 'sorry'] : [200, isPaid ? 'paid' : 'open'];
    });
    expect(output).toMatch(
      /ERROR paid-not-counted[^]+extra-fields: .* could not be read\. GET .* responded with HTTP 500/,
    );
    expect(code).toBe(1);
  });

  test('leaves the scenario unjudged if it does not respond', async () => {
    const { code, output } = await rehearse(
      ...quick,
      ...['--scenarios', 'slow', '--order-url', 'http://127.0.0.1:1/{ref}', ...right],
    );
    expect(output).toMatch(/baseline +inconclusive/);
    expect(output).toContain('could not be read: GET http://127.0.0.1:1/R-');
    expect(code).toBe(2);
  });
});

describe('installment-payments rehearse', () => {
  test.each([
    [
      'without a command',
      [],
      "A command is missing: write the command after --, as in 'rehearse -- npm run place-orders'",
    ],
    [
      'with an unknown scenario',
      ['--scenarios', 'lost-respnose', '--', 'true'],
      "--scenarios: scenario must be 'baseline', 'lost-response',",
    ],
    [
      'with a wrong wait',
      ['--settle-ms', '600001', '--', 'true'],
      '--settle-ms must be a whole number from 0 to 600000',
    ],
    ['with a wrong port', ['--port', '65536', '--', 'true'], '--port must be a whole number from 0 to 65535'],
    [
      'with an unknown customer',
      ['--customer', 'buys', '--', 'true'],
      "--customer must be 'none', 'pays', 'declines' or 'expires'",
    ],
    [
      'with a command and --checkout',
      ['--checkout', 'http://127.0.0.1:1/{order}', '--', 'true'],
      'cannot be used together',
    ],
    [
      'with no orders',
      ['--checkout', 'http://127.0.0.1:1/{order}', '--orders', '0'],
      '--orders must be a whole number from 1',
    ],
    ['with a number to capture and no page', ['--once', '(\\d+)', '--', 'true'], '--once needs --order-url'],
    [
      'with a scenario in the file of options',
      ['--config', inScenario, '--', 'true'],
      'choose scenarios with --scenarios',
    ],
    ['with an unknown option', ['--wolrds', 'slow', '--', 'true'], '--wolrds'],
    [
      'with a command that cannot be started',
      [...quick, '--', './no-such-command'],
      './no-such-command could not be started (ENOENT)',
    ],
    [
      'with a command that fails in the baseline',
      [...quick, ...node('process.exit(7)')],
      'failed with exit code 7',
    ],
    [
      'with a command whose every request is refused',
      [...quick, ...node(`process.env.INSTALLMENT_SECRET_KEY = 'x'; ${givesUp}`)],
      /created no payment \(the last response was INVALID_SIGNATURE\): [^]+secret key/,
    ],
    [
      'with a command that sends nothing, with the address of the mock',
      [...quick, ...node('')],
      / sent no request .* The mock listened at http:\/\/127\.0\.0\.1:\d+\. For a shop that runs permanently, see --port\.$/,
    ],
    [
      'with a command that pays in the baseline alone',
      [
        ...quick,
        '--scenarios',
        'slow',
        ...node(`if (process.env.INSTALLMENT_SCENARIO === 'baseline') { ${givesUp} }`),
      ],
      'fewer payments (0) were created than in the baseline (1)',
    ],
    [
      'with a command that waits for standard input, which it is not given',
      [...quick, ...node(`process.stdin.on('end', () => process.exit(7)).resume();`)],
      'failed with exit code 7',
    ],
  ])('ends with exit code 2 %s', async (_how, args, words) => {
    const { code, output } = await rehearse(...args);
    if (typeof words === 'string') expect(output).toContain(words);
    else expect(output).toMatch(words);
    expect(code).toBe(2);
  });

  test('reports the findings of the baseline if nothing can be compared', async () => {
    const fails =
      merchant.replace("'Idempotency-Key': randomUUID(),", '') + ' pay().then(() => process.exit(7));';
    const { code, output } = await rehearse(...quick, ...node(fails));
    expect(output).toMatch(
      /WARNING no-key[^]+1 scenario: 1 warning, 1 inconclusive\nWithout --order-url[^]+compared with the baseline\.$/,
    );
    expect(code).toBe(2);
  });

  test('ends with exit code 0 if no scenario shows an error, although the command fails in one', async () => {
    const { code, output } = await rehearse(...quick, '--scenarios', 'lost-response,extra-fields', ...right);
    expect(output).toMatch(/\[1\/3\] baseline +ok +1 request, 1 payment/);
    expect(output).toMatch(/\[2\/3\] lost-response +1 warning +1 request, 1 payment/);
    expect(output).toContain('the command failed with exit code 3');
    expect(output).toContain('| no response');
    expect(output).toContain('not a finding by itself: the command failed');
    expect(output).toContain('3 scenarios: 1 warning');
    expect(output).toContain('Without --order-url');
    expect(code, output).toBe(0);
  });

  test('ends with exit code 1 and says what to do if a scenario shows an error, and writes the report', async () => {
    const json = join(folder, 'report.json');
    const { code, output } = await rehearse(
      ...quick,
      '--scenarios',
      'lost-response',
      '--json',
      json,
      ...node(`${merchant} pay().catch(pay).catch(() => undefined);`),
    );
    expect(code).toBe(1);
    expect(output).toContain('ERROR two-payments, in 1 scenario');
    expect(output).toContain('Why: A customer can be charged twice for one order.');
    expect(output).toContain('Do:  While the outcome is unknown, repeat the same request');
    const report = JSON.parse(readFileSync(json, 'utf8')) as { ok: boolean; findings: { rule: string }[] };
    expect(report.ok).toBe(false);
    expect(report.findings.map(({ rule }) => rule)).toContain('two-payments');
  });

  test('says before the first scenario that the report cannot be written', async () => {
    const { code, output } = await rehearse(...quick, '--json', join(folder, 'no', 'x.json'), ...right);
    expect(output).toMatch(/^--json: cannot write .*x\.json \(ENOENT\)\. See [^\n]*$/);
    expect(code).toBe(2);
  });

  test.each([
    ['SIGINT', 'SIGINT', ''],
    ['SIGTERM', 'SIGTERM', ''],
    ['SIGINT, after two seconds if it ignores SIGTERM', 'SIGINT', `trap '' TERM;`],
  ])('ends the command, its child processes and itself at %s', async (_when, sent, trap) => {
    const file = join(folder, 'child');
    writeFileSync(file, '');
    const signals = new EventEmitter();
    const script = `${trap} (while :; do echo . >> ${file}; sleep 0.02; done) & wait; sleep 60`;
    const ended = rehearseUntil(signals, ...quick, '--', 'sh', '-c', script);
    const written = () => readFileSync(file, 'utf8').length;
    await vi.waitUntil(() => written() > 0, { timeout: 10_000 });
    signals.emit(sent);
    const { code, output } = await ended;
    expect(output).toMatch(/^Interrupted: 0 of \d+ scenarios were run\.$/);
    expect(code).toBe(130);
    expect(signals.listenerCount('SIGINT') + signals.listenerCount('SIGTERM')).toBe(0);
    await vi.waitFor(async () => {
      const before = written();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(written()).toBe(before);
    }, 10_000);
  });

  test('runs no more scenarios after a signal, and reports the results so far', async () => {
    const file = join(folder, 'later');
    const script = `${merchant} pay().then(() => {
      require('node:fs').appendFileSync('${file}', env.INSTALLMENT_SCENARIO + ' ');
      if (env.INSTALLMENT_SCENARIO !== 'baseline') setTimeout(() => {}, 60_000);
    });`;
    const signals = new EventEmitter();
    const json = join(folder, 'interrupted.json');
    const scenarios = ['--json', json, '--scenarios', 'sparse-responses,extra-fields'];
    const ended = rehearseUntil(signals, ...quick, ...scenarios, ...node(script));
    await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').includes('sparse'), {
      timeout: 20_000,
    });
    signals.emit('SIGINT');
    const { code, output } = await ended;
    expect(code).toBe(130);
    expect(output).toMatch(
      /^\[1\/3\] baseline [^]*\n1 scenario: ok\n[^]*Interrupted: 1 of 3 scenarios were run\.$/,
    );
    const report = JSON.parse(readFileSync(json, 'utf8')) as { ok: boolean; scenarios: { name: string }[] };
    expect([report.ok, report.scenarios.map(({ name }) => name)]).toEqual([false, ['baseline']]);
    expect(readFileSync(file, 'utf8')).toBe('baseline sparse-responses ');
  });

  test.each([
    [
      'the last twelve lines',
      `for (let n = 1; n < 20; n++) console.log('line', n)`,
      /^(?: {6}\| line \d+\n){12}(?! )/m,
    ],
    ['the last 4,000 characters', `console.log('x'.repeat(5000))`, /^ {6}\| x{3999}$/m],
    ['escaped', `console.error('\\u001b[1m')`, /^ {6}\| \\u\{1b\}\[1m$/m],
  ])('shows the end of the output of a command that fails: %s', async (_what, print, shown) => {
    const { output } = await rehearse(...quick, ...node(`${print}; process.exitCode = 7`));
    expect(output).toMatch(shown);
  });

  test('shows no output of a command that ends without an error, and no line if it printed nothing', async () => {
    const { output } = await rehearse(
      ...quick,
      '--scenarios',
      'baseline',
      ...node(`console.log(1); ${givesUp}`),
    );
    expect(output).not.toContain('|');
    expect((await rehearse(...quick, ...node('process.exit(7)'))).output).not.toContain('|');
  });

  test('reads the options of the mock from a file, and sends the webhooks to the URL of the command line', async () => {
    const file = join(folder, 'mock.json');
    writeFileSync(
      file,
      JSON.stringify({
        webhook: { url: 'http://127.0.0.1:1', template: { header: 'X-Signed' } },
        journalLimit: 5,
      }),
    );
    const { url: hook, requests } = await receiver();
    const { code } = await rehearse(
      ...[...quick, '--config', file, '--webhook', hook, '--customer', 'pays', '--scenarios', 'slow'],
      ...right,
    );
    expect(code).toBe(0);
    expect(requests.map(({ headers }) => headers['x-signed'])).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  });

  test('gives the command the address at the given port, the credentials and the scenario', async () => {
    const port = String(await freePort());
    const names = [
      'CLIENT_ID',
      'SECRET_KEY',
      'MERCHANT_ID',
      'STORE_ID',
      'PLATFORM_ID',
      'MOCK_URL',
      'LENDER_BASE_URL',
      'SCENARIO',
    ];
    const code = `const read = (name) => process.env['INSTALLMENT_' + name];
      if (read('BASE_URL') !== 'http://127.0.0.1:${port}' || !${JSON.stringify(names)}.every(read)) process.exit(9);`;
    const args = ['--port', port, '--scenarios', 'slow', ...node(code + givesUp)];
    expect((await rehearse(...quick, ...args)).code).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  });

  test.each([
    ['http://mock.test:4010', '1'],
    ['https://mock.test', undefined],
  ])('lets the client of the command use the public address %s', async (address, allowed) => {
    const code = `const { INSTALLMENT_BASE_URL: url, INSTALLMENT_ALLOW_INSECURE_HTTP: allowed } = process.env;
      if (url !== '${address}' || allowed !== ${allowed === undefined ? 'undefined' : `'${allowed}'`}) process.exit(9);
      fetch(process.env.INSTALLMENT_MOCK_URL + '/v2/payments', { method: 'POST', body: '{}' });`;
    const args = ['--public-url', address, '--scenarios', 'slow', ...node(code)];
    const { output } = await rehearse(...quick, ...args);
    expect(output).toContain('the shop created no payment');
  });
});

describe('rehearse --service', () => {
  const seen = join(folder, 'service.json');
  writeFileSync(
    seen,
    JSON.stringify({ schema: 1, mock: { scenario: { refusals: 'by-kind' } }, observations: [] }),
  );
  const refused = node(`${merchant} (async () => {
    const { status } = await fetch(env.INSTALLMENT_BASE_URL + '/v2/payments', { method: 'POST', body: '{}' });
    if (status !== 401) throw new Error('HTTP ' + status);
    await pay();
  })().catch((error) => { console.log(error.message); process.exit(3); });`);

  test('uses the observations in its baseline and in each other scenario, and does not run an equal scenario again', async () => {
    const args = [...quick, '--service', seen, '--scenarios', 'refusals-by-kind,extra-fields', ...refused];
    const { code, output } = await rehearse(...args);
    expect(output).toMatch(/\[1\/2\] baseline +ok[^]+\[2\/2\] extra-fields +ok/);
    expect(output).not.toContain('refusals-by-kind');
    expect(code, output).toBe(0);
  });
});
