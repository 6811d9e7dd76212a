import { beforeEach, describe, expect, test } from 'vitest';
import { Changes, type MockChange } from '../../../src/mock/state/changes.js';
import { isAnswerLost, Journal, type OpenEntry } from '../../../src/mock/state/journal.js';
import { isWhole, keptFields, keptText } from '../../../src/mock/state/kept-text.js';
import type { JournalEntry, JournalMatch } from '../../../src/mock/state/journal-types.js';
import type { IncomingRequest } from '../../../src/mock/common/exchange.js';
import { instant, now } from '../../helpers/signed-requests.js';

const limit = 16 * 1024;

let seen: MockChange[];
let changes: Changes;
let journal: Journal;

beforeEach(() => {
  seen = [];
  changes = new Changes();
  changes.subscribe((change) => seen.push(change));
  journal = new Journal(3, now, changes);
});

function request(headers: Record<string, string> = {}, path = '/v2/payments'): IncomingRequest {
  const header = (name: string) => headers[name];
  return { method: 'POST', path, header } as IncomingRequest;
}

const arrive = (path?: string) => journal.arrive(request({}, path));
const entry = (facts: object) => ({ headers: {}, ...facts }) as JournalEntry;
const ids = () => journal.all().map(({ id }) => id);

describe('the kept text', () => {
  test.each([
    // A copy would replace half of a surrogate pair.
    ['half of a character', '\ud800'],
    ['16 KiB', `${'x'.repeat(limit - 1)}\ud800`],
  ])('of %s is the text itself', (_title, text) => {
    expect(keptText(text)).toBe(text);
  });

  test('is the start of a text of more than 16 KiB', () => {
    expect(keptText(`${'x'.repeat(limit)}y`)).toBe('x'.repeat(limit));
  });

  test('is cut at 16 KiB over all fields', () => {
    const long = 'x'.repeat(limit - 3);
    expect(keptFields({ a: long, b: 'yy', c: 'zz', d: 'dd' })).toStrictEqual({
      a: long,
      b: 'yy',
      c: 'z',
      d: '',
    });
    expect(keptFields({})).toStrictEqual({});
  });
});

describe('the text of an entry', () => {
  test.each<[string, boolean, object]>([
    ['as long as the body', true, { body: 'đ', bodyBytes: 2 }],
    ['shorter than the body', false, { body: 'đ', bodyBytes: 3 }],
    ['absent and the body empty', true, { bodyBytes: 0 }],
    ['absent and the body not', false, { bodyBytes: 1 }],
    ['shorter than declared', false, { headers: { 'content-length': '1' } }],
    [
      'as long as the body, whose declared length is different',
      true,
      { body: 'x', bodyBytes: 1, headers: { 'content-length': '2' } },
    ],
    ['fields of 16,383 characters', true, { fields: { a: 'x'.repeat(limit - 2), b: 'y' }, bodyBytes: 9 }],
    ['fields of 16,384 characters', false, { fields: { a: 'x'.repeat(limit - 1), b: 'y' }, bodyBytes: 9 }],
  ])('that is %s is whole: %s', (_title, whole, facts) => {
    expect(isWhole(entry(facts))).toBe(whole);
  });
});

describe('a response', () => {
  test.each<[Partial<JournalEntry>, boolean]>([
    [{ httpStatus: 200, answer: 'lost' }, true],
    [{ httpStatus: 200, answer: 'abandoned' }, true],
    [{ httpStatus: 200, answer: 'sent' }, false],
    [{ httpStatus: 200 }, false],
    [{ answer: 'lost' }, false],
  ])('is lost if the service sent it and its sender did not get it: %j, %s', (facts, lost) => {
    expect(isAnswerLost(entry(facts))).toBe(lost);
  });
});

describe('an entry', () => {
  test('has the headers of the allow-list that were sent', () => {
    const kept = {
      'content-type': 'text/plain',
      'content-length': '1',
      'client-id': 'c',
      'request-time': 't',
      'idempotency-key': 'k',
      'user-agent': 'u',
      accept: '*/*',
      host: 'h',
    };
    expect(
      journal.arrive(request({ ...kept, signature: 's', cookie: 'c' }), { operation: 'initiatePayment' }),
    ).toStrictEqual({
      id: 1,
      at: instant,
      operation: 'initiatePayment',
      method: 'POST',
      path: '/v2/payments',
      headers: kept,
      acted: false,
      replay: false,
      scripted: false,
      completed: false,
    });
    expect(arrive('/other')).toStrictEqual({
      id: 2,
      at: instant,
      method: 'POST',
      path: '/other',
      headers: {},
      acted: false,
      replay: false,
      scripted: false,
      completed: false,
    });
  });

  test('is announced when it arrives, changes, is complete, and when its sender has closed the connection', () => {
    const entry = arrive();
    journal.changed(entry);
    journal.complete(entry, 5);
    journal.abandon(entry);
    expect(entry).toMatchObject({ completed: true, durationMs: 5, answer: 'abandoned' });
    expect(seen).toStrictEqual(Array(4).fill({ kind: 'request', entry }));
  });

  test('is announced as complete even if newer entries have replaced it', () => {
    const entry = arrive();
    for (let count = 0; count < 3; count++) arrive();
    seen.length = 0;
    journal.complete(entry, 1);
    expect(seen).toEqual([{ kind: 'request', entry }]);
  });

  test('is not announced after a reset', () => {
    const entry = arrive();
    journal.reset();
    seen.length = 0;
    journal.changed(entry);
    journal.complete(entry, 1);
    expect(seen).toStrictEqual([]);
    expect(journal.all()).toStrictEqual([]);
  });
});

describe('the list of entries', () => {
  test('keeps as many entries as the limit, and drops the oldest', () => {
    for (let index = 0; index < 3; index += 1) arrive();
    expect(ids()).toStrictEqual([1, 2, 3]);
    arrive();
    expect(ids()).toStrictEqual([2, 3, 4]);
  });

  test('starts again after a reset', () => {
    arrive();
    journal.reset();
    expect(arrive().id).toBe(1);
    expect(ids()).toStrictEqual([1]);
  });
});

describe('a match', () => {
  const matches = (match: unknown) => journal.filter(match as JournalMatch).length === 1;

  beforeEach(() => {
    const entry: OpenEntry = journal.arrive(request({ accept: 'a', host: 'h' }), {
      operation: 'initiatePayment',
    });
    entry.fields = { a: '1' };
  });

  test.each<[unknown, boolean]>([
    [{}, true],
    [{ id: 1, method: 'POST' }, true],
    [{ id: 1, method: 'PUT' }, false],
    [{ referenceId: undefined }, true],
    [{ referenceId: 'R' }, false],
    [{ headers: { accept: 'a' } }, true],
    [{ headers: { accept: 'a', host: 'other' } }, false],
    [{ headers: 7 }, false],
    [{ headers: null }, false],
    [{ at: new Date(now()) }, true],
    [{ at: new Date(now().getTime() + 1) }, false],
    [{ at: now().getTime() }, false],
    [{ at: {} }, false],
  ])('fits an entry with the pattern %j: %s', (match, isMatch) => {
    expect(matches(match)).toBe(isMatch);
  });

  test('decides itself if it is a function', () => {
    expect(journal.find(({ id }) => id === 1)?.id).toBe(1);
    expect(journal.find(() => false)).toBeUndefined();
  });
});

describe('waiting', () => {
  const nothing = () => journal.waitFor({ path: '/never' }, { timeoutMs: 0 });

  test('fails with the state of the requests that arrived, if the expected request does not arrive', async () => {
    const open = arrive(`/${'x'.repeat(100)}`);
    const unjudged = arrive('/two');
    unjudged.requestId = 'REQ-1';
    journal.complete(unjudged, 1);
    const judged = journal.arrive(request(), { operation: 'paymentReceipt' });
    Object.assign(judged, { lenderTransactionCode: 'LTC-1', requestId: 'REQ-2', resultStatus: 'APPROVED' });
    expect(open.completed).toBe(false);
    await expect(nothing()).rejects.toThrow(
      new Error(
        `No request matched within 0 ms. 3 requests arrived: POST /${'x'.repeat(79)} not completed; ` +
          'POST /two REQ-1 no result; paymentReceipt LTC-1 APPROVED.',
      ),
    );
  });

  test('fails with the last ten requests, if any arrived', async () => {
    await expect(nothing()).rejects.toThrow('within 0 ms. No request arrived.');
    journal = new Journal(11, now, changes);
    for (let count = 1; count <= 11; count++) arrive(`/${count}`);
    await expect(nothing()).rejects.toThrow(
      /\. 11 requests arrived\. The last 10 are: POST \/2 not completed; .*; POST \/11 not completed\.$/,
    );
  });

  test('ends with the error of a match function that throws', async () => {
    const waiting = journal.waitFor(({ body = '' }) => Boolean(JSON.parse(body)));
    const ended = expect(waiting).rejects.toThrow(SyntaxError);
    arrive();
    await ended;
  });

  test('fails with the reason if the mock is reset', async () => {
    const waiting = journal.waitFor({ id: 1 });
    const ended = expect(waiting).rejects.toThrow(
      new Error('The mock was reset during waitFor. 1 request arrived: POST /one not completed.'),
    );
    arrive('/one');
    journal.reset();
    changes.emit({ kind: 'reset' });
    await ended;
  });

  test('does not call its match function any more after its end', async () => {
    let asked = 0;
    const waiting = journal.waitFor(() => {
      asked += 1;
      return true;
    });
    changes.emit({ kind: 'invoice' });
    journal.complete(arrive(), 1);
    expect((await waiting).id).toBe(1);
    arrive();
    expect(asked).toBe(1);
  });

  test('ends when the request that matches an object is complete', async () => {
    const waiting = journal.waitFor({ path: '/v2/payments' });
    let isOver = false;
    void waiting.then(() => (isOver = true));
    const entry = arrive();
    await Promise.resolve();
    expect(isOver).toBe(false);
    journal.complete(entry, 1);
    expect(await waiting).toBe(entry);
    expect(await journal.waitFor({ path: '/v2/payments' }, { timeoutMs: 0 })).toBe(entry);
  });
});
