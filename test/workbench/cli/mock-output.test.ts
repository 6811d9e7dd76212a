import { describe, expect, test } from 'vitest';
import { banner, deliveryLine, lineOf, type ReadyLine } from '../../../src/workbench/cli/mock-output.js';
import { createMockService, DEMO_MERCHANT } from '../../../src/entries/mock.js';
import type { JournalEntry } from '../../../src/mock/state/journal-types.js';
import type { WebhookDelivery } from '../../../src/mock/webhooks/webhook-types.js';
import { version } from '../../../src/version.js';

const url = 'http://127.0.0.1:4010';
const at = new Date('2026-11-20T03:04:05Z');

describe('the line of a request', () => {
  const bare: JournalEntry = {
    id: 7,
    at,
    method: 'POST',
    path: '/v2/payments',
    headers: {},
    acted: true,
    replay: false,
    scripted: false,
    completed: true,
  };
  const decided = { operation: 'initiatePayment', resultStatus: 'APPROVED', durationMs: 1.25 } as const;
  const gone = { fault: { delayMs: 5 }, answer: 'abandoned', error: 'closed' } as const;
  const post = 'POST /v2/payments  ';

  test.each<[string, Partial<JournalEntry>, string]>([
    ['its result', { ...decided, referenceId: 'R-1' }, 'initiatePayment  R-1  APPROVED  1.3 ms'],
    [
      'an unknown path, escaped and cut',
      { path: `/\u001b${'x'.repeat(200)}` },
      `POST /\\u{1b}${'x'.repeat(98)}  0.0 ms`,
    ],
    ['the code of a receipt', { lenderTransactionCode: 'L\n', requestId: 'Q' }, `${post}L\\u{a}  0.0 ms`],
    ['a replay', { replay: true }, `${post}0.0 ms  (replay)`],
    ['a fault', { fault: 'hang', answer: 'lost' }, `${post}0.0 ms  (fault hang)`],
    ['a delay', gone, `${post}0.0 ms  (fault delay 5 ms, the sender had closed the connection, closed)`],
    [
      'odd values',
      { warnings: ['It is odd.', 'And short.'] },
      `${post}0.0 ms  (warning: It is odd. And short.)`,
    ],
    ['the diagnosis', { hasDiagnosis: true }, `${post}0.0 ms  (why: ${url}/_mock/ui/requests/7)`],
  ])('shows %s', (_what, changes, line) => {
    expect(lineOf({ ...bare, ...changes }, url)).toBe(`03:04:05  ${line}`);
  });
});

describe('the line of a webhook', () => {
  const delivery: WebhookDelivery = {
    id: 'WH-1',
    url: 'http://shop.example',
    referenceId: 'R\u001b',
    merchantId: 'M',
    paymentStatus: 'paid',
    createdAt: at,
    status: 'delivered',
    body: '',
    headers: {},
    tries: [{ startedAt: new Date(0), durationMs: 1, httpStatus: 500 }],
  };

  test('shows the last attempt and its result', () => {
    const tries = [...delivery.tries, { startedAt: at, durationMs: 1, httpStatus: 204 }];
    expect(deliveryLine({ ...delivery, tries })).toBe('03:04:05  webhook  R\\u{1b}  HTTP 204  (delivered)');
  });

  test('shows the reason for a failure and the time of the next attempt', () => {
    const tries = [{ startedAt: at, durationMs: 1, error: 'ECONNREFUSED\n' }];
    const nextTryAt = new Date('2026-11-20T03:04:07Z');
    expect(deliveryLine({ ...delivery, status: 'pending', tries, nextTryAt })).toBe(
      '03:04:05  webhook  R\\u{1b}  ECONNREFUSED\\u{a}  (again at 03:04:07)',
    );
  });
});

describe('the text of a mock that is ready', () => {
  const { clientId, secretKey, merchantId } = DEMO_MERCHANT;
  const ready: ReadyLine = {
    ready: true,
    url,
    port: 4010,
    scenario: 'baseline',
    clientOptions: {
      baseUrl: url,
      clientId,
      secretKey,
      merchantId,
      storeId: 'STORE-01',
      platformId: 'WEBSHOP',
      wire: {},
      allowInsecureHttp: true,
    },
    merchants: [DEMO_MERCHANT],
  };
  const linesOf = (changes: Partial<ReadyLine> = {}, host = '127.0.0.1', webhook?: string) =>
    banner({ ...ready, ...changes }, host, webhook).split('\n');
  const withOptions = (changes: Partial<ReadyLine['clientOptions']>) => ({
    clientOptions: { ...ready.clientOptions, ...changes },
  });

  const client = [
    '',
    'For your client:',
    '',
    "export INSTALLMENT_BASE_URL='http://127.0.0.1:4010'",
    "export INSTALLMENT_ALLOW_INSECURE_HTTP='1'",
    `export INSTALLMENT_CLIENT_ID='${clientId}'`,
    `export INSTALLMENT_SECRET_KEY='${secretKey}'`,
    `export INSTALLMENT_MERCHANT_ID='${merchantId}'`,
    "export INSTALLMENT_STORE_ID='STORE-01'",
    "export INSTALLMENT_PLATFORM_ID='WEBSHOP'",
    '',
    'In PowerShell:',
    '',
    "$env:INSTALLMENT_BASE_URL = 'http://127.0.0.1:4010'",
    "$env:INSTALLMENT_ALLOW_INSECURE_HTTP = '1'",
    `$env:INSTALLMENT_CLIENT_ID = '${clientId}'`,
    `$env:INSTALLMENT_SECRET_KEY = '${secretKey}'`,
    `$env:INSTALLMENT_MERCHANT_ID = '${merchantId}'`,
    "$env:INSTALLMENT_STORE_ID = 'STORE-01'",
    "$env:INSTALLMENT_PLATFORM_ID = 'WEBSHOP'",
    '',
  ];

  test('shows the addresses and the options of a client', () => {
    expect(linesOf()).toEqual([
      `installment-payments mock ${version}`,
      '',
      `Listening on ${url} (stop with Ctrl-C)`,
      `Inspector: ${url}/_mock`,
      ...client,
    ]);
  });

  test('shows the public address, the scenario and the webhook, if there are any', () => {
    const changes = { publicUrl: 'http://mock', scenario: 'late' };
    expect(linesOf(changes, '127.0.0.1', 'http://shop/\u001b').slice(2, 7)).toEqual([
      `Listening on ${url} (stop with Ctrl-C)`,
      'Public address: http://mock',
      'Scenario: late',
      'Webhook: http://shop/\\u{1b}, when a payment is settled',
      `Inspector: ${url}/_mock`,
    ]);
  });

  test.each(['0.0.0.0', '::'])('says that it listens on all addresses for %s', (host) => {
    expect(linesOf({}, host)[2]).toBe(
      `Listening on ${url} and every other address of this machine (stop with Ctrl-C)`,
    );
  });

  test('shows only the secret of the demo merchant, and the option wire', () => {
    const lines = linesOf(withOptions({ secretKey: 's3cret', wire: { signatureEncoding: 'base64' } }));
    expect(lines.join('\n')).not.toContain('s3cret');
    expect(lines.slice(-3)).toEqual([
      '# and INSTALLMENT_SECRET_KEY: the secret in the file of --config',
      '# and the option wire: {"signatureEncoding":"base64"}',
      '',
    ]);
  });

  test('shows no option wire if no switch is given', () => {
    const { wire } = createMockService().clientOptions();
    expect(linesOf(withOptions({ wire }))).toEqual(linesOf());
  });

  test('shows no store if the merchant has none', () => {
    const { storeId, ...withoutStore } = ready.clientOptions;
    expect(storeId).toBeDefined();
    expect(linesOf({ clientOptions: withoutStore }).join('\n')).not.toContain('STORE_ID');
  });
});
