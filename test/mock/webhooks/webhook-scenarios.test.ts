import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  createMockService,
  DEMO_MERCHANT,
  type MockOptions,
  type MockService,
  type MockWebhookEvent,
  type WebhookDelivery,
} from '../../../src/entries/mock.js';
import { signPayment } from '../../../src/operations/signer.js';
import { verifyWebhook, WebhookError } from '../../../src/entries/webhooks.js';
import { receiver } from '../../helpers/receiver.js';
import type { RecordedRequest, Script } from '../../helpers/recording-server.js';
import { takeProblems } from '../../helpers/request-watch.js';
import { settle as allThatIsReady } from '../../helpers/runtime.js';
import { initiate, order } from '../../helpers/signed-requests.js';

/** A mock that sends its webhooks to a server, which keeps them. */
async function merchantIn(
  scenario: MockOptions['scenario'],
  options: MockOptions = {},
  ...scripts: readonly Script[]
) {
  const { url, requests } = await receiver(...scripts);
  const mock = createMockService({ ...options, scenario, webhook: { ...options.webhook, url } });
  onTestFinished(() => {
    mock.reset();
  });
  return { mock, requests };
}

async function create(mock: MockService, referenceId = 'ORDER-1', changes: object = {}): Promise<Response> {
  const { path, init } = initiate(order({ referenceId, ...changes }));
  return mock.fetch(`https://mock.example${path}`, init);
}

const statusOf = ({ body }: RecordedRequest) => (JSON.parse(body.toString()) as { status: string }).status;

/** The webhooks once no webhook is being sent. */
async function finished(mock: MockService): Promise<WebhookDelivery[]> {
  for (;;) {
    const all = mock.webhooks.all();
    if (all.every(({ status }) => status !== 'pending')) return all;
    await new Promise<void>((resolve) => {
      const unsubscribe = mock.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });
  }
}

/** A late response. */
const after =
  (milliseconds: number): Script =>
  (socket) => {
    setTimeout(() => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'), milliseconds);
  };

describe('the dimension notification', () => {
  test('sends no webhook for a settled payment with `never`', async () => {
    const { mock, requests } = await merchantIn({ notification: 'never' });
    await create(mock);
    mock.settle('ORDER-1', 'paid');
    expect(mock.webhooks.all()).toEqual([]);
    expect(requests).toEqual([]);
  });

  test('sends the same webhook again once the first was delivered with `twice`', async () => {
    const { mock, requests } = await merchantIn({ notification: 'twice' }, {}, after(50), {});
    await create(mock);
    mock.settle('ORDER-1', 'paid');
    const [first, second] = await finished(mock);
    expect(requests.map(({ body }) => body.toString())).toEqual([first?.body, first?.body]);
    expect(requests.map(({ headers }) => headers['signature'])).toEqual([
      first?.headers['Signature'],
      first?.headers['Signature'],
    ]);
    expect(mock.webhooks.all().map(({ id, status }) => [id, status])).toEqual([
      ['WH-00000001', 'delivered'],
      ['WH-00000002', 'delivered'],
    ]);
    const [before] = first?.tries ?? [];
    const [later] = second?.tries ?? [];
    expect(Number(later?.startedAt) - Number(before?.startedAt)).toBeGreaterThanOrEqual(45);
  });

  test('sends both copies of a webhook before the merchant responds to either with `together`', async () => {
    const waiting: (() => void)[] = [];
    const { mock, requests } = await merchantIn({ notification: 'together' }, {}, (socket) => {
      waiting.push(() => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
      if (waiting.length === 2) for (const answer of waiting) answer();
    });
    await create(mock);
    mock.settle('ORDER-1', 'paid');
    expect(await finished(mock)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
    expect(requests[0]?.body).toEqual(requests[1]?.body);
  });

  test('does not send the second copy once the mock is closed with `twice`', async () => {
    const { mock, requests } = await merchantIn({ notification: 'twice' }, {}, () => undefined);
    await create(mock);
    mock.settle('ORDER-1', 'paid');
    const server = await mock.listen();
    await expect.poll(() => requests.length).toBe(1);
    await server.close();
    expect(mock.webhooks.all().map(({ status }) => status)).toEqual(['failed', 'failed']);
    await allThatIsReady();
    expect(requests).toHaveLength(1);
  });

  test('sends the webhook before the response to the request that created the payment with `early`', async () => {
    const { mock, requests } = await merchantIn({ notification: 'early' }, {}, after(50));
    mock.subscribe((change) => {
      if (change.kind === 'payment' && mock.payments.get(change.referenceId)?.status === 'pending')
        mock.settle(change.referenceId, 'paid');
    });
    const response = await create(mock);
    expect(response.status).toBe(200);
    expect(requests.map(statusOf)).toEqual(['paid']);
    expect(mock.webhooks.all()).toMatchObject([{ status: 'delivered' }]);
  });

  test.each([
    ['/_mock/settle', 'referenceId=ORDER-1&status=paid'],
    ['/pay/00000001', 'outcome=paid'],
  ])('sends the webhook before the response to %s with `early`', async (path, form) => {
    const { mock } = await merchantIn({ notification: 'early' }, {}, after(50));
    await create(mock);
    const response = await mock.fetch(`https://mock.example${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
    expect(response.status).toBeLessThan(400);
    expect(mock.webhooks.all()).toMatchObject([{ status: 'delivered' }]);
  });

  test('tries the webhook once, before the response to the request, whatever the merchant responds, with `once`', async () => {
    const pauses: number[] = [];
    const delay: MockOptions['delay'] = (milliseconds, signal) => {
      pauses.push(milliseconds);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    const { mock } = await merchantIn('notification-once', { delay }, { status: 500 });
    mock.subscribe((change) => {
      if (change.kind === 'payment' && mock.payments.get(change.referenceId)?.status === 'pending')
        mock.settle(change.referenceId, 'paid');
    });
    await create(mock);
    const [delivery] = mock.webhooks.all();
    expect(delivery?.tries.map(({ httpStatus }) => httpStatus)).toEqual([500]);
    expect(delivery?.status).toBe('failed');
    // The response to the request waits for the webhook, and there is no further try.
    expect(pauses).toEqual([1000]);
  });

  test('does not delay a response if no customer has acted with `early`', async () => {
    const pauses: number[] = [];
    const delay: MockOptions['delay'] = (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    };
    const { mock } = await merchantIn({ notification: 'early' }, { delay });
    await create(mock);
    expect(pauses).toEqual([]);
  });
});

describe('the dimension settlement', () => {
  test.each(['declined', 'expired'] as const)(
    'allows a payment that is %s to be paid, and announces both ends, with `late`',
    async (end) => {
      const { mock, requests } = await merchantIn({ settlement: 'late' });
      await create(mock);
      mock.settle('ORDER-1', end);
      await finished(mock);
      expect(mock.settle('ORDER-1', 'paid')).toMatchObject({ status: 'paid', paymentTransId: 'PT-00000001' });
      await finished(mock);
      expect(requests.map(statusOf)).toEqual([end, 'paid']);
      expect(mock.webhooks.all().map(({ paymentStatus }) => paymentStatus)).toEqual([end, 'paid']);
    },
  );
});

// The second reader of the wire records forgeries, because they are wrongly signed on purpose.
const expectForgeries = () => void takeProblems();

describe('forged webhooks', () => {
  afterEach(expectForgeries);

  const isTrue = ({ body, headers }: RecordedRequest) => {
    try {
      verifyWebhook({ body, signature: headers['signature'] }, { secretKey: DEMO_MERCHANT.secretKey });
      return true;
    } catch (error) {
      if (error instanceof WebhookError) return false;
      throw error;
    }
  };

  test('say paid six times beside a webhook that says declined, and none is signed with the key', async () => {
    const { mock, requests } = await merchantIn({ forged: true });
    await create(mock);
    mock.settle('ORDER-1', 'declined');
    const all = await finished(mock);
    expect(all.map(({ forgery, paymentStatus }) => [forgery, paymentStatus])).toEqual([
      [undefined, 'declined'],
      ...['unsigned', 'zeros', 'other-body', 'other-key', 'empty-key', 'beyond-ascii'].map((name) => [
        name,
        'paid',
      ]),
    ]);
    const [real, ...forged] = all.map(({ body }) => JSON.parse(body) as MockWebhookEvent);
    const amount = (index: number) => ({ value: 12_000_000 + Number(index === 2), currency: 'VND' });
    const wrong = { status: 'paid', paymentTransId: 'PT-FORGED' };
    expect(forged).toEqual(
      forged.map(({ id, settledAt }, index) => ({ ...real, id, settledAt, amount: amount(index), ...wrong })),
    );
    const bodies = all.map(({ body }) => body);
    const emptyKey = createHmac('sha256', '').update(bodies[5] ?? '');
    expect(all.map(({ headers }) => headers['Signature'])).toEqual([
      signPayment(bodies[0] ?? '', DEMO_MERCHANT.secretKey),
      undefined,
      '0'.repeat(64),
      signPayment(bodies[3]?.replace('12000001', '12000000') ?? '', DEMO_MERCHANT.secretKey),
      expect.stringMatching(/^[0-9a-f]{64}$/),
      emptyKey.digest('hex'),
      `${'0'.repeat(63)}é`,
    ]);
    expect(requests.map(isTrue)).toEqual([false, false, false, false, false, false, true]);
  });

  test('are tried once each, and the responses to them are kept', async () => {
    const { mock } = await merchantIn({ forged: true }, { delay: () => Promise.resolve() }, { status: 401 });
    await create(mock);
    mock.settle('ORDER-1', 'paid');
    const all = await finished(mock);
    expect(all.map(({ tries }) => tries.map(({ httpStatus }) => httpStatus))).toEqual([
      [401, 401, 401, 401],
      ...Array.from({ length: 6 }, () => [401]),
    ]);
  });

  test('have the shape of webhook.body, except a forgery that would equal the genuine webhook, which is left out', async () => {
    const body = ({ referenceId, status }: { referenceId: string; status: string }) =>
      `${referenceId}=${status}`;
    const { mock, requests } = await merchantIn(
      { forged: true },
      { webhook: { url: 'http://unused', body } },
    );
    expect(requests).toEqual([]);
    await create(mock);
    mock.settle('ORDER-1', 'paid');
    const names = mock.webhooks.all().map(({ forgery }) => forgery);
    expect(names).toEqual([undefined, 'unsigned', 'zeros', 'other-key', 'empty-key', 'beyond-ascii']);
    await create(mock, 'ORDER-2');
    mock.settle('ORDER-2', 'declined');
    expect(
      mock.webhooks
        .all()
        .slice(6)
        .map(({ forgery, body: text }) => [forgery, text]),
    ).toEqual([
      [undefined, 'ORDER-2=declined'],
      ['unsigned', 'ORDER-2=paid'],
      ['zeros', 'ORDER-2=paid'],
      ['other-key', 'ORDER-2=paid'],
      ['empty-key', 'ORDER-2=paid'],
      ['beyond-ascii', 'ORDER-2=paid'],
    ]);
  });
});

describe('webhooks before the end of a payment', () => {
  const told = ({ body }: RecordedRequest) => {
    const { referenceId, merchantId, status, amount } = JSON.parse(body.toString()) as MockWebhookEvent;
    return [referenceId, merchantId, status, amount.value, amount.currency].join(' ');
  };
  const truth = (status: string) => `ORDER-1 DEMO-MERCHANT ${status} 12000000 VND`;

  test.each([
    ['pending-first', ['pending']],
    ['unknown-status', ['AWAITING_REVIEW', 'UNPAID', 'PARTIALLY_PAID']],
  ] as const)('with `%s` say %s, are signed, and are sent once each', async (notification, words) => {
    const refused = words.map(() => ({ status: 500 }));
    const { mock, requests } = await merchantIn({ notification }, {}, ...refused, {});
    await create(mock);
    mock.settle('ORDER-1', 'paid');
    const [, ...decoys] = await finished(mock);
    const [last, ...first] = requests.map(told).reverse();
    expect(first.sort()).toEqual(words.map(truth).sort());
    expect(last).toBe(truth('paid'));
    expect(decoys.map((each) => [each.decoy, each.status])).toEqual(words.map((word) => [word, 'failed']));
  });

  test('say paid four times, once each, before a payment is declined, with `decoys`', async () => {
    const { mock, requests } = await merchantIn({ events: 'decoys' }, {}, { status: 400 });
    await create(mock);
    mock.settle('ORDER-1', 'declined');
    await expect.poll(() => requests.length).toBe(5);
    expect(requests.slice(0, 4).map(told).sort()).toEqual([
      'NO-SUCH-ORDER DEMO-MERCHANT paid 12000000 VND',
      'ORDER-1 ANOTHER-MERCHANT paid 12000000 VND',
      'ORDER-1 DEMO-MERCHANT paid 12000000 USD',
      'ORDER-1 DEMO-MERCHANT paid 6000000 VND',
    ]);
    expect(requests.slice(4).map(told)).toEqual([truth('declined')]);
  });

  test('are not sent if the payment is paid, or if the template writes them like the genuine webhook, with `decoys`', async () => {
    const template = { body: { ref: '{referenceId}', state: '{status}' } };
    const { mock, requests } = await merchantIn(
      { events: 'decoys' },
      { webhook: { url: 'http://unused', template } },
    );
    for (const referenceId of ['ORDER-1', 'ORDER-2']) await create(mock, referenceId);
    mock.settle('ORDER-1', 'paid');
    mock.settle('ORDER-2', 'declined');
    await finished(mock);
    expect(requests.map(({ body }) => body.toString()).sort()).toEqual([
      '{"ref":"NO-SUCH-ORDER","state":"paid"}',
      '{"ref":"ORDER-1","state":"paid"}',
      '{"ref":"ORDER-2","state":"declined"}',
    ]);
  });

  test('are not sent if webhook.body cannot write them, with `unknown-status`', async () => {
    const body = ({ status }: { status: string }) => status;
    const webhook = { url: 'http://unused', body };
    const { mock, requests } = await merchantIn({ notification: 'unknown-status' }, { webhook });
    await create(mock);
    mock.settle('ORDER-1', 'paid');
    expect(await finished(mock)).toHaveLength(1);
    expect(requests.map((request) => request.body.toString())).toEqual(['paid']);
  });

  test('are sent before the end if a rehearsal asks for them, and not again', async () => {
    const { mock, requests } = await merchantIn({ notification: 'pending-first' });
    await create(mock);
    const payment = mock.payments.get('ORDER-1');
    if (payment) await mock.webhooks.sendPreliminaries?.(payment);
    expect(requests.map(statusOf)).toEqual(['pending']);
    mock.settle('ORDER-1', 'paid');
    await finished(mock);
    expect(requests.map(statusOf)).toEqual(['pending', 'paid']);
  });
});

test('the alternative serialization changes the text but not the JSON, and the signature is of that text', async () => {
  const { mock, requests } = await merchantIn({ serialization: 'alternative' });
  await create(mock, 'ORDER-1', { description: 'Tủ lạnh / bếp' });
  mock.settle('ORDER-1', 'paid');
  await finished(mock);
  const [{ body, headers }] = requests as [RecordedRequest];
  const text = body.toString();
  expect(text).toContain('"description": "T\\u1ee7 l\\u1ea1nh / b\\u1ebfp"');
  expect(JSON.stringify(JSON.parse(text))).not.toBe(text);
  expect(headers['signature']).toBe(signPayment(text, DEMO_MERCHANT.secretKey));
});

test('an unknown webhook is refused by its ID', () => {
  const mock = createMockService({ webhook: { url: 'http://127.0.0.1:9/' } });
  expect(() => mock.webhooks.resend('WH-9\n')).toThrow('There is no webhook with the ID WH-9\\u{a}.');
});
