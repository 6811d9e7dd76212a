import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { paymentCandidates } from '../../../src/workbench/diagnosis/candidates/payment-candidates.js';
import { readSignature } from '../../../src/workbench/diagnosis/notations.js';
import { Search } from '../../../src/workbench/diagnosis/search.js';
import { signingsOf, type Signing } from '../../../src/workbench/diagnosis/signings.js';
import * as lib from './languages.js';
import { hex, longOrder, ofPayment, refused, secretKey } from './support.js';

const sent = JSON.stringify(longOrder);
const orderLines = JSON.parse(sent) as lib.JsonObject;

/** The CPU time of a function in milliseconds. */
function cpuOnce(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Work of the same kind: JSON, escapes and digests of the body. It needs 60 ms on an idle machine. */
function referenceWork(): void {
  for (let round = 0; round < 40; round += 1) {
    const text = lib.python(JSON.parse(sent) as lib.Json, { indent: round % 4 });
    for (let key = 0; key < 10; key += 1) createHmac('sha256', String(key)).update(text).digest();
  }
}

/**
 * Milliseconds of CPU that some work takes on a machine with nothing else to do: both in turns, and the least of
 * each, as what else a machine does at that time makes both longer.
 */
function quietMs(work: () => unknown, rounds = 3): number {
  const times = Array.from({ length: rounds }, () => [cpuOnce(referenceWork), cpuOnce(work)] as const);
  const [reference, own] = [0, 1].map((index) => Math.min(...times.map((each) => each[index] ?? Infinity)));
  return ((own ?? Infinity) / (reference ?? Infinity)) * 60;
}

describe('a wrong signature of an order of 200 lines', () => {
  test.each([
    ['body-pretty-printed + body-escaped', lib.python(orderLines, { indent: 2 }), secretKey],
    ['field-order + body-pretty-printed + body-escaped', lib.python(orderLines, { sort: true }), secretKey],
    [
      'number-format + body-pretty-printed + body-escaped',
      lib.python(lib.numbers(orderLines, lib.fixed(1), lib.amounts)),
      secretKey,
    ],
    ['secret-trimmed', sent, `${secretKey}\n`],
    ['body-pretty-printed + secret-trimmed', lib.python(orderLines, { ascii: false }), `${secretKey}\n`],
  ])('is explained as %s', (cause, signed, secret) => {
    expect(ofPayment(hex(signed, secret), sent).cause).toBe(cause);
  });

  test('needs far less CPU time than a reader would notice', () => {
    expect(quietMs(() => ofPayment(hex('something else'), sent), 5)).toBeLessThan(300);
  });

  test('needs a bounded number of digests of a bounded number of characters', () => {
    const request = refused('/v2/payments', hex('something else'));
    const readings = readSignature(hex('something else'), { operation: 'payment', encoding: 'hex' });
    const work = { digests: 0, characters: 0 };
    const counted = (signing: Signing): Signing => ({
      ...signing,
      sign(text) {
        work.digests += 1;
        work.characters += text.length;
        return signing.sign(text);
      },
    });
    const { right, wrong, wrongTwice } = signingsOf(request);
    const [first, ...more] = right;
    const signings = {
      right: [counted(first), ...more.map(counted)] as const,
      wrong: wrong.map(counted),
      wrongTwice: wrongTwice.map(counted),
    };
    const candidates = paymentCandidates(Buffer.from(sent), request);
    expect(new Search(candidates, signings, readings).run()).toBeUndefined();
    expect(work.digests).toBeGreaterThan(500);
    expect(work.digests).toBeLessThan(2000);
    expect(work.characters).toBeLessThan(100e6);
  });

  test('has the same diagnosis each time', () => {
    const signature = hex('something else');
    expect(ofPayment(signature, sent)).toEqual(ofPayment(signature, sent));
  });
});

const size = 1024 * 1024 - 100;

describe('the CPU time of a diagnosis', () => {
  test.each([
    ['numbers', `[${'1,'.repeat(size / 2 - 2)}1]`],
    ['empty arrays', `${'['.repeat(90)}${'[],'.repeat(size / 3 - 100)}[]${']'.repeat(90)}`],
    ['objects', `[${'{"a":[1]},'.repeat(size / 10 - 2)}1]`],
    ['objects, of the greatest length that is read', `[${'{"a":[1]},'.repeat(13_000)}1]`],
    ['one string', `"${'á'.repeat(size / 2 - 2)}"`],
    ['white space', `{${' '.repeat(size - 2)}}`],
    ['line feeds', `"a"${'\n'.repeat(size - 3)}`],
    ['combining marks', `"${'\u0301\u0323'.repeat(size / 4 - 2)}"`],
  ])('is bounded for a body of 1 MiB of %s', (_what, body) => {
    expect(quietMs(() => ofPayment(hex('something else'), body))).toBeLessThan(300);
  });

  test.each([
    ['numbers', '1,'.repeat(1000)],
    ['escapes', `b'${'\\x41'.repeat(500)}'`],
    ['hex digits', 'ab'.repeat(8000)],
    ['hex digits, longer than any header', 'ab'.repeat(size)],
  ])('is bounded for a signature of %s', (_what, signature) => {
    expect(quietMs(() => ofPayment(signature, '{}'))).toBeLessThan(300);
  });
});
