import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
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
    expect(output).toMatch(/\[2\/3\] lost-answer +1 warning/);
    expect(output).toContain('the command failed with exit code 3');
    expect(output).toContain('| no answer');
    expect(output).toContain('3 worlds: 1 warning');
    expect(output).toContain('Not shown to be right, see why: lost-answer (the command failed)');
    expect(output).toContain('Without --order-url');
    expect(code).toBe(0);
  });

  it('names a world with fewer payments than the plain one, and one whose command failed, not as ok', async () => {
    const givesUp = ['--', process.execPath, '-e', `${merchant} pay().catch(() => undefined);`];
    const fewer = await rehearse(...quick, '--worlds', 'rate-limited', ...givesUp);
    expect(fewer.output).toContain(
      'Not shown to be right, see why: rate-limited (0 payments, 1 payment in the plain world)',
    );
    const failed = await rehearse(...quick, '--worlds', 'rate-limited', ...right);
    expect(failed.output).toMatch(/\[2\/2\] rate-limited +command failed +1 request, 0 payments/);
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
