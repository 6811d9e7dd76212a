import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as lib from './languages.js';
import { hex, longOrder, ofPayment } from './support.js';

const sent = JSON.stringify(longOrder);

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

const size = 1024 * 1024 - 100;

describe('the CPU time of a diagnosis', () => {
  test('is far less than a reader would notice for an order of 200 lines', () => {
    expect(quietMs(() => ofPayment(hex('something else'), sent), 5)).toBeLessThan(300);
  });

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
