import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/mock/findings/judge.js';
import type { Look, RunRecord } from '../../../src/mock/findings/record.js';
import { rules } from '../../../src/mock/findings/rules.js';
import type { JournalEntry } from '../../../src/mock/state/journal-types.js';
import type { MockInvoice } from '../../../src/mock/state/invoices.js';
import type { MockPayment } from '../../../src/mock/state/payment-record.js';
import type { WebhookDelivery } from '../../../src/mock/webhooks/webhook-types.js';

const start = Date.parse('2026-11-20T03:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1000);

type Entry = Partial<JournalEntry> & { readonly id: number };

/** An initiate request for ORDER-1 that was approved, sent as many seconds after the start as its ID. */
function request({ id, ...entry }: Entry): JournalEntry {
  const referenceId = entry.referenceId ?? 'ORDER-1';
  return {
    id,
    merchantId: 'M',
    at: at(id),
    operation: 'initiatePayment',
    method: 'POST',
    path: '/v2/payments',
    headers: { 'client-id': 'demo-client' },
    referenceId,
    idempotencyKey: `key of ${referenceId}`,
    body: JSON.stringify({ referenceId, amount: { value: 100 } }),
    bodyBytes: 60,
    resultStatus: 'APPROVED',
    httpStatus: 200,
    durationMs: 5,
    replay: false,
    scripted: false,
    completed: true,
    acted: true,
    answer: 'sent',
    ...entry,
  };
}

const lost = { answer: 'lost' } as const;
const pdf = (sha256: string) => [{ field: 'file', name: 'a.pdf', type: 'application/pdf', size: 9, sha256 }];

function upload(entry: Entry): JournalEntry {
  const { body: _body, idempotencyKey: _key, ...form } = request(entry);
  return { ...form, operation: 'uploadInvoice', files: pdf('aa'), ...entry };
}

/** A request to an operation of the merchant's own, whose body names the order in its own way. */
function query(entry: Entry): JournalEntry {
  const { operation: _operation, referenceId: _reference, idempotencyKey: _key, ...own } = request(entry);
  return { ...own, own: true, path: '/v2/status' };
}

function payment(referenceId = 'ORDER-1', paidAfter?: number): MockPayment {
  const paid = paidAfter !== undefined && { status: 'paid' as const, settledAt: at(paidAfter) };
  return {
    referenceId,
    merchantId: 'M',
    request: {},
    status: 'pending',
    createdAt: at(0),
    ...paid,
  } as MockPayment;
}

function invoice(referenceId = 'ORDER-1', sha256 = 'aa'): MockInvoice {
  return { referenceId, merchantId: 'M', file: pdf(sha256)[0] } as MockInvoice;
}

function webhook(
  after: number,
  httpStatus: number,
  delivery: Partial<WebhookDelivery> = {},
): WebhookDelivery {
  const tries = [{ startedAt: at(after), durationMs: 5, httpStatus }];
  return {
    id: `WH-${after}`,
    referenceId: 'ORDER-1',
    createdAt: at(after),
    tries,
    ...delivery,
  } as WebhookDelivery;
}

/** A look at the page of ORDER-1 at the end, which the service has as open. */
function look(paid: boolean, changes: Partial<Look> = {}): Look {
  return { referenceId: 'ORDER-1', moment: 'end', isPaid: false, paid, ...changes };
}

function run(seen: Partial<RunRecord>): RunRecord {
  const nothing = { requests: [], payments: [], invoices: [], webhooks: [], ends: [], looks: [], clicks: [] };
  return { ...nothing, hasWebhook: false, requestTimeOffset: 7 * 60, ...seen };
}

const plain = run({
  requests: [request({ id: 1 })],
  payments: [payment()],
  invoices: [invoice()],
  looks: [look(true, { isPaid: true, count: 1 })],
});
const many = (size: number, entry: (id: number) => JournalEntry) =>
  Array.from({ length: size }, (_, index) => entry(index + 1));
const processing = { resultStatus: 'REQUEST_PROCESSING' } as const;
const askedToWait = (changes: Partial<JournalEntry> = {}) =>
  request({
    id: 1,
    httpStatus: 429,
    response: { headers: { 'retry-after': '1' }, body: '', bodyBytes: 0 },
    ...changes,
  });
const tooMany = (id: number) =>
  request({ id, resultStatus: undefined as never, httpStatus: 429, acted: false });

type Row = readonly [
  rule: keyof typeof rules,
  why: string,
  seen: Partial<RunRecord>,
  requests?: readonly number[],
];

const broken: readonly Row[] = [
  [
    'two-payments',
    'one payment more than in the plain world',
    {
      requests: [request({ id: 1, ...lost }), request({ id: 2, referenceId: 'ORDER-2' })],
      payments: [payment(), payment('ORDER-2')],
    },
    [2],
  ],
  [
    'new-reference-after-unknown',
    'another reference after a lost answer',
    { requests: [request({ id: 1, ...lost }), request({ id: 2, referenceId: 'ORDER-2' })] },
    [1, 2],
  ],
  [
    'new-reference-after-unknown',
    'another reference after REQUEST_PROCESSING',
    { requests: [request({ id: 1, ...processing }), request({ id: 2, referenceId: 'ORDER-2' })] },
    [1, 2],
  ],
  [
    'new-key',
    'one body under two keys',
    { requests: [request({ id: 1 }), request({ id: 2, idempotencyKey: 'another' })] },
    [1, 2],
  ],
  [
    'new-key',
    'a fresh key with each repeat, after a first request with another body',
    {
      requests: ['first', 'second', 'third'].map((idempotencyKey, index) =>
        request({ id: index + 1, idempotencyKey, ...(index === 0 && { body: '{"referenceId":"ORDER-1"}' }) }),
      ),
    },
    [2, 3],
  ],
  [
    'new-key',
    'a fresh key with each repeat, after a first request without one',
    {
      requests: [undefined, 'second', 'third'].map((idempotencyKey, index) =>
        request({ id: index + 1, idempotencyKey: idempotencyKey as never }),
      ),
    },
    [2, 3],
  ],
  [
    'key-reused',
    'one key with two bodies that differ after the text that the journal keeps',
    { requests: [request({ id: 1, bodySha256: 'aa' }), request({ id: 2, bodySha256: 'bb' })] },
    [1, 2],
  ],
  [
    'key-reused',
    'one key with two bodies',
    {
      requests: [
        request({ id: 1 }),
        request({ id: 2, body: '{"referenceId":"ORDER-1","amount":{"value":101}}' }),
      ],
    },
    [1, 2],
  ],
  [
    'repeats-for-ever',
    '21 requests that never end',
    { requests: many(21, (id) => request({ id, ...processing })) },
  ],
  [
    'repeats-for-ever',
    'ten requests within two seconds',
    { requests: many(10, (id) => request({ id, at: at(id * 0.2) })) },
  ],
  [
    'upload-again',
    'a lost upload that is stored twice',
    {
      requests: [upload({ id: 4, ...lost }), upload({ id: 5 })],
      payments: [payment('ORDER-1', 2)],
      invoices: [invoice(), invoice()],
    },
    [4, 5],
  ],
  [
    'upload-again',
    'one invoice more than in the plain world',
    {
      requests: [upload({ id: 4 }), upload({ id: 5 })],
      payments: [payment('ORDER-1', 2)],
      invoices: [invoice(), invoice()],
    },
    [4, 5],
  ],
  [
    'upload-unconfirmed',
    'an upload for a pending payment',
    { requests: [upload({ id: 4 })], payments: [payment()] },
    [4],
  ],
  [
    'upload-unconfirmed',
    'an upload before the payment was paid',
    { requests: [upload({ id: 4 })], payments: [payment('ORDER-1', 5)] },
    [4],
  ],
  [
    'upload-unconfirmed',
    'an upload before the notification',
    {
      hasWebhook: true,
      requests: [upload({ id: 4 })],
      payments: [payment('ORDER-1', 2)],
      webhooks: [webhook(5, 204)],
    },
    [4],
  ],
  [
    'forged-accepted',
    'a forged notification is accepted, and nobody can be asked',
    { webhooks: [webhook(3, 200, { forged: true })] },
    [],
  ],
  [
    'forged-accepted',
    'an upload follows a forged notification',
    {
      requests: [upload({ id: 4 })],
      webhooks: [webhook(3, 200, { forged: true })],
      looks: [look(false, { moment: 'announced' })],
    },
    [4],
  ],
  [
    'forged-accepted',
    'the order counts as paid before the true notification',
    {
      payments: [payment('ORDER-1', 2)],
      webhooks: [webhook(3, 200, { forged: true }), webhook(5, 200)],
      looks: [look(true, { moment: 'announced' })],
    },
  ],
  [
    'paid-not-counted',
    'a paid order that the page does not count',
    { payments: [payment('ORDER-1', 2)], looks: [look(false, { isPaid: true })] },
  ],
  ['unpaid-counted', 'a pending order that the page counts', { payments: [payment()], looks: [look(true)] }],
  ['unpaid-counted', 'an order without any payment that the page counts', { looks: [look(true)] }],
  [
    'no-key',
    'a request without a key',
    { requests: [(({ idempotencyKey: _key, ...entry }) => entry)(request({ id: 1 }))] },
    [1],
  ],
  [
    'answer-abandoned',
    'a lost answer that nothing asks for',
    { requests: [request({ id: 1, ...lost })] },
    [1],
  ],
  [
    'answer-abandoned',
    'a lost answer that only an upload follows',
    { requests: [request({ id: 1, ...lost }), upload({ id: 2 })], payments: [payment('ORDER-1', 1)] },
    [1],
  ],
  [
    'answer-abandoned',
    'a request that is told REQUEST_PROCESSING and not repeated',
    { requests: [request({ id: 1, ...processing })] },
    [1],
  ],
  [
    'answer-abandoned',
    'a request that is refused with HTTP 429 and not repeated',
    { requests: [tooMany(1)] },
    [1],
  ],
  [
    'retry-after-ignored',
    'a repeat before the time',
    {
      requests: [askedToWait(), request({ id: 2, at: at(1.3) })],
    },
    [1, 2],
  ],
  [
    'retry-after-ignored',
    'a repeat at once, which waits no more',
    {
      requests: [askedToWait(), request({ id: 2, at: at(1.001) })],
    },
    [1, 2],
  ],
  [
    'retry-after-ignored',
    'a repeat at once, with an upload after the time',
    {
      requests: [askedToWait(), request({ id: 2, at: at(1.001) }), upload({ id: 3, at: at(4) })],
      payments: [payment('ORDER-1', 2)],
    },
    [1, 2],
  ],
  [
    'request-time-off',
    'the time of UTC',
    { requests: [request({ id: 1, headers: { 'request-time': '2026-11-20 03:00:01' } })] },
    [1],
  ],
  ['notification-refused', 'a notification that is never accepted', { webhooks: [webhook(3, 500)] }, []],
  [
    'two-payments',
    'more payments than orders, also in the plain world',
    {
      orders: 1,
      requests: [request({ id: 1, ...processing }), request({ id: 2, referenceId: 'ORDER-2' })],
      payments: [payment(), payment('ORDER-2')],
      clicks: ['ORDER-1', 'ORDER-2'].map((referenceId) => ({ order: 'A', referenceId, merchantId: 'M' })),
    },
    [2],
  ],
  [
    'forged-accepted',
    'the order of a customer who declines counts as paid at the end',
    { webhooks: [webhook(3, 200, { forged: true })], looks: [look(true)] },
  ],
  [
    'unpaid-counted',
    'the order counts as paid after a signed notification of a lower amount',
    {
      webhooks: [webhook(3, 200, { odd: 'lower-amount' }), webhook(5, 200)],
      looks: [look(true, { moment: 'announced' }), look(false)],
    },
  ],
  [
    'redirect-believed',
    'the order counts as paid after its redirect address was opened',
    { looks: [look(true, { moment: 'redirected' })] },
  ],
  [
    'counted-twice',
    'two parcels, one in the plain world',
    { looks: [look(true, { isPaid: true, count: 2 })] },
  ],
  [
    'two-links-paid',
    'both links of one order are paid',
    {
      requests: [request({ id: 1 }), request({ id: 2, referenceId: 'ORDER-2' })],
      payments: [payment('ORDER-1', 3), payment('ORDER-2', 4)],
      clicks: ['ORDER-1', 'ORDER-2'].map((referenceId) => ({ order: 'A', referenceId, merchantId: 'M' })),
    },
    [1, 2],
  ],
  [
    'order-odd',
    'an order with a warning',
    { requests: [request({ id: 1, warnings: ['The sum is tenfold.'] })] },
    [1],
  ],
];

const kept: readonly Row[] = [
  [
    'two-payments',
    'another attempt after the first was declined',
    {
      payments: [payment(), { ...payment('ORDER-2'), createdAt: at(9) }],
      ends: [{ referenceId: 'ORDER-1', merchantId: 'M', status: 'declined', at: at(5) }],
    },
  ],
  [
    'redirect-believed',
    'an order that somebody had paid',
    { looks: [look(true, { moment: 'redirected', isPaid: true })] },
  ],
  [
    'counted-twice',
    'as many parcels as in the plain world',
    { looks: [look(true, { isPaid: true, count: 1 })] },
  ],
  [
    'two-links-paid',
    'two orders that are alike, and are paid',
    {
      payments: [payment('ORDER-1', 3), payment('ORDER-2', 4)],
      clicks: ['1', '2'].map((n) => ({ order: n, referenceId: `ORDER-${n}`, merchantId: 'M' })),
    },
  ],
  ['order-odd', 'an order without a warning', { requests: [request({ id: 1 })] }],
  [
    'notification-refused',
    'an odd notification that is refused',
    { webhooks: [webhook(3, 400, { odd: 'unknown-status' })] },
  ],
  ['two-payments', 'fewer payments than in the plain world', {}],
  [
    'new-reference-after-unknown',
    'another reference after a refusal',
    {
      requests: [
        request({ id: 1, resultStatus: 'INVALID_AMOUNT' }),
        request({ id: 2, referenceId: 'ORDER-2' }),
      ],
    },
  ],
  [
    'new-key',
    'another body under another key',
    { requests: [request({ id: 1 }), request({ id: 2, idempotencyKey: 'another', body: '{}' })] },
  ],
  [
    'new-key',
    'a body under another key that differs after the text that the journal keeps',
    {
      requests: [
        request({ id: 1, bodySha256: 'aa' }),
        request({ id: 2, idempotencyKey: 'another', bodySha256: 'bb' }),
      ],
    },
  ],
  [
    'key-reused',
    'the same key from another client',
    { requests: [request({ id: 1 }), request({ id: 2, body: '{}', headers: { 'client-id': 'other' } })] },
  ],
  [
    'repeats-for-ever',
    '21 requests, of which the second ended it',
    { requests: many(21, (id) => request({ id: id * 2, ...(id !== 2 && processing) })) },
  ],
  [
    'upload-again',
    'a lost upload that the service recognises',
    {
      requests: [upload({ id: 4, ...lost }), upload({ id: 5 })],
      payments: [payment('ORDER-1', 2)],
      invoices: [invoice()],
    },
  ],
  [
    'upload-again',
    'two files of which one was lost',
    { requests: [upload({ id: 4, ...lost }), upload({ id: 5, files: pdf('bb') })], invoices: [invoice()] },
  ],
  [
    'upload-unconfirmed',
    'an upload after the notification',
    {
      hasWebhook: true,
      requests: [upload({ id: 4 })],
      payments: [payment('ORDER-1', 2)],
      webhooks: [webhook(3, 204)],
    },
  ],
  [
    'upload-unconfirmed',
    'an upload after a status query',
    {
      hasWebhook: true,
      requests: [request({ id: 3, operation: undefined as never, own: true }), upload({ id: 4 })],
      payments: [payment('ORDER-1', 2)],
    },
  ],
  [
    'upload-unconfirmed',
    'an upload after a query whose answer names the order',
    {
      hasWebhook: true,
      requests: [
        query({ id: 3, response: { headers: {}, body: '{"paid":["ORDER-1"]}', bodyBytes: 20 } }),
        upload({ id: 4 }),
      ],
      payments: [payment('ORDER-1', 2)],
    },
  ],
  ['forged-accepted', 'a forged notification is refused', { webhooks: [webhook(3, 401, { forged: true })] }],
  [
    'forged-accepted',
    'a forged notification is answered with 200 and ignored',
    {
      webhooks: [webhook(3, 200, { forged: true })],
      looks: [look(false, { moment: 'announced' })],
    },
  ],
  [
    'paid-not-counted',
    'a paid order whose page said so at last',
    {
      payments: [payment('ORDER-1', 2)],
      looks: [look(false, { isPaid: true }), look(true, { isPaid: true })],
    },
  ],
  [
    'unpaid-counted',
    'an order that is paid',
    { payments: [payment('ORDER-1', 2)], looks: [look(true, { isPaid: true })] },
  ],
  [
    'answer-abandoned',
    'a lost answer that a status query asks for',
    { requests: [request({ id: 1, ...lost }), request({ id: 2, operation: undefined as never, own: true })] },
  ],
  [
    'answer-abandoned',
    'a lost answer that a query asks for by another name',
    {
      requests: [request({ id: 1, ...lost }), query({ id: 2, body: '{"data":{"orderRef":"ORDER-1"}}' })],
    },
  ],
  [
    'answer-abandoned',
    'an order that is still REQUEST_PROCESSING when it is asked again',
    { requests: many(2, (id) => request({ id, ...processing })) },
  ],
  ['answer-abandoned', 'HTTP 429, then an approval', { requests: [tooMany(1), request({ id: 2 })] }],
  [
    'retry-after-ignored',
    'a repeat after the time',
    {
      requests: [askedToWait(), request({ id: 2, at: at(2.1) })],
    },
  ],
  [
    'retry-after-ignored',
    'a request that another process sent at once, where the first one waits',
    {
      requests: [
        askedToWait({ completedAt: at(1.1) }),
        request({ id: 2, at: at(1.101) }),
        request({ id: 3, at: at(2.2) }),
      ],
    },
  ],
  [
    'request-time-off',
    'a clock that is two minutes off',
    { requests: [request({ id: 1, headers: { 'request-time': '2026-11-20 10:02:01' } })] },
  ],
  [
    'notification-refused',
    'a notification that is accepted at the second try',
    {
      webhooks: [
        webhook(3, 204, {
          tries: [
            { startedAt: at(3), durationMs: 1, httpStatus: 500 },
            { startedAt: at(4), durationMs: 1, httpStatus: 204 },
          ],
        }),
      ],
    },
  ],
];

describe('The judge', () => {
  for (const [rule, why, seen, requests] of broken) {
    it(`reports ${rule}: ${why}`, () => {
      const findings = judge('lost-answer', run(seen), plain).filter((finding) => finding.rule === rule);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({
        world: 'lost-answer',
        level: rules[rule].level,
        why: rules[rule].why,
        fix: rules[rule].fix,
        message: expect.stringMatching(/^\S.{20,}\.$/) as string,
        ...(requests && { requests }),
      });
    });
  }

  for (const [rule, why, seen] of kept) {
    it(`does not report ${rule}: ${why}`, () => {
      const findings = judge('lost-answer', run(seen), plain).filter((finding) => finding.rule === rule);
      expect(findings).toEqual([]);
    });
  }

  it('has a case that breaks each rule', () => {
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)));
  });

  it('skips the rules that compare when it sees one run alone', () => {
    const payments = [payment(), payment('ORDER-2')];
    expect(judge('plain', run({ payments }))).toEqual([]);
  });

  describe('names the payment that came again', () => {
    const paymentsOf = (orders: Readonly<Record<string, number>>) =>
      Object.entries(orders).map(([referenceId, value]) => {
        return {
          ...payment(referenceId),
          request: { referenceId, amount: { value } },
        } as unknown as MockPayment;
      });
    const found = (orders: Readonly<Record<string, number>>, usual: Readonly<Record<string, number>>) => {
      const requests = Object.keys(orders).map((referenceId, index) =>
        request({ id: index + 1, referenceId }),
      );
      const seen = run({ requests, payments: paymentsOf(orders) });
      return judge('lost-answer', seen, run({ ...plain, requests, payments: paymentsOf(usual) }));
    };

    it('names an order that is the same but for its reference', () => {
      expect(found({ 'A-1': 100, 'A-2': 100, 'B-1': 200 }, { A: 100, B: 200 })).toMatchObject([
        { rule: 'two-payments', referenceId: 'A-2', requests: [2] },
      ]);
    });

    it('and none where all orders are equal', () => {
      const [finding] = found({ 'A-1': 100, 'A-2': 100, 'B-1': 100 }, { A: 100, B: 100 });
      expect(finding).toMatchObject({ rule: 'two-payments', requests: [1, 2, 3] });
      expect(finding).not.toHaveProperty('referenceId');
    });

    it('and none where two orders are equal in the plain world, and the new one is not', () => {
      const usual = { A: 100, B: 100, C: 200 };
      const [finding] = found({ ...usual, 'C-2': 201 }, usual);
      expect(finding).toMatchObject({ rule: 'two-payments', requests: [1, 2, 3, 4] });
      expect(finding).not.toHaveProperty('referenceId');
    });
  });

  it('counts a payment after the decline of another order, as the plain world has it', () => {
    const end = { referenceId: 'A', merchantId: 'M', status: 'declined', at: at(5) } as const;
    const late = { ...payment('B'), createdAt: at(9) };
    const usual = run({ payments: [payment('A'), late], ends: [end] });
    const found = (payments: MockPayment[], ends: RunRecord['ends']) =>
      judge('repeat-invalid', run({ payments, ends }), usual).map(({ rule }) => rule);
    expect(found([payment('A'), late], [])).toEqual([]);
    expect(found([payment('A'), late, { ...late, referenceId: 'B-2' }], [end])).toEqual(['two-payments']);
  });

  describe('names the order whose reference changed', () => {
    const named = (...references: string[]) => {
      const requests = references.map((text, index) => {
        const [referenceId = '', end] = text.split(' ');
        return request({ id: index + 1, referenceId, body: 'equal orders', ...(end === 'lost' && lost) });
      });
      const two = run({ requests: ['P-0', 'P-1'].map((referenceId, id) => request({ id, referenceId })) });
      const rule = 'new-reference-after-unknown';
      return judge('lost-answer', run({ requests }), two).filter((finding) => finding.rule === rule);
    };

    it('names the order by a reference that continues the lost one, not by an order of its own', () => {
      const found = named('R-0 lost', 'R-1 lost', 'R-1R');
      expect(found.map(({ referenceId, requests }) => [referenceId, requests])).toEqual([['R-1', [2, 3]]]);
      expect(found[0]?.message).toContain('request 3 followed with R-1R');
    });

    it('names the order by a reference with the same beginning', () => {
      expect(named('O-1-1 lost', 'O-2-1', 'O-1-2')[0]?.requests).toEqual([1, 3]);
    });

    it('or says that equal orders under random references cannot be told apart', () => {
      const [found, ...others] = named('a8f1 lost', '0c2e', '77b0');
      expect(others).toEqual([]);
      expect(found?.requests).toEqual([1, 2, 3]);
      expect(found?.message).toContain('one of requests 2 and 3 followed');
      expect(found?.message).toContain('nothing tells which');
    });
  });

  describe('compares the invoices of each order with the plain world', () => {
    const stored = (...counts: readonly number[]) => ({
      requests: [],
      payments: counts.map((_count, index) => payment(`ORDER-${index}`, 2)),
      invoices: counts.flatMap((count, index) =>
        Array.from({ length: count }, (_, file) => invoice(`ORDER-${index}`, `file ${file}`)),
      ),
    });
    const foundBeside = (plain: readonly number[], counts: readonly number[]) =>
      judge('lost-answer', run(stored(...counts)), run(stored(...plain)))
        .filter(({ rule }) => rule === 'upload-again')
        .map(({ message }) => message);
    const found = (...counts: readonly number[]) => foundBeside([1, 3, 1], counts);

    it.each([[[3, 1, 1]], [[1, 1]], [[3, 3, 1, 1]]])('%j are right where 1, 3 and 1 are usual', (counts) => {
      expect(found(...counts)).toEqual([]);
    });

    it.each([
      [[3, 3, 3], 'Invoices stored for ORDER-1: 3; in the plain world, by reference: 3, 1.'],
      [[1, 4, 1], 'Invoices stored for ORDER-1: 4; in the plain world, by reference: 3.'],
      [[3, 2, 3, 1], 'Invoices stored for ORDER-1: 2; in the plain world, by reference: 3, 1.'],
    ])('%j are more than usual', (counts, message) => {
      expect(found(...counts)).toEqual([message]);
    });

    it('where fewer payments are paid than in the plain world, each has its own place', () => {
      expect(foundBeside([2, 1], [2])).toEqual([]);
    });

    it('an invoice of an order that has none in the plain world is one more', () => {
      const message = 'Invoices stored for ORDER-1: 1; in the plain world, by reference: 1, 0.';
      expect(foundBeside([1, 0], [1, 1])).toEqual([message]);
    });
  });

  describe('tells the orders of two merchants with one reference apart:', () => {
    const [a, b] = [{ merchantId: 'A' }, { merchantId: 'B' }];
    const paid = (settledAfter?: number) => payment('ORDER-1', settledAfter);

    it('the same file is stored for each', () => {
      const requests = [upload({ id: 4, ...a, ...lost }), upload({ id: 5, ...b, ...lost })];
      const payments = [a, b].map((merchant) => ({ ...paid(2), ...merchant }));
      const invoices = [a, b].map((merchant) => ({ ...invoice(), ...merchant }));
      expect(judge('lost-answer', run({ requests, payments, invoices }))).toEqual([]);
      const twice = [upload({ id: 4, ...a, ...lost }), upload({ id: 5, ...a })];
      const stored = [a, a].map((merchant) => ({ ...invoice(), ...merchant }));
      expect(judge('lost-answer', run({ requests: twice, payments, invoices: stored }))).toHaveLength(1);
    });

    it('an upload for the one that is paid is confirmed', () => {
      const payments = [
        { ...paid(), ...a },
        { ...paid(2), ...b },
      ];
      const of = (merchant: object) =>
        judge('plain', run({ requests: [upload({ id: 4, ...merchant })], payments }));
      expect(of(b)).toEqual([]);
      expect(of(a).map(({ rule }) => rule)).toEqual(['upload-unconfirmed']);
    });

    it('the answer for one is lost, and nothing asks again', () => {
      const requests = [request({ id: 1, ...a, ...lost }), request({ id: 2, ...b })];
      expect(judge('lost-answer', run({ requests })).map(({ rule }) => rule)).toEqual(['answer-abandoned']);
    });
  });

  describe('knows that nothing could be uploaded where nothing was paid in the plain world:', () => {
    const declined = run({ requests: [request({ id: 1 })], payments: [payment()] });
    const late = (...invoices: MockInvoice[]) =>
      judge('settled-late', run({ payments: [payment('ORDER-1', 2)], invoices }), declined);

    it('the invoices of a payment that was paid late are right', () => {
      expect(late(invoice(), invoice('ORDER-1', 'bb'))).toEqual([]);
    });

    it('one file that is stored twice is not', () => {
      const message = 'Invoices stored for ORDER-1: 2; all of one file.';
      expect(late(invoice(), invoice())).toMatchObject([{ rule: 'upload-again', message }]);
    });
  });

  it('says what the order page answered, and that no notification was accepted', () => {
    const seen = 'GET http://shop/orders/ORDER-1 responded with HTTP 404';
    const looks = [look(false, { isPaid: true, refused: 404, seen })];
    const webhooks = [webhook(3, 401)];
    const [error, warning] = judge('plain', run({ payments: [payment('ORDER-1', 2)], looks, webhooks }));
    expect(error?.message).toBe(
      `ORDER-1 is paid at the service; the merchant's order page could not be read, and no notification for it was accepted. ${seen}.`,
    );
    expect(warning).toMatchObject({
      rule: 'notification-refused',
      message: expect.stringContaining('never accepted: 1 try HTTP 401') as string,
      fix: expect.stringContaining('raw bytes') as string,
    });
  });

  it('says that JSON was written again where the same event was accepted in its compact form', () => {
    const compact = webhook(3, 204, { body: '{"a":1}' });
    const judged = (body: string) =>
      judge(
        'written-otherwise',
        run({ webhooks: [webhook(3, 401, { body })] }),
        run({ webhooks: [compact] }),
      )[0];
    expect(judged('{"a": 1}')).toMatchObject({
      rule: 'notification-refused',
      level: 'error',
      fix: expect.stringContaining('written anew') as string,
    });
    expect(judged('{"a":1}')).toMatchObject({ level: 'warning' });
  });

  it('has the cure for the cause: a page that does not know a payment that was replaced', () => {
    const fix = (refused?: number) =>
      judge('older-link', run({ looks: [look(false, { isPaid: true, refused })] }))[0]?.fix;
    expect(fix(404)).toContain('Keep each attempt of an order');
    expect(fix()).toBe(rules['paid-not-counted'].fix);
  });

  it('names the time zone that explains a wrong Request-Time', () => {
    const message = (text: string) =>
      judge('plain', run({ requests: [request({ id: 1, headers: { 'request-time': text } })] }))[0]?.message;
    expect(message('2026-11-20 03:00:01')).toContain('the time at +00:00 (UTC)');
    expect(message('2026-11-20 08:30:01')).toContain('the time at +05:30');
    expect(message('2026-11-20 10:17:01')).not.toContain('the time at');
  });

  it('names the first path in which two bodies under one key differ, without their values', () => {
    const requests = [
      request({ id: 1, body: '{"customer":{"email":"a@example.com"},"items":[{"price":1}]}' }),
      request({ id: 2, body: '{"customer":{"email":"a@example.com"},"items":[{"price":2}]}' }),
    ];
    expect(judge('plain', run({ requests }))[0]?.message).toContain('items[0].price differs');
  });
});
