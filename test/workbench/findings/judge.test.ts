import { describe, expect, test } from 'vitest';
import type { ShownLink, PageCheck, RunRecord } from '../../../src/workbench/findings/record.js';
import { judge, findingRules, type RuleName } from '../../../src/workbench/findings/all-rules.js';
import type { JournalEntry } from '../../../src/mock/state/journal-types.js';
import type { MockInvoice } from '../../../src/mock/state/invoices.js';
import type { MockPayment } from '../../../src/mock/state/payment-record.js';
import type { WebhookDelivery } from '../../../src/mock/webhooks/webhook-types.js';

const start = Date.parse('2026-11-20T03:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1000);

type Entry = Partial<JournalEntry>;

/** An approved initiate request for ORDER-1. Its ID is also the number of seconds after the start. */
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
const noResult = { resultStatus: undefined as never };
const tooMany = { ...noResult, httpStatus: 429, acted: false };
const redirect = { ...noResult, httpStatus: 307, acted: false };
const noKey = { idempotencyKey: undefined as never };
const asksToWait = (seconds: number) => ({
  httpStatus: 429,
  response: { headers: { 'retry-after': `${seconds}` }, body: '', bodyBytes: 0 },
});
const noFile = { files: undefined as never };
const byUrl = { fields: { fileUrl: 'https://shop.example/invoice.pdf' } };
const orderRef = { body: '{"data":{"orderRef":"ORDER-1"}}' };
const pdf = (sha256: string) => [{ field: 'file', name: 'a.pdf', type: 'application/pdf', size: 9, sha256 }];

function upload(id: number, entry: Entry = {}): JournalEntry {
  const { body: _body, idempotencyKey: _key, ...form } = request(id, entry);
  return { ...form, operation: 'uploadInvoice', files: pdf('aa'), ...entry };
}

/** A request to a custom operation, whose body names the order in a different way. */
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
const tries = (...statuses: readonly number[]) =>
  statuses.flatMap((status, index) => webhook(3 + index, status).tries);
const withoutResponse = { startedAt: at(4), durationMs: 5 };

/** A check of the page of ORDER-1 at the end. The order is open at the service. */
function pageCheck(isCounted: boolean, changes: Partial<PageCheck> = {}): PageCheck {
  return {
    referenceId: 'ORDER-1',
    moment: 'final',
    isPaidAtService: false,
    showsPaid: isCounted,
    ...changes,
  };
}

function run(seen: Partial<RunRecord>): RunRecord {
  const nothing = {
    requests: [],
    payments: [],
    invoices: [],
    webhooks: [],
    settledPayments: [],
    pageChecks: [],
    shownLinks: [],
  };
  return { ...nothing, hasWebhook: false, requestTimeOffset: 7 * 60, ...seen };
}

const baseline = run({
  changedAmount: 300,
  requests: [request(1)],
  payments: [payment()],
  invoices: [invoice()],
  pageChecks: [
    pageCheck(true, { isPaidAtService: true, onceNumber: 1 }),
    pageCheck(false, { onceNumber: 0 }),
    pageCheck(false),
  ],
});
const ended = (status: 'paid' | 'declined') => [
  { referenceId: 'ORDER-1', merchantId: 'M', status, settledAt: at(5) },
];
const many = <T>(size: number, entry: (id: number) => T) =>
  Array.from({ length: size }, (_, index) => entry(index + 1));
const clicks = (...orders: readonly string[]) =>
  orders.map((order, index) => ({ order, referenceId: `ORDER-${index + 1}`, merchantId: 'M' }));
const times = (...texts: readonly string[]) =>
  texts.map((text, index) => request(index + 1, { headers: { 'request-time': text } }));

const asksFor100 = { request: { amount: { value: 100 } } };
/** The order A. Its basket was changed before its payment of 100 was paid, and at the end it counts as paid. */
const grown = (changed: Partial<ShownLink>, ...requests: readonly JournalEntry[]): Partial<RunRecord> => ({
  requests: [request(1), ...requests],
  payments: [payment('ORDER-1', 2, asksFor100)],
  orderNames: ['A'],
  shownLinks: [...clicks('A'), ...clicks('A').map((click) => ({ ...click, ...changed }))],
  pageChecks: [pageCheck(false, { moment: 'changed' }), pageCheck(true, { isPaidAtService: true })],
});

/** A record, with the requests that a finding names and its message. */
type Seen = Partial<RunRecord> & { readonly named?: readonly number[]; readonly says?: string };
type Cases = Readonly<Record<string, Seen>>;

const cases: Readonly<Record<RuleName, { readonly broken: Cases; readonly kept: Cases }>> = {
  'two-payments': {
    broken: {
      'one payment more than in the baseline': {
        requests: [request(1, lost), request(2, second)],
        payments: [payment(), payment('ORDER-2')],
        named: [1, 2],
        says: '2 payments were created (in the baseline: 1). See requests 1 (ORDER-1) and 2 (ORDER-2).',
      },
      'another payment after the first was paid': {
        payments: [payment(), payment('ORDER-2', undefined, { createdAt: at(9) })],
        settledPayments: ended('paid'),
      },
      'another payment that was created before the first was declined': {
        payments: [payment(), payment('ORDER-2', undefined, { createdAt: at(5) })],
        settledPayments: ended('declined'),
      },
      'more payments than orders, also in the baseline': {
        orderCount: 1,
        requests: [request(1, processing), request(2, second)],
        payments: [payment(), payment('ORDER-2')],
        shownLinks: clicks('A', 'A'),
        named: [1, 2],
        says: '2 payments were created for 1 order; requests 1 (ORDER-1) and 2 (ORDER-2) are for the same order.',
      },
      'more payments than orders, two of them for one order': {
        orderCount: 2,
        requests: [
          ...[request(1), request(2, second), request(3, { referenceId: 'A-again' })],
          request(4, { referenceId: 'ORDER-3' }),
        ],
        payments: ['ORDER-1', 'ORDER-2', 'A-again', 'ORDER-3'].map((each) => payment(each)),
        shownLinks: clicks('A', 'B', 'C'),
        named: [1, 3],
        says: '4 payments were created for 2 orders; requests 1 (ORDER-1) and 3 (A-again) are for the same order.',
      },
      'more payments than orders, in a shop whose requests do not show the order': {
        orderCount: 1,
        requests: [request(1, { referenceId: 'x' }), request(2)],
        payments: [payment('x'), payment()],
        shownLinks: clicks('order 1'),
        says: '2 payments were created for 1 order. See requests 1 (x) and 2 (ORDER-1).',
      },
    },
    kept: {
      'fewer payments than in the baseline': {},
      'another payment after the first was declined': {
        payments: [payment(), payment('ORDER-2', undefined, { createdAt: at(9) })],
        settledPayments: ended('declined'),
      },
    },
  },
  'new-reference-after-unknown': {
    broken: {
      'another reference after a lost response': {
        requests: [request(1, lost), request(2, { ...second, ...lost })],
        named: [1, 2],
      },
      'another reference after HTTP 409 without a result': {
        requests: [request(1, { ...noResult, httpStatus: 409 }), request(2, second)],
        says: 'The response to request 1 (ORDER-1) was HTTP 409; request 2 (ORDER-2) was sent with a different referenceId.',
      },
      'another reference after REQUEST_PROCESSING': {
        requests: [request(1, processing), request(2, second)],
        named: [1, 2],
      },
      'another reference after a redirect': {
        requests: [request(1, { ...noResult, httpStatus: 307, acted: false }), request(2, second)],
        named: [1, 2],
      },
      'another reference after HTTP 500 or a response without a result': {
        requests: [
          request(1, { ...noResult, httpStatus: 500, acted: false }),
          request(2, { ...second, ...noResult }),
          request(3, { referenceId: 'ORDER-3' }),
        ],
        named: [2, 3],
      },
      'another reference after a time-out of a proxy': {
        requests: [request(1, { ...noResult, httpStatus: 408 }), request(2, second)],
        named: [1, 2],
      },
      'another reference after a lost response, while another order is placed': {
        orderCount: 2,
        requests: [
          request(1, { referenceId: 'A-1', ...lost }),
          request(2, { referenceId: 'B-1' }),
          request(3, { referenceId: 'A-2' }),
        ],
        shownLinks: [
          { order: 'B', referenceId: 'B-1', merchantId: 'M' },
          { order: 'A', referenceId: 'A-2', merchantId: 'M' },
        ],
        named: [1, 3],
        says: 'The response to request 1 (A-1) was lost; request 3 (A-2) was sent with a different referenceId.',
      },
      'another reference for the tenth order, whose name begins with that of the first': {
        orderCount: 10,
        requests: [
          request(1, { referenceId: 'r-10-a', ...lost }),
          request(2, { referenceId: 'r-1-b' }),
          request(3, { referenceId: 'r-10-b' }),
        ],
        shownLinks: [
          { order: 'r-1', referenceId: 'r-1-b', merchantId: 'M' },
          { order: 'r-10', referenceId: 'r-10-b', merchantId: 'M' },
        ],
        named: [1, 3],
      },
      'another reference for an order without a link, found by the name of the order in the requests': {
        orderCount: 2,
        orderNames: ['A', 'B'],
        requests: [
          request(1, { referenceId: 'A-1', ...lost }),
          request(2, { referenceId: 'B-1' }),
          request(3, { referenceId: 'A-2' }),
        ],
        named: [1, 3],
      },
      'more references than orders in a shop whose requests do not show the order': {
        orderCount: 2,
        requests: [
          request(1, { referenceId: 'x', ...lost }),
          request(2, { referenceId: 'y' }),
          request(3, { referenceId: 'z' }),
        ],
        shownLinks: ['y', 'z'].map((referenceId) => ({
          order: `of ${referenceId}`,
          referenceId,
          merchantId: 'M',
        })),
        named: [1],
        says: 'The response to request 1 (x) was lost; 3 referenceIds were sent for 2 orders.',
      },
    },
    kept: {
      'the request of another order, after a lost response': {
        orderCount: 2,
        requests: [request(1, { referenceId: 'A-1', ...lost }), request(2, { referenceId: 'B-1' })],
        shownLinks: [
          { order: 'A', referenceId: 'A-1', merchantId: 'M' },
          { order: 'B', referenceId: 'B-1', merchantId: 'M' },
        ],
      },
      'the next payment of an order, after the first payment was declined': {
        requests: [request(1, lost), request(9, second)],
        payments: [
          payment('ORDER-1', undefined, { status: 'declined' }),
          payment('ORDER-2', undefined, { createdAt: at(9) }),
        ],
        settledPayments: ended('declined'),
      },
      'another reference after a refusal': {
        requests: [request(1, { resultStatus: 'INVALID_AMOUNT', httpStatus: 409 }), request(2, second)],
      },
      'another reference after HTTP 404 without a result': {
        requests: [request(1, { ...noResult, httpStatus: 404 }), request(2, second)],
      },
      'a reference of the baseline, after a lost response to another reference': {
        requests: [request(1, { ...second, ...lost }), request(2)],
      },
    },
  },
  'new-key': {
    broken: {
      'one body with two keys': {
        requests: [request(1), request(2, { idempotencyKey: 'another' })],
        named: [1, 2],
      },
      'a fresh key with each retry, after a first request with another body': {
        requests: many(3, (id) => request(id, { idempotencyKey: `${id}`, ...(id === 1 && { body: '{}' }) })),
        named: [2, 3],
      },
    },
    kept: {
      'a retry without a key': { requests: [request(1), request(2, noKey)] },
      'another body with another key': {
        requests: [request(1), request(2, { idempotencyKey: 'another', body: '{}' })],
      },
      'a body with another key that differs after the part that the journal keeps': {
        requests: ['aa', 'bb'].map((hash, id) => request(id, { idempotencyKey: hash, bodySha256: hash })),
      },
    },
  },
  'key-reused': {
    broken: {
      'one key with two bodies': {
        requests: [request(1), request(2, { body: 'not JSON' })],
        named: [1, 2],
        says: 'The same Idempotency-Key was sent with two bodies: requests 1 (ORDER-1) and 2 (ORDER-1). First difference: the whole body.',
      },
      'one key with two bodies that differ after the part that the journal keeps': {
        requests: many(2, (id) => request(id, { bodySha256: `${id}` })),
        named: [1, 2],
        says: "The same Idempotency-Key was sent with two bodies: requests 1 (ORDER-1) and 2 (ORDER-1). The bodies differ in the serialization of the JSON, or after the point where the mock's journal cuts a long body.",
      },
    },
    kept: {
      'two bodies without a key': {
        requests: ['{}', '[]'].map((body, id) => request(id, { ...noKey, body })),
      },
      'the same key from another client': {
        requests: [request(1), request(2, { body: '{}', headers: { 'client-id': 'other' } })],
      },
    },
  },
  'request-rebuilt': {
    broken: {
      'another body with another key after a lost response': {
        requests: [request(1, lost), request(2, { body: '{}', idempotencyKey: 'another' })],
        named: [1, 2],
        says: 'The response to request 1 (ORDER-1) was lost; request 2 (ORDER-1) has a different body and a different Idempotency-Key. First difference: referenceId.',
      },
      'another body and another key in each attempt': {
        requests: many(3, (id) => request(id, { ...lost, body: `[${id}]`, idempotencyKey: `${id}` })),
        named: [1, 2],
      },
      'another body and key after the same request was sent again': {
        requests: [
          ...[request(1, processing), request(2, processing)],
          request(3, { body: '{}', idempotencyKey: 'another' }),
        ],
        named: [1, 3],
      },
    },
    kept: {
      'another body and key after a refusal': {
        requests: [
          request(1, { resultStatus: 'INVALID_REQUEST', acted: false }),
          request(2, { body: '{}', idempotencyKey: 'another' }),
        ],
      },
      'another body and key of another order': {
        requests: [request(1, lost), request(2, { ...second, body: '{}' })],
      },
      'the same body with another key': {
        requests: [request(1, lost), request(2, { idempotencyKey: 'another' })],
      },
      'another body with the same key': { requests: [request(1, lost), request(2, { body: '{}' })] },
      'another body if one request has no key': {
        requests: [request(1, { ...lost, ...noKey }), request(2, { body: '{}' })],
      },
      'a response that is lost after the request with another body': {
        requests: [request(1, { body: '{}', idempotencyKey: 'another' }), request(2, lost)],
      },
    },
  },
  'redirect-followed': {
    broken: {
      'a request to the target of a redirect of its order': {
        requests: [
          ...[request(1, redirect), request(2, { ...second, ...redirect })],
          request(3, { path: '/redirected/v2/payments' }),
        ],
        named: [1, 3],
        says: 'The response to request 1 (ORDER-1) was HTTP 307, a redirect; request 3 (ORDER-1) followed the redirect to /redirected/v2/payments.',
      },
      'a redirect that is followed by a request without a body': {
        requests: [
          request(1, redirect),
          request(2, { method: 'GET', path: '/redirected/v2/payments', referenceId: undefined as never }),
        ],
        named: [1, 2],
      },
    },
    kept: {
      'the same request again after a redirect': { requests: [request(1, redirect), request(2)] },
    },
  },
  'repeats-for-ever': {
    broken: {
      '21 requests without an approval': {
        requests: many(21, (id) => request(id, processing)),
        says: 'initiatePayment: 21 requests without an approval. See requests 1 (ORDER-1), 2 (ORDER-1), 3 (ORDER-1), …, 20 (ORDER-1) and 21 (ORDER-1).',
      },
      'ten requests within two seconds': {
        requests: many(10, (id) => request(id, { at: at(id === 10 ? 2 : 0) })),
        says: 'initiatePayment: 10 requests, of which 10 arrived within 2 s. See requests 1 (ORDER-1), 2 (ORDER-1), 3 (ORDER-1), …, 9 (ORDER-1) and 10 (ORDER-1).',
      },
    },
    kept: {
      '20 requests without an approval': { requests: many(20, (id) => request(id, processing)) },
      '21 requests, the second of which was approved': {
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
        says: 'The response to the upload in request 4 (ORDER-1) was lost; request 5 (ORDER-1) sent the same file again, and the file is stored 2 times.',
      },
      'a lost upload by URL that is stored twice': {
        requests: [
          upload(3, noFile),
          upload(4, { ...byUrl, files: [], ...lost }),
          upload(5, { ...byUrl, ...noFile }),
        ],
        payments: paid,
        invoices: many(2, () => ({ ...invoice(), ...byUrl.fields, file: undefined as never })),
        named: [4, 5],
      },
      'one invoice more than in the baseline': {
        requests: [upload(4), upload(5, lost)],
        payments: paid,
        invoices: [invoice(), invoice()],
        named: [4, 5],
        says: '2 invoices are stored (in the baseline: 1), and 2 of them are for ORDER-1.',
      },
    },
    kept: {
      'a lost upload that the service recognizes, so that it stores the file once': {
        requests: [upload(4, lost), upload(5)],
        payments: paid,
        invoices: [invoice()],
      },
      'two files, if the response to one upload was lost': {
        requests: [upload(4, lost), upload(5, { files: pdf('bb') })],
        invoices: [invoice()],
      },
      'the same file for two merchants that use the same reference': {
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
        says: 'The upload in request 4 (ORDER-1) arrived while the payment was not paid.',
      },
      'an upload before the webhook': {
        hasWebhook: true,
        requests: [upload(2)],
        payments: paid,
        webhooks: [webhook(5, 204)],
        named: [2],
        says: 'The upload in request 2 (ORDER-1) arrived before a webhook or a query said that the payment is paid.',
      },
      'an upload after a forged webhook': {
        hasWebhook: true,
        requests: [upload(4)],
        payments: paid,
        webhooks: [forged(401)],
      },
      'an upload after the webhook that says declined, and before the webhook that says paid': {
        hasWebhook: true,
        requests: [upload(4)],
        payments: paid,
        webhooks: [webhook(1, 204), webhook(5, 204)],
      },
      'an upload after a query before the payment was paid, and before the next query': {
        hasWebhook: true,
        requests: [query(1, orderRef), upload(4), query(5, orderRef)],
        payments: paid,
      },
      'an upload for the pending payment of two payments with one reference': {
        requests: [upload(4, { merchantId: 'A' })],
        payments: [payment('ORDER-1', undefined, { merchantId: 'A' }), ...paid],
        named: [4],
      },
    },
    kept: {
      'an upload for a reference that has two payments, one of them paid': {
        requests: [upload(4)],
        payments: [payment(), ...paid],
      },
      'an upload after the payment, if no webhooks are sent': {
        requests: [upload(4)],
        payments: paid,
      },
      'an upload at the moment of the webhook': {
        hasWebhook: true,
        requests: [upload(4)],
        payments: paid,
        webhooks: [webhook(4, 204, { createdAt: at(2) })],
      },
      'an upload after a query whose response names the order': {
        hasWebhook: true,
        requests: [
          query(2, { response: { headers: {}, body: '{"paid":["ORDER-1"]}', bodyBytes: 20 } }),
          upload(4),
        ],
        payments: paid,
      },
    },
  },
  'forged-accepted': {
    broken: {
      'a forged webhook that is accepted, without an order page': {
        webhooks: [webhook(3, 200, { forgery: 'zeros', tries: tries(500, 200) }), forged(200)],
        named: [],
        says: 'Forged webhooks for ORDER-1 (WH-3 zeros, WH-3 zeros) got a 2xx response, and the rehearsal could not check whether this had an effect.',
      },
      'a forged webhook that is accepted, without a later check of the order page': {
        webhooks: [forged(200)],
        pageChecks: [pageCheck(false, { moment: 'untouched' })],
      },
      'a forged webhook that is accepted, if the order page cannot be read': {
        webhooks: [forged(200)],
        pageChecks: [pageCheck(false, { problem: 'no page' })],
      },
      'an upload after a forged webhook that is accepted': {
        requests: [upload(3)],
        webhooks: [forged(200)],
        pageChecks: [pageCheck(false, { moment: 'before-notification' })],
        named: [3],
        says: 'Forged webhooks for ORDER-1 (WH-3 zeros) got a 2xx response, and an invoice was uploaded before a genuine webhook said that the order is paid.',
      },
      'an order that counts as paid before the genuine webhook': {
        payments: paid,
        webhooks: [forged(200), webhook(5, 200)],
        pageChecks: [pageCheck(true, { moment: 'before-notification' })],
      },
      'an order that counts as paid although the customer has declined': {
        webhooks: [forged(200)],
        pageChecks: [pageCheck(false, { moment: 'before-notification' }), pageCheck(true)],
        says: 'Forged webhooks for ORDER-1 (WH-3 zeros) got a 2xx response, and the order page showed the order as paid before a genuine webhook said so.',
      },
    },
    kept: {
      'a refused forged webhook': { webhooks: [forged(401)] },
      'a redirected forged webhook': { webhooks: [forged(300)] },
      'a forged webhook without a response': {
        webhooks: [webhook(3, 0, { forgery: 'zeros', tries: [withoutResponse] })],
      },
      'uploads before the forged webhook and after the genuine webhook': {
        requests: [upload(2), upload(5)],
        payments: paid,
        webhooks: [forged(200), webhook(5, 200)],
        pageChecks: [pageCheck(false)],
      },
      'a forged webhook that gets 200 and is ignored': {
        webhooks: [forged(200)],
        pageChecks: [pageCheck(false, { moment: 'before-notification' })],
      },
    },
  },
  'paid-not-counted': {
    broken: {
      'a paid order that the page does not show as paid': {
        payments: paid,
        pageChecks: [pageCheck(false, { isPaidAtService: true })],
        says: "ORDER-1 is paid at the service, but the shop's order page does not show it as paid.",
      },
    },
    kept: {
      'a page that shows the order as paid only at the final check': {
        pageChecks: [pageCheck(false, { isPaidAtService: true, moment: 'redirect-opened' })],
      },
      'a payment for an earlier basket, which staff might have to check': {
        ...grown({}),
        pageChecks: [pageCheck(false, { moment: 'changed' }), pageCheck(false, { isPaidAtService: true })],
      },
      'a paid order that the page shows as paid': {
        payments: paid,
        pageChecks: [pageCheck(true, { isPaidAtService: true })],
      },
    },
  },
  'unpaid-counted': {
    broken: {
      'an order that counts as paid before its customer has paid, even if the customer pays later': {
        payments: paid,
        pageChecks: [pageCheck(true, { moment: 'untouched' }), pageCheck(true, { isPaidAtService: true })],
        says: "The shop's order page shows ORDER-1 as paid, but the customer had not paid yet.",
      },
      'a pending order that counts as paid, although only another order is paid': {
        payments: [payment(), payment('ORDER-2'), payment('ORDER-3', 3)],
        shownLinks: clicks('A', 'A', 'B'),
        pageChecks: [pageCheck(true)],
        says: "The shop's order page shows ORDER-1 as paid, but it is not paid at the service.",
      },
      'an order that counts as paid after decoys': {
        webhooks: [
          webhook(3, 200, { decoy: 'lower-amount' }),
          webhook(4, 200, { decoy: 'pending' }),
          webhook(5, 200),
        ],
        pageChecks: [pageCheck(true, { moment: 'before-notification' }), pageCheck(false)],
        says: "The shop's order page shows ORDER-1 as paid, but the customer had not paid yet. The shop had accepted webhooks that do not prove a payment (WH-3 lower-amount, WH-4 pending).",
      },
      'an order that counts as paid after two decoys, one of which was accepted': {
        webhooks: [webhook(3, 409, { decoy: 'lower-amount' }), webhook(4, 200, { decoy: 'UNPAID' })],
        pageChecks: [pageCheck(true, { moment: 'before-notification' })],
        says: "The shop's order page shows ORDER-1 as paid, but the customer had not paid yet. The shop had accepted webhooks that do not prove a payment (WH-4 UNPAID).",
      },
      'an order that counts as paid after decoys, none of which was accepted': {
        webhooks: [webhook(3, 500, { decoy: 'lower-amount' })],
        pageChecks: [pageCheck(true, { moment: 'before-notification' })],
        says: "The shop's order page shows ORDER-1 as paid, but the customer had not paid yet. The rehearsal had sent webhooks that must not change the order. The shop accepted none of them, so they are probably not the reason why the page shows the order as paid.",
      },
    },
    kept: {
      'an order that is paid': { payments: paid, pageChecks: [pageCheck(true, { isPaidAtService: true })] },
      'an order that was paid with another payment': {
        payments: [payment(), payment('ORDER-2', 3)],
        shownLinks: clicks('A', 'A'),
        pageChecks: [pageCheck(true)],
      },
      'an order that was paid with another payment whose link the shop has never shown': {
        requests: [request(1, { body: '{"cart":"A"}' }), request(2, { ...second, body: '{"cart":"A"}' })],
        payments: [payment(), payment('ORDER-2', 3)],
        orderNames: ['A', 'B'],
        pageChecks: [pageCheck(true)],
      },
      'an order that counts as paid after only forged webhooks': {
        webhooks: [forged(200)],
        pageChecks: [pageCheck(true, { moment: 'before-notification' })],
      },
    },
  },
  'other-amount-counted': {
    broken: {
      'an order that counts as paid after its changed checkout returned the earlier link': {
        ...grown({ fromChangedCheckout: true }),
        says: "The shop's order page shows ORDER-1 as paid, but 100 đồng were paid after the amount of the basket had changed to 300 đồng.",
      },
      'an order that counts as paid after more was requested, without a link': {
        ...grown({}, request(2, { referenceId: 'A-2', body: '{"order":"A","amount":{"value":300}}' })),
        named: [1],
      },
      'an order that is shipped, although its page does not show it as paid': {
        ...grown({ fromChangedCheckout: true }),
        pageChecks: [
          pageCheck(false, { moment: 'changed' }),
          pageCheck(false, { isPaidAtService: true, onceNumber: 1 }),
        ],
      },
    },
    kept: {
      'a change that the shop has refused': grown({}),
      'an order that does not count as paid after a change': {
        ...grown({ fromChangedCheckout: true }),
        pageChecks: [
          pageCheck(false, { moment: 'changed', onceNumber: 1 }),
          pageCheck(false, { isPaidAtService: true, onceNumber: 1 }),
        ],
      },
      'an order whose basket was not changed': {
        ...grown({ fromChangedCheckout: true }),
        pageChecks: [pageCheck(true, { isPaidAtService: true })],
      },
      'an order that counts as paid and is not paid': {
        ...grown({ fromChangedCheckout: true }),
        payments: [payment('ORDER-1', undefined, asksFor100)],
        pageChecks: [pageCheck(false, { moment: 'changed' }), pageCheck(true)],
      },
    },
  },
  'redirect-believed': {
    broken: {
      'an order that counts as paid after its redirect URL was opened': {
        pageChecks: [
          pageCheck(true, { moment: 'redirect-opened', evidence: 'GET http://shop/orders/1: paid' }),
        ],
        says: "The shop's order page shows ORDER-1 as paid after its successRedirectUrl was opened, but the customer had not paid. GET http://shop/orders/1: paid.",
      },
    },
    kept: {
      'an order that was paid': {
        pageChecks: [pageCheck(true, { moment: 'redirect-opened', isPaidAtService: true })],
      },
    },
  },
  'counted-twice': {
    broken: {
      'two parcels, if the baseline has one': {
        pageChecks: [pageCheck(true, { isPaidAtService: true, onceNumber: 2 })],
        says: "The shop's order page of ORDER-1 shows the number 2 (captured by --once). In the baseline, it was 1 at most, so your shop has probably acted twice.",
      },
    },
    kept: {
      'as many parcels as in the baseline': {
        pageChecks: [pageCheck(true, { isPaidAtService: true, onceNumber: 1 })],
      },
    },
  },
  'unknown-acknowledged': {
    broken: {
      'signed webhooks for an unknown reference that are accepted': {
        webhooks: [
          ...[
            webhook(3, 204, { decoy: 'unknown-reference' }),
            webhook(4, 404, { decoy: 'unknown-reference' }),
          ],
          ...[webhook(5, 200, { decoy: 'unknown-reference', referenceId: 'ORDER-2' })],
        ],
        named: [],
        says: 'Signed webhooks for NO-SUCH-ORDER (WH-3, WH-5) got a 2xx response, although the shop never sent this referenceId.',
      },
    },
    kept: {
      'a signed webhook for an unknown reference that is refused': {
        webhooks: [webhook(3, 500, { decoy: 'unknown-reference' })],
      },
      'a signed webhook for the order that is accepted': { webhooks: [webhook(3, 204)] },
    },
  },
  'two-links-paid': {
    broken: {
      'two paid links of one order': {
        requests: [
          ...[request(1), request(2, second), request(3, { ...second, acted: false })],
          request(4, { referenceId: 'ORDER-3' }),
        ],
        payments: [payment('ORDER-1', 3), payment('ORDER-2', 4), payment('ORDER-3')],
        shownLinks: clicks('A', 'A', 'A'),
        named: [1, 2],
        says: 'One order was paid 2 times. See requests 1 (ORDER-1) and 2 (ORDER-2).',
      },
      'two paid payments of one order, if the shop has never shown the link of one of them': {
        requests: [request(1, { body: '{"cart":"A"}' }), request(2, { ...second, body: '{"cart":"A"}' })],
        payments: [payment('ORDER-1', 3), payment('ORDER-2', 4)],
        shownLinks: clicks('A'),
        orderNames: ['A', 'B'],
        named: [1, 2],
      },
    },
    kept: {
      'two links of one order, only one of which is paid': {
        payments: [payment('ORDER-1', 3), payment('ORDER-2')],
        shownLinks: clicks('A', 'A'),
      },
      'two paid orders with equal contents': {
        payments: [payment('ORDER-1', 3), payment('ORDER-2', 4)],
        shownLinks: clicks('A', 'B'),
      },
    },
  },
  'no-key': {
    broken: { 'a request without a key': { requests: [request(1, noKey)], named: [1] } },
    kept: {
      'a request with a key': { requests: [request(1)] },
      'a request that names no order': {
        requests: [request(1, { ...noKey, referenceId: undefined as never })],
      },
    },
  },
  'unknown-abandoned': {
    broken: {
      'a lost response without another request': {
        requests: [request(1, lost)],
        named: [1],
        says: 'The response to request 1 (ORDER-1) was lost, and the request was not sent again before the scenario ended.',
      },
      'a lost response, then a query and an order that both name a different order': {
        requests: [
          request(1, lost),
          request(2, { ...second, body: 'after "ORDER-1"' }),
          query(3, { body: '"ORDER-2"' }),
        ],
        named: [1],
      },
      'a lost response, then only an upload': {
        requests: [request(1, lost), upload(2)],
        payments: [payment('ORDER-1', 1)],
        named: [1],
      },
      'a lost response, then a request of another merchant': {
        requests: [request(1, lost), request(2, { merchantId: 'B' })],
        named: [1],
      },
      'REQUEST_PROCESSING without a retry': {
        requests: [request(1, processing)],
        named: [1],
        says: 'The response to request 1 (ORDER-1) was REQUEST_PROCESSING, and the request was not sent again before the scenario ended.',
      },
      'HTTP 429 without a retry': {
        requests: [request(1, tooMany)],
        named: [1],
        says: 'The response to request 1 (ORDER-1) was HTTP 429, and the request was not sent again before the scenario ended.',
      },
      'HTTP 429 without a retry, in a shop that keeps running': {
        ...{ orderCount: 1, hasWebhook: true, requests: [request(1, tooMany)] },
        named: [1],
      },
    },
    kept: {
      'a lost response, then a query with the reference in another field': {
        requests: [request(1, lost), query(2, orderRef)],
      },
      'a lost response, then a query whose response is lost too': {
        requests: [request(1, lost), query(2, { ...orderRef, ...lost })],
      },
      'a refusal without a retry': {
        requests: [request(1, { resultStatus: 'INVALID_AMOUNT', httpStatus: 400, acted: false })],
      },
      'ERROR_GENERAL, which is a refusal of a payment, without a retry': {
        requests: [request(1, { resultStatus: 'ERROR_GENERAL', httpStatus: 500, acted: false })],
      },
      'REQUEST_PROCESSING, then REQUEST_PROCESSING for the same request': {
        requests: many(2, (id) => request(id, processing)),
      },
      'HTTP 429, then an approval': { requests: [request(1, tooMany), request(2)] },
      'a redirect, after which it is right to send nothing more': { requests: [request(1, redirect)] },
      'a lost response in a shop that keeps running': { orderCount: 1, requests: [request(1, lost)] },
    },
  },
  'retry-not-seen': {
    broken: {
      'a lost response in a shop with a checkout that sends no more requests': {
        ...{ orderCount: 1, requests: [request(1, lost), request(2, { ...lost, acted: false })] },
        named: [2],
        says: 'The response to request 2 (ORDER-1) was lost, and the shop sent no further request for the payment before the scenario ended.',
      },
      'REQUEST_PROCESSING in a shop with webhooks that sends no more requests': {
        ...{ hasWebhook: true, requests: [request(1, processing)] },
        named: [1],
      },
    },
    kept: {
      'a lost response at the end of a command': { requests: [request(1, lost)] },
      'a lost response, then an approval': { orderCount: 1, requests: [request(1, lost), request(2)] },
      'a lost response, then another reference for the same order': {
        ...{ orderCount: 1, orderNames: ['A'] },
        requests: [
          request(1, { ...lost, body: '{"cart":"A"}' }),
          request(2, { ...second, body: '{"cart":"A"}' }),
        ],
      },
      'HTTP 429': { orderCount: 1, requests: [request(1, tooMany)] },
      'a redirect': { orderCount: 1, requests: [request(1, redirect)] },
    },
  },
  'retry-after-ignored': {
    broken: {
      'a retry before the time': {
        requests: [request(1, asksToWait(1)), request(2, { at: at(1.3) }), request(3, { at: at(1.6) })],
        named: [1, 2],
        says: 'The response to request 1 (ORDER-1) asked the client to wait 1 s; request 2 (ORDER-1) arrived after 0.3 s.',
      },
      'a retry 50 ms after the response, and another retry after the time': {
        requests: [request(1, asksToWait(1)), request(2, { at: at(1.05) }), request(3)],
        named: [1, 2],
      },
      'a retry at once, with an upload after the time': {
        requests: [request(1, asksToWait(1)), request(2, { at: at(1.001) }), upload(3, { at: at(4) })],
        payments: paid,
        named: [1, 2],
      },
    },
    kept: {
      'a retry whose timer fires 50 ms early': {
        requests: [request(1, asksToWait(1)), request(2, { at: at(1.95) })],
      },
      'a retry after a response that was lost': {
        requests: [request(1, { ...asksToWait(1), ...lost }), request(2, { at: at(1.3) })],
      },
      'a query before the time': {
        requests: [request(1, asksToWait(1)), request(2, { at: at(1.3), own: true })],
      },
      'a request that was sent before a response that asks for no wait': {
        requests: [request(1, { ...asksToWait(0), completedAt: at(3) }), request(2)],
      },
      'a request that another process sent at once, while the first process waits': {
        requests: [
          request(1, { ...asksToWait(1), completedAt: at(1.1) }),
          request(2, { at: at(1.101) }),
          request(3, { at: at(2.2) }),
        ],
      },
    },
  },
  'request-time-off': {
    broken: {
      'the time of UTC': {
        requests: times('2026-11-20 03:00:01', '2026-11-20 03:00:02'),
        named: [1, 2],
        says: "Request-Time is 420 minutes earlier than the mock's clock in requests 1 (ORDER-1) and 2 (ORDER-1). Request-Time would be correct for the offset +00:00 (UTC). The mock expects +07:00 (wire.requestTimeOffset). The specification does not name the offset of the service.",
      },
    },
    kept: {
      'a clock that differs by five minutes': { requests: times('2026-11-20 10:05:01') },
      'a time in another form': { requests: times('2026-11-20T03:00:01') },
    },
  },
  'notification-refused': {
    broken: {
      'a webhook that is never accepted': {
        webhooks: [webhook(3, 500)],
        named: [],
        says: 'The webhook WH-3 (ORDER-1) was not accepted in 1 attempt. The last result was: HTTP 500.',
      },
      'a webhook whose last attempt gets no response': {
        webhooks: [webhook(3, 0, { tries: [...tries(500), withoutResponse] })],
        says: 'The webhook WH-3 (ORDER-1) was not accepted in 2 attempts. The last result was: no response.',
      },
    },
    kept: {
      'a webhook that was not sent yet': { webhooks: [webhook(3, 0, { tries: [] })] },
      'a decoy that is refused': { webhooks: [webhook(3, 400, { decoy: 'UNPAID' })] },
      'a webhook that is accepted in the second attempt': {
        webhooks: [webhook(3, 204, { tries: tries(500, 204) })],
      },
    },
  },
  'order-odd': {
    broken: {
      'an order with a warning': {
        requests: [request(1, { body: '{}' }), request(2, { warnings: ['The sum is tenfold.'] })],
        named: [2],
        says: 'request 2 (ORDER-1): The sum is tenfold.',
      },
    },
    kept: { 'an order without a warning': { requests: [request(1)] } },
  },
};

const found = (rule: RuleName, seen: Partial<RunRecord>, beside = baseline) =>
  judge('lost-response', run(seen), beside).filter((finding) => finding.rule === rule);

describe.each(Object.entries(cases) as [RuleName, (typeof cases)[RuleName]][])(
  'the rule %s',
  (rule, { broken, kept }) => {
    test.each(Object.entries(broken))('reports %s', (_why, { named, says, ...seen }) => {
      const { level, why, fix } = findingRules[rule];
      const message: unknown = says ?? expect.stringMatching(/^\S.{20,}\.$/);
      expect(found(rule, seen)).toMatchObject([
        { scenario: 'lost-response', level, why, fix, message, ...(named && { requests: named }) },
      ]);
    });

    test.each(Object.entries(kept))('does not report %s', (_why, seen) => {
      expect(found(rule, seen)).toEqual([]);
    });
  },
);

describe('the judge', () => {
  test.each(Object.entries(findingRules))(
    'says in sentences why %s matters and how to fix it',
    (_name, rule) => {
      expect(rule.why).toMatch(/^[A-Z].{20,}\.$/);
      expect(rule.fix).toMatch(/^[A-Z].{20,}\.$/);
    },
  );

  test('skips the rules that compare runs if it gets only one run', () => {
    expect(judge('baseline', run({ payments: [payment(), payment('ORDER-2')] }))).toEqual([]);
  });

  test('counts a payment after the decline of another order, as in the baseline', () => {
    const settledPayments = ended('declined');
    const late = (referenceId: string) => payment(referenceId, undefined, { createdAt: at(9) });
    const usual = run({ payments: [payment('A'), late('B')], settledPayments });
    expect(found('two-payments', { payments: [payment('A'), late('B')] }, usual)).toEqual([]);
    const more = { payments: [payment('A'), late('B'), late('B-2')], settledPayments };
    expect(found('two-payments', more, usual)).toHaveLength(1);
    expect(found('two-payments', { ...more, orderCount: 2 }, usual)).toEqual([]);
  });

  test('names the request with a different reference, or says that there are several', () => {
    const named = (...references: string[]) => {
      const requests = references.map((text, index) => {
        const [referenceId = '', end] = text.split(' ');
        return request(index + 1, { referenceId, body: 'equal orders', ...(end === 'lost' && lost) });
      });
      const two = run({ requests: ['P-0', 'P-1'].map((referenceId, id) => request(id, { referenceId })) });
      return found('new-reference-after-unknown', { requests }, two).map(({ message }) => message);
    };
    expect(named('R-0 lost', 'R-1 lost', 'R-2')).toEqual([
      'The response to request 2 (R-1) was lost; request 3 (R-2) was sent with a different referenceId.',
    ]);
    expect(named('a8f1 lost', '0c2e', '77b0')).toEqual([
      'The response to request 1 (a8f1) was lost; requests 2 (0c2e) and 3 (77b0) were sent later with other referenceIds, and at least one of these requests is for the same order as request 1 (a8f1).',
    ]);
  });

  describe('the number of invoices', () => {
    const stored = (...counts: readonly number[]) => ({
      payments: counts.map((_count, index) => payment(`ORDER-${index}`, 2)),
      invoices: counts.flatMap((count, index) =>
        Array.from({ length: count }, (_, file) => invoice(`ORDER-${index}`, `file ${file}`)),
      ),
    });
    const isFound = (counts: readonly number[], usual: readonly number[]) =>
      found('upload-again', stored(...counts), run(stored(...usual))).length === 1;

    test.each([
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
    ])('is accepted as %j if the baseline has %j', (counts, usual) => {
      expect(isFound(counts, usual)).toBe(false);
    });

    test.each([
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
    ])('is too high as %j if the baseline has %j', (counts, usual) => {
      expect(isFound(counts, usual)).toBe(true);
    });

    test('is reported with the payment that has the most invoices', () => {
      expect(found('upload-again', stored(1, 4, 1), run(stored(1, 3, 1)))[0]).toMatchObject({
        message: '6 invoices are stored (in the baseline: 5), and 4 of them are for ORDER-1.',
        referenceId: 'ORDER-1',
      });
    });

    test('is one for each file if nothing was paid in the baseline', () => {
      const declined = run({ requests: [request(1)], payments: [payment()] });
      const late = (...invoices: MockInvoice[]) =>
        found('upload-again', { payments: paid, invoices }, declined);
      expect(late(invoice(), invoice('ORDER-1', 'bb'))).toEqual([]);
      expect(late(invoice(), invoice())).toHaveLength(1);
    });
  });

  test('shows the response of the order page, and that no webhook was accepted, with the fix for each', () => {
    const problem = 'GET http://shop/orders/ORDER-1 responded with HTTP 404';
    const pageChecks = [pageCheck(false, { isPaidAtService: true, problem })];
    const [error, warning] = judge(
      'baseline',
      run({ payments: paid, pageChecks, webhooks: [webhook(3, 401)] }),
    );
    expect(error?.message).toBe(
      `ORDER-1 is paid at the service, but the shop's order page could not be read, and the shop has accepted no webhook for the payment. ${problem}.`,
    );
    expect(error?.fix).toContain('Store each payment of an order');
    expect(warning?.message).toContain('not accepted in 1 attempt. The last result was: HTTP 401.');
    expect(warning?.fix).toContain('raw bytes');
    const [unknown] = found('notification-refused', { webhooks: [webhook(3, 404)] });
    expect(unknown?.fix).toContain('Check the URL of the webhook');
  });

  test('says that JSON was serialized again if the same event was accepted in its compact form', () => {
    const accepted = webhook(3, 204, { body: '{"a":1}', tries: tries(500, 204) });
    const refused = webhook(3, 401, { body: '{"a":1}' });
    const judged = (body: string, webhooks = [refused, accepted]) =>
      found('notification-refused', { webhooks: [webhook(3, 401, { body })] }, run({ webhooks }))[0];
    expect(judged('{"a": 1}')?.level).toBe('error');
    expect(judged('{"a": 1}')?.fix).toContain('parsed and serialized again');
    expect(judged('{"a":1}')?.level).toBe('warning');
    expect(judged('no JSON')?.level).toBe('warning');
    expect(judged('{"a": 1}', [refused, webhook(3, 204, { body: '{"a": 1}' })])?.level).toBe('warning');
  });

  test.each([
    [
      '2026-11-20 03:00:01',
      'Request-Time would be correct for the offset +00:00 (UTC). The mock expects +07:00',
    ],
    ['2026-11-20 08:30:01', 'Request-Time would be correct for the offset +05:30. The mock expects +07:00'],
    ['2026-11-20 10:35:01', 'Request-Time would be correct for the offset +07:30. The mock expects +07:00'],
    ['2026-11-20 17:00:01', 'Request-Time would be correct for the offset +14:00. The mock expects +07:00'],
    ['2026-11-20 17:30:01', "450 minutes later than the mock's clock in request 1 (ORDER-1)."],
    ['2026-11-19 22:00:01', 'Request-Time would be correct for the offset -05:00. The mock expects +07:00'],
    ['2026-11-20 10:17:01', "17 minutes later than the mock's clock in request 1 (ORDER-1)."],
  ])('names the time zone that explains a wrong Request-Time: %s', (text, words) => {
    expect(found('request-time-off', { requests: times(text) })[0]?.message).toContain(words);
  });

  test('names a request without a reference only by its ID', () => {
    const requests = [query(1, { headers: { 'request-time': '2026-11-20 10:17:01' } })];
    expect(found('request-time-off', { requests })[0]?.message).toMatch(/ in request 1\.$/);
  });

  test.each([
    [[{ price: 1 }], [{ price: 2 }], 'items[0].price'],
    [[], null, 'items'],
  ])('names the first path in which two bodies with one key differ, without their values', (...row) => {
    const [one, other, path] = row;
    const requests = [one, other].map((items, index) =>
      request(index + 1, { body: JSON.stringify({ customer: { email: 'a@example.com' }, items }) }),
    );
    expect(found('key-reused', { requests })[0]?.message).toBe(
      `The same Idempotency-Key was sent with two bodies: requests 1 (ORDER-1) and 2 (ORDER-1). First difference: ${path}.`,
    );
  });

  test.each([
    [6, '1 (R-1), 2 (R-2), 3 (R-3), 4 (R-4), 5 (R-5) and 6 (R-6)'],
    [7, '1 (R-1), 2 (R-2), 3 (R-3), …, 6 (R-6) and 7 (R-7)'],
  ])(
    'names six requests, or the first three and last two of more requests, and no payment: %d',
    (size, names) => {
      const requests = many(size, (id) => request(id, { ...noKey, referenceId: `R-${id}` }));
      const [finding] = found('no-key', { requests });
      expect(finding?.message).toBe(`No Idempotency-Key was sent with requests ${names}.`);
      expect(finding).not.toHaveProperty('referenceId');
    },
  );
});

describe('the comparison with a baseline', () => {
  const rulesOf = (seen: Partial<RunRecord>, inBaseline: Partial<RunRecord>) =>
    judge('slow', run(seen), run(inBaseline)).map(({ rule }) => rule);
  const uploaded = { requests: [upload(4)], payments: paid, invoices: [invoice()] };

  test('accepts one parcel for a paid order, but not two, if the baseline has no paid orders', () => {
    const declined = { pageChecks: [pageCheck(false, { onceNumber: 0 })] };
    const sent = (count: number) => ({
      pageChecks: [pageCheck(true, { isPaidAtService: true, onceNumber: count })],
    });
    expect(rulesOf(sent(1), declined)).toEqual([]);
    expect(rulesOf(sent(2), declined)).toEqual(['counted-twice']);
  });

  test('does not accept a parcel for an unpaid order if the baseline has no paid orders', () => {
    const declined = { pageChecks: [pageCheck(false, { onceNumber: 0 })] };
    expect(rulesOf({ pageChecks: [pageCheck(false, { onceNumber: 1 })] }, declined)).toEqual([
      'counted-twice',
    ]);
  });

  test('accepts any number of invoices if invoices of the baseline arrived after it had ended', () => {
    const requests = [upload(4), upload(5, { files: pdf('bb') })];
    const invoices = [invoice(), invoice('ORDER-1', 'bb')];
    expect(rulesOf({ ...uploaded, requests, invoices }, { payments: paid })).toEqual(['upload-again']);
    expect(rulesOf({ ...uploaded, requests, invoices }, { payments: paid, hasLateInvoices: true })).toEqual(
      [],
    );
  });
});
