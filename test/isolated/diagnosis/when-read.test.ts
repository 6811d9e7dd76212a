import * as crypto from 'node:crypto';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createMockService, type JournalEntry } from '../../../src/entries/mock.js';
import type { Diagnosis } from '../../../src/mock/observation.js';
import { connectMock } from '../../../src/entries/remote.js';
import { initiate, now, order, upload, type PlainRequest } from '../../helpers/signed-requests.js';
import {
  fields,
  hex,
  longOrder,
  merchant,
  ofPayment,
  ofUpload,
  sent,
} from '../../workbench/diagnosis/support.js';

let hmacs = 0;
vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>();
  const createHmac: typeof crypto.createHmac = (...given) => {
    hmacs += 1;
    return original.createHmac(...given);
  };
  return { ...original, createHmac };
});

const wrong = 'a1'.repeat(32);
const payment = initiate(order(), { headers: { Signature: wrong } });
const invoice = upload({ signature: wrong });

let mock = createMockService({ now });
beforeEach(() => {
  mock = createMockService({ now });
});

const send = ({ path, init }: PlainRequest) => mock.fetch(`https://mock.example${path}`, init);

async function refuse(times: number, request = payment): Promise<void> {
  for (let index = 0; index < times; index++) await send(request);
}

/** The HMACs that some work makes. */
async function hmacsOf(work: () => unknown): Promise<number> {
  const before = hmacs;
  await work();
  return hmacs - before;
}

function entryOf(id: number): JournalEntry {
  const entry = mock.journal.get(id);
  if (!entry) throw new Error(`entry ${id} not found`);
  return entry;
}

describe('a wrong signature', () => {
  test.each([
    ['payment', initiate(), payment],
    ['upload', upload(), invoice],
  ])('a %s takes as many HMACs to refuse as a right one to accept', async (_kind, right, refused) => {
    expect(await hmacsOf(() => send(right))).toBe(1);
    expect(await hmacsOf(() => refuse(20, refused))).toBe(20);
  });

  test.each([
    ['payment', payment],
    ['upload', invoice],
  ])('a %s is explained once, by the first that reads the diagnosis', async (_kind, refused) => {
    await send(refused);
    const entry = entryOf(1);
    let first: Diagnosis | undefined;
    expect(await hmacsOf(() => (first = entry.diagnosis))).toBeGreaterThan(100);
    expect(first?.cause).toBe('unexplained');
    expect(await hmacsOf(() => entryOf(1).diagnosis)).toBe(0);
    expect(entry.diagnosis).toBe(first);
  });

  test('is not explained by JSON, inspection, a copy, a clone or a match that does not ask for it', async () => {
    await refuse(3);
    const lookedAt = await hmacsOf(() => {
      for (const entry of mock.journal.all()) {
        expect(JSON.parse(JSON.stringify(entry))).toMatchObject({ hasDiagnosis: true });
        expect(JSON.stringify(entry)).not.toContain('"diagnosis"');
        expect(inspect(entry, { showHidden: false, getters: true })).not.toContain('unexplained');
        expect({ ...entry }).not.toHaveProperty('diagnosis');
        expect(structuredClone(entry)).not.toHaveProperty('diagnosis');
      }
      expect(mock.journal.filter({ hasDiagnosis: true })).toHaveLength(3);
    });
    expect(lookedAt).toBe(0);
    expect(mock.journal.find({ diagnosis: { cause: 'unexplained' } })?.id).toBe(1);
  });

  test('is no longer explained after a reset, which forgets the bytes', async () => {
    await send(payment);
    const entry = entryOf(1);
    mock.reset();
    expect(entry.diagnosis?.cause).toBe('request-not-kept');
  });

  test('is explained over HTTP for one request, and not for a list', async () => {
    await refuse(3);
    await using server = await mock.listen();
    const remote = connectMock(server.url);
    const read = async (path: string) =>
      (await fetch(new URL(path, server.url))).json() as Promise<JournalEntry>;
    expect(
      await hmacsOf(async () => {
        for (const entry of [...(await remote.journal.all()), ...(await remote.journal.filter({}))]) {
          expect(entry).toMatchObject({ hasDiagnosis: true });
          expect(entry.diagnosis).toBeUndefined();
        }
        expect(await read('/_mock/journal?resultStatus=INVALID_SIGNATURE')).toHaveLength(3);
        await (await fetch(`${server.url}/_mock`)).text();
      }),
    ).toBe(0);
    const expected = entryOf(1).diagnosis;
    expect((await remote.journal.get(1))?.diagnosis).toEqual(expected);
    expect((await remote.journal.find({ hasDiagnosis: true }))?.diagnosis).toEqual(expected);
    expect((await remote.journal.waitFor({ id: 1 })).diagnosis).toEqual(expected);
    expect((await read('/_mock/journal/2')).diagnosis).toEqual(expected);
    expect(await (await fetch(`${server.url}/_mock/ui/requests/3`)).text()).toContain('unexplained');
  });
});

test.each([
  ['a payment', () => ofPayment(hex('?', '?'))],
  ['a payment of 200 lines', () => ofPayment(hex('?', '?'), JSON.stringify(longOrder))],
  ['an upload', () => ofUpload(hex('?', '?'), fields)],
  [
    'a payment of a merchant with four keys',
    () => ofPayment(hex('?', '?'), sent, { merchant: { ...merchant, secretKeys: ['a', 'b', 'c', 'd'] } }),
  ],
  ['a payment with a digest of another size', () => ofPayment('ab'.repeat(20))],
  ['a payment with a signature that was cut', () => ofPayment('ab'.repeat(25))],
])('a signature of nothing takes a bounded number of HMACs: %s', async (_what, explain) => {
  const made = await hmacsOf(explain);
  expect(made).toBeGreaterThan(100);
  // A millisecond or so for 300.
  expect(made).toBeLessThan(45_000);
});
