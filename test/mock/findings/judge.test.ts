import { describe, expect, it } from 'vitest';
import type { Look, RunRecord } from '../../../src/mock/findings/record.js';
import { judge, rules, type RuleName } from '../../../src/mock/findings/rules.js';
import type { JournalEntry } from '../../../src/mock/state/journal-types.js';
import type { MockInvoice } from '../../../src/mock/state/invoices.js';
import type { MockPayment } from '../../../src/mock/state/payment-record.js';
import type { WebhookDelivery } from '../../../src/mock/webhooks/webhook-types.js';

const start = Date.parse('2026-11-20T03:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1000);

type Entry = Partial<JournalEntry>;

/** An initiate request for ORDER-1 that was approved, sent as many seconds after the start as its ID. */
function request(id: number, entry: Entry = {}): JournalEntry {
  const referenceId = entry.referenceId ?? 'ORDER-1';
  return {
    id,
    ...{ merchantId: 'M', at: at(id), operation: 'initiatePayment', method: 'POST', path: '/v2/payments' },
    ...{ headers: { 'client-id': 'demo-client' }, referenceId, idempotencyKey: `key of ${referenceId}` },
    ...{ body: JSON.stringify({ referenceId, amount: { value: 100 } }), bodyBytes: 60, durationMs: 5 },
    ...{ resultStatus: 'APPROVED', httpStatus: 200, replay: false, scripted: false, completed: true },
    ...{ acted: true, answer: 'sent' },
    ...entry,
  };
}

const lost = { answer: 'lost' } as const;
const second = { referenceId: 'ORDER-2' };
const processing = { resultStatus: 'REQUEST_PROCESSING' } as const;
const tooMany = { resultStatus: undefined as never, httpStatus: 429, acted: false };
const noKey = { idempotencyKey: undefined as never };
const asksToWait = {
  httpStatus: 429,
  response: { headers: { 'retry-after': '1' }, body: '', bodyBytes: 0 },
};
const pdf = (sha256: string) => [{ field: 'file', name: 'a.pdf', type: 'application/pdf', size: 9, sha256 }];

function upload(id: number, entry: Entry = {}): JournalEntry {
  const { body: _body, idempotencyKey: _key, ...form } = request(id, entry);
  return { ...form, operation: 'uploadInvoice', files: pdf('aa'), ...entry };
}

/** A request to an operation of the merchant's own, whose body names the order in its own way. */
function query(id: number, entry: Entry): JournalEntry {
  const { operation: _operation, referenceId: _reference, idempotencyKey: _key, ...own } = request(id, entry);
  return { ...own, own: true, path: '/v2/status' };
}

function payment(referenceId = 'ORDER-1', paidAfter?: number, changes: object = {}): MockPayment {
  const paid = paidAfter !== undefined && { status: 'paid', settledAt: at(paidAfter) };
  const made = { referenceId, merchantId: 'M', request: {}, status: 'pending', createdAt: at(0) };
  return { ...made, ...paid, ...changes } as MockPayment;
}
const paid = [payment('ORDER-1', 2)];

function invoice(referenceId = 'ORDER-1', sha256 = 'aa'): MockInvoice {
  return { referenceId, merchantId: 'M', file: pdf(sha256)[0] } as MockInvoice;
}

function webhook(after: number, status: number, delivery: Partial<WebhookDelivery> = {}): WebhookDelivery {
  const tries = [{ startedAt: at(after), durationMs: 5, httpStatus: status }];
  return {
    ...{ id: `WH-${after}`, referenceId: 'ORDER-1', createdAt: at(after), tries },
    ...delivery,
  } as WebhookDelivery;
}
const forged = (status: number) => webhook(3, status, { forgery: 'zeros' });

/** A look at the page of ORDER-1 at the end, which the service has as open. */
function look(isCounted: boolean, changes: Partial<Look> = {}): Look {
  return { referenceId: 'ORDER-1', moment: 'end', isPaid: false, paid: isCounted, ...changes };
}

function run(seen: Partial<RunRecord>): RunRecord {
  const nothing = { requests: [], payments: [], invoices: [], webhooks: [], ends: [], looks: [], clicks: [] };
  return { ...nothing, hasWebhook: false, requestTimeOffset: 7 * 60, ...seen };
}

const plain = run({
  requests: [request(1)],
  payments: [payment()],
  invoices: [invoice()],
  looks: [look(true, { isPaid: true, count: 1 })],
});
const many = (size: number, entry: (id: number) => JournalEntry) =>
  Array.from({ length: size }, (_, index) => entry(index + 1));
const clicks = (...orders: readonly string[]) =>
  orders.map((order, index) => ({ order, referenceId: `ORDER-${index + 1}`, merchantId: 'M' }));
const time = (text: string) => [request(1, { headers: { 'request-time': text } })];

/** A record, and the requests that a finding names. */
type Seen = Partial<RunRecord> & { readonly named?: readonly number[] };
type Cases = Readonly<Record<string, Seen>>;

const cases: Readonly<Record<RuleName, { readonly broken: Cases; readonly kept: Cases }>> = {
  'two-payments': {
    broken: {
      'one payment more than in the plain world': {
        requests: [request(1, lost), request(2, second)],
        payments: [payment(), payment('ORDER-2')],
        named: [1, 2],
      },
      'more payments than orders, also in the plain world': {
        orders: 1,
        requests: [request(1, processing), request(2, second)],
        payments: [payment(), payment('ORDER-2')],
        clicks: clicks('A', 'A'),
        named: [1, 2],
      },
    },
    kept: {
      'fewer payments than in the plain world': {},
      'another attempt after the first was declined': {
        payments: [payment(), payment('ORDER-2', undefined, { createdAt: at(9) })],
        ends: [{ referenceId: 'ORDER-1', merchantId: 'M', status: 'declined', settledAt: at(5) }],
      },
    },
  },
  'new-reference-after-unknown': {
    broken: {
      'another reference after a lost answer': {
        requests: [request(1, lost), request(2, second)],
        named: [1, 2],
      },
      'another reference after REQUEST_PROCESSING': {
        requests: [request(1, processing), request(2, second)],
        named: [1, 2],
      },
    },
    kept: {
      'another reference after a refusal': {
        requests: [request(1, { resultStatus: 'INVALID_AMOUNT' }), request(2, second)],
      },
    },
  },
  'new-key': {
    broken: {
      'one body under two keys': {
        requests: [request(1), request(2, { idempotencyKey: 'another' })],
        named: [1, 2],
      },
      'a fresh key with each retry, after a first request with another body': {
        requests: many(3, (id) => request(id, { idempotencyKey: `${id}`, ...(id === 1 && { body: '{}' }) })),
        named: [2, 3],
      },
    },
    kept: {
      'another body under another key': {
        requests: [request(1), request(2, { idempotencyKey: 'another', body: '{}' })],
      },
      'a body under another key that differs after the text that the journal keeps': {
        requests: ['aa', 'bb'].map((hash, id) => request(id, { idempotencyKey: hash, bodySha256: hash })),
      },
    },
  },
  'key-reused': {
    broken: {
      'one key with two bodies': { requests: [request(1), request(2, { body: '{}' })], named: [1, 2] },
      'one key with two bodies that differ after the text that the journal keeps': {
        requests: many(2, (id) => request(id, { bodySha256: `${id}` })),
        named: [1, 2],
      },
    },
    kept: {
      'the same key from another client': {
        requests: [request(1), request(2, { body: '{}', headers: { 'client-id': 'other' } })],
      },
    },
  },
  'repeats-for-ever': {
    broken: {
      '21 requests that never end': { requests: many(21, (id) => request(id, processing)) },
      'ten requests within two seconds': { requests: many(10, (id) => request(id, { at: at(id * 0.2) })) },
    },
    kept: {
      '21 requests, of which the second ended it': {
        requests: many(21, (id) => request(id * 2, id === 2 ? {} : processing)),
      },
    },
  },
  'upload-again': {
    broken: {
      'a lost upload that is stored twice': {
        requests: [upload(4, lost), upload(5)],
        payments: paid,
        invoices: [invoice(), invoice()],
        named: [4, 5],
      },
      'one invoice more than in the plain world': {
        requests: [upload(4), upload(5)],
        payments: paid,
        invoices: [invoice(), invoice()],
        named: [4, 5],
      },
    },
    kept: {
      'a lost upload that the service recognises': {
        requests: [upload(4, lost), upload(5)],
        payments: paid,
        invoices: [invoice()],
      },
      'two files of which one was lost': {
        requests: [upload(4, lost), upload(5, { files: pdf('bb') })],
        invoices: [invoice()],
      },
      'the same file for two merchants that have one reference': {
        requests: ['A', 'B'].map((merchantId, index) => upload(4 + index, { merchantId, ...lost })),
        payments: ['A', 'B'].map((merchantId) => payment('ORDER-1', 2, { merchantId })),
        invoices: ['A', 'B'].map((merchantId) => ({ ...invoice(), merchantId })),
      },
    },
  },
  'upload-unconfirmed': {
    broken: {
      'an upload for a pending payment': { requests: [upload(4)], payments: [payment()], named: [4] },
      'an upload before the payment was paid': {
        requests: [upload(4)],
        payments: [payment('ORDER-1', 5)],
        named: [4],
      },
      'an upload before the notification': {
        hasWebhook: true,
        requests: [upload(4)],
        payments: paid,
        webhooks: [webhook(5, 204)],
        named: [4],
      },
      'an upload for the pending one of two merchants that have one reference': {
        requests: [upload(4, { merchantId: 'A' })],
        payments: [payment('ORDER-1', undefined, { merchantId: 'A' }), ...paid],
        named: [4],
      },
    },
    kept: {
      'an upload after the notification': {
        hasWebhook: true,
        requests: [upload(4)],
        payments: paid,
        webhooks: [webhook(3, 204)],
      },
      'an upload after a query whose answer names the order': {
        hasWebhook: true,
        requests: [
          query(3, { response: { headers: {}, body: '{"paid":["ORDER-1"]}', bodyBytes: 20 } }),
          upload(4),
        ],
        payments: paid,
      },
    },
  },
  'forged-accepted': {
    broken: {
      'a forged notification is accepted, and nobody can be asked': { webhooks: [forged(200)], named: [] },
      'the page that could tell cannot be read': {
        webhooks: [forged(200)],
        looks: [look(false, { problem: 'no page' })],
      },
      'an upload follows a forged notification': {
        requests: [upload(4)],
        webhooks: [forged(200)],
        looks: [look(false, { moment: 'announced' })],
        named: [4],
      },
      'the order counts as paid before the true notification': {
        payments: paid,
        webhooks: [forged(200), webhook(5, 200)],
        looks: [look(true, { moment: 'announced' })],
      },
      'the order of a customer who declines counts as paid at the end': {
        webhooks: [forged(200)],
        looks: [look(true)],
      },
    },
    kept: {
      'a forged notification is refused': { webhooks: [forged(401)] },
      'a forged notification is answered with 200 and ignored': {
        webhooks: [forged(200)],
        looks: [look(false, { moment: 'announced' })],
      },
    },
  },
  'paid-not-counted': {
    broken: {
      'a paid order that the page does not count': { payments: paid, looks: [look(false, { isPaid: true })] },
    },
    kept: {
      'a paid order whose page says so': { payments: paid, looks: [look(true, { isPaid: true })] },
    },
  },
  'unpaid-counted': {
    broken: {
      'a pending order that the page counts': { payments: [payment()], looks: [look(true)] },
      'the order counts as paid after a signed notification of a lower amount': {
        webhooks: [webhook(3, 200, { odd: 'lower-amount' }), webhook(5, 200)],
        looks: [look(true, { moment: 'announced' }), look(false)],
      },
    },
    kept: { 'an order that is paid': { payments: paid, looks: [look(true, { isPaid: true })] } },
  },
  'redirect-believed': {
    broken: {
      'the order counts as paid after its redirect address was opened': {
        looks: [look(true, { moment: 'redirected' })],
      },
    },
    kept: {
      'an order that somebody had paid': { looks: [look(true, { moment: 'redirected', isPaid: true })] },
    },
  },
  'counted-twice': {
    broken: { 'two parcels, one in the plain world': { looks: [look(true, { isPaid: true, count: 2 })] } },
    kept: { 'as many parcels as in the plain world': { looks: [look(true, { isPaid: true, count: 1 })] } },
  },
  'two-links-paid': {
    broken: {
      'both links of one order are paid': {
        requests: [request(1), request(2, second)],
        payments: [payment('ORDER-1', 3), payment('ORDER-2', 4)],
        clicks: clicks('A', 'A'),
        named: [1, 2],
      },
    },
    kept: {
      'two orders that are alike, and are paid': {
        payments: [payment('ORDER-1', 3), payment('ORDER-2', 4)],
        clicks: clicks('A', 'B'),
      },
    },
  },
  'no-key': {
    broken: { 'a request without a key': { requests: [request(1, noKey)], named: [1] } },
    kept: { 'a request with a key': { requests: [request(1)] } },
  },
  'answer-abandoned': {
    broken: {
      'a lost answer that nothing asks for': { requests: [request(1, lost)], named: [1] },
      'a lost answer that only an upload follows': {
        requests: [request(1, lost), upload(2)],
        payments: [payment('ORDER-1', 1)],
        named: [1],
      },
      'a lost answer that another merchant asks for': {
        requests: [request(1, lost), request(2, { merchantId: 'B' })],
        named: [1],
      },
      'REQUEST_PROCESSING without a retry': { requests: [request(1, processing)], named: [1] },
      'HTTP 429 without a retry': { requests: [request(1, tooMany)], named: [1] },
    },
    kept: {
      'a lost answer that a query asks for by another name': {
        requests: [request(1, lost), query(2, { body: '{"data":{"orderRef":"ORDER-1"}}' })],
      },
      'an order that is still REQUEST_PROCESSING when it is asked again': {
        requests: many(2, (id) => request(id, processing)),
      },
      'HTTP 429, then an approval': { requests: [request(1, tooMany), request(2)] },
    },
  },
  'retry-after-ignored': {
    broken: {
      'a retry before the time': {
        requests: [request(1, asksToWait), request(2, { at: at(1.3) })],
        named: [1, 2],
      },
      'a retry at once, with an upload after the time': {
        requests: [request(1, asksToWait), request(2, { at: at(1.001) }), upload(3, { at: at(4) })],
        payments: paid,
        named: [1, 2],
      },
    },
    kept: {
      'a retry after the time': { requests: [request(1, asksToWait), request(2, { at: at(2.1) })] },
      'a request that another process sent at once, where the first one waits': {
        requests: [
          request(1, { ...asksToWait, completedAt: at(1.1) }),
          request(2, { at: at(1.101) }),
          request(3, { at: at(2.2) }),
        ],
      },
    },
  },
  'request-time-off': {
    broken: { 'the time of UTC': { requests: time('2026-11-20 03:00:01'), named: [1] } },
    kept: { 'a clock that is two minutes off': { requests: time('2026-11-20 10:02:01') } },
  },
  'notification-refused': {
    broken: { 'a notification that is never accepted': { webhooks: [webhook(3, 500)], named: [] } },
    kept: {
      'an odd notification that is refused': { webhooks: [webhook(3, 400, { odd: 'unknown-status' })] },
      'a notification that is accepted at the second try': {
        webhooks: [webhook(3, 204, { tries: [...webhook(3, 500).tries, ...webhook(4, 204).tries] })],
      },
    },
  },
  'order-odd': {
    broken: {
      'an order with a warning': {
        requests: [request(1, { warnings: ['The sum is tenfold.'] })],
        named: [1],
      },
    },
    kept: { 'an order without a warning': { requests: [request(1)] } },
  },
};

const found = (rule: RuleName, { named: _named, ...seen }: Seen, beside = plain) =>
  judge('lost-answer', run(seen), beside).filter((finding) => finding.rule === rule);

describe.each(Object.entries(cases) as [RuleName, (typeof cases)[RuleName]][])(
  'The judge: %s',
  (rule, { broken, kept }) => {
    it.each(Object.entries(broken))('is reported: %s', (_why, seen) => {
      const { level, why, fix } = rules[rule];
      const findings = found(rule, seen);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ world: 'lost-answer', level, why, fix });
      expect(findings[0]?.message).toMatch(/^\S.{20,}\.$/);
      if (seen.named) expect(findings[0]?.requests).toEqual(seen.named);
    });

    it.each(Object.entries(kept))('is not reported: %s', (_why, seen) => {
      expect(found(rule, seen)).toEqual([]);
    });
  },
);

describe('The judge', () => {
  it('skips the rules that compare when it sees one run alone', () => {
    expect(judge('plain', run({ payments: [payment(), payment('ORDER-2')] }))).toEqual([]);
  });

  it('counts a payment after the decline of another order, as the plain world has it', () => {
    const end = { referenceId: 'A', merchantId: 'M', status: 'declined', settledAt: at(5) } as const;
    const late = (referenceId: string) => payment(referenceId, undefined, { createdAt: at(9) });
    const usual = run({ payments: [payment('A'), late('B')], ends: [end] });
    expect(found('two-payments', { payments: [payment('A'), late('B')] }, usual)).toEqual([]);
    const more = { payments: [payment('A'), late('B'), late('B-2')], ends: [end] };
    expect(found('two-payments', more, usual)).toHaveLength(1);
  });

  it('names the request that followed under another reference, or says that it cannot tell', () => {
    const named = (...references: string[]) => {
      const requests = references.map((text, index) => {
        const [referenceId = '', end] = text.split(' ');
        return request(index + 1, { referenceId, body: 'equal orders', ...(end === 'lost' && lost) });
      });
      const two = run({ requests: ['P-0', 'P-1'].map((referenceId, id) => request(id, { referenceId })) });
      return found('new-reference-after-unknown', { requests }, two).map(({ message }) => message);
    };
    expect(named('R-0 lost', 'R-1 lost', 'R-2')).toEqual([
      'The response to request 2 (R-1) was lost; request 3 (R-2) followed under another reference.',
    ]);
    expect(named('a8f1 lost', '0c2e', '77b0')).toEqual([
      'The response to request 1 (a8f1) was lost; requests 2 (0c2e) and 3 (77b0) followed under another reference, one of them for it.',
    ]);
  });

  describe('compares the invoices with the plain world:', () => {
    const stored = (...counts: readonly number[]) => ({
      payments: counts.map((_count, index) => payment(`ORDER-${index}`, 2)),
      invoices: counts.flatMap((count, index) =>
        Array.from({ length: count }, (_, file) => invoice(`ORDER-${index}`, `file ${file}`)),
      ),
    });
    const isFound = (counts: readonly number[], usual: readonly number[]) =>
      found('upload-again', stored(...counts), run(stored(...usual))).length === 1;

    it.each([
      [
        [3, 1, 1],
        [1, 3, 1],
      ],
      [
        [1, 1],
        [1, 3, 1],
      ],
      [
        [3, 3, 1, 1],
        [1, 3, 1],
      ],
      [[2], [2, 1]],
    ])('%j are right beside %j', (counts, usual) => {
      expect(isFound(counts, usual)).toBe(false);
    });

    it.each([
      [
        [3, 3, 3],
        [1, 3, 1],
      ],
      [
        [1, 4, 1],
        [1, 3, 1],
      ],
      [
        [3, 2, 3, 1],
        [1, 3, 1],
      ],
      [
        [1, 1],
        [1, 0],
      ],
    ])('%j are more than %j', (counts, usual) => {
      expect(isFound(counts, usual)).toBe(true);
    });

    it('where nothing was paid there, a file is stored once', () => {
      const declined = run({ requests: [request(1)], payments: [payment()] });
      const late = (...invoices: MockInvoice[]) =>
        found('upload-again', { payments: paid, invoices }, declined);
      expect(late(invoice(), invoice('ORDER-1', 'bb'))).toEqual([]);
      expect(late(invoice(), invoice())).toHaveLength(1);
    });
  });

  it('says what the order page answered, and that no notification was accepted, with the cure for each', () => {
    const problem = 'GET http://shop/orders/ORDER-1 responded with HTTP 404';
    const looks = [look(false, { isPaid: true, problem })];
    const [error, warning] = judge('plain', run({ payments: paid, looks, webhooks: [webhook(3, 401)] }));
    expect(error?.message).toBe(
      `ORDER-1 is paid at the service; the merchant's order page could not be read, and no notification for it was accepted. ${problem}.`,
    );
    expect(error?.fix).toContain('Keep each attempt of an order');
    expect(warning?.message).toContain('never accepted: 1 try HTTP 401');
    expect(warning?.fix).toContain('raw bytes');
  });

  it('says that JSON was written again where the same event was accepted in its compact form', () => {
    const compact = run({ webhooks: [webhook(3, 204, { body: '{"a":1}' })] });
    const judged = (body: string) =>
      found('notification-refused', { webhooks: [webhook(3, 401, { body })] }, compact)[0];
    expect(judged('{"a": 1}')?.level).toBe('error');
    expect(judged('{"a": 1}')?.fix).toContain('written again');
    expect(judged('{"a":1}')?.level).toBe('warning');
  });

  it.each([
    ['2026-11-20 03:00:01', 'like the time at +00:00 (UTC); this mock'],
    ['2026-11-20 08:30:01', 'like the time at +05:30; this mock'],
    ['2026-11-20 10:17:01', "17 minutes ahead of the mock's clock: request 1 (ORDER-1)."],
  ])('names the time zone that explains a wrong Request-Time: %s', (text, words) => {
    expect(found('request-time-off', { requests: time(text) })[0]?.message).toContain(words);
  });

  it('names the first path in which two bodies under one key differ, without their values', () => {
    const requests = [1, 2].map((price) =>
      request(price, { body: JSON.stringify({ customer: { email: 'a@example.com' }, items: [{ price }] }) }),
    );
    expect(found('key-reused', { requests })[0]?.message).toBe(
      'One Idempotency-Key has two bodies: requests 1 (ORDER-1) and 2 (ORDER-1). First difference: items[0].price.',
    );
  });

  it('names the first and the last of many requests', () => {
    const requests = many(8, (id) => request(id, { ...noKey, referenceId: `R-${id}` }));
    expect(found('no-key', { requests })[0]?.message).toBe(
      'No Idempotency-Key: requests 1 (R-1), 2 (R-2), 3 (R-3), …, 7 (R-7) and 8 (R-8).',
    );
  });
});
