import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readSignature } from '../../../src/workbench/diagnosis/notations.js';
import { search, signingsOf, type Signing, type Signings } from '../../../src/workbench/diagnosis/search.js';
import { paymentTexts } from '../../../src/workbench/diagnosis/signed/payment-texts.js';
import { hex, longOrder, ofPayment, refused, secretKey } from './support.js';

const sent = JSON.stringify(longOrder);

/** Milliseconds of CPU that some work takes. */
function cpuOnce(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The median of several runs. */
function cpuOf(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => cpuOnce(work));
  return times.sort((a, b) => a - b)[1] ?? Infinity;
}

describe('a wrong signature of an order of 200 lines', () => {
  const escaped = (json: string) =>
    json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

  test.each([
    ['body-escaped', escaped(sent).replaceAll('/', '\\/'), secretKey],
    ['body-pretty-printed + body-escaped', escaped(JSON.stringify(longOrder, null, 2)), secretKey],
    ['body-escaped + line-breaks', `${escaped(sent)}\n`, secretKey],
    ['secret-trimmed', sent, `${secretKey}\n`],
    ['secret-empty', sent, ''],
    ['body-pretty-printed + secret-quoted', JSON.stringify(longOrder, null, 2), `"${secretKey}"`],
  ])('is explained as %s', (cause, signed, secret) => {
    expect(ofPayment(hex(signed, secret), sent).cause).toBe(cause);
  });

  /** Work of the same kind: JSON, escapes and digests of the body. It takes 60 ms where a diagnosis takes 140. */
  function referenceWork(): void {
    for (let round = 0; round < 40; round += 1) {
      const text = escaped(JSON.stringify(JSON.parse(sent), null, round % 4));
      for (let key = 0; key < 10; key += 1) createHmac('sha256', String(key)).update(text).digest();
    }
  }

  test('takes far less CPU time than a reader would notice', () => {
    // Both in turns, and the least of each: what else a machine does at that time makes both longer.
    const rounds = Array.from({ length: 5 }, () => ({
      referenceMs: cpuOnce(referenceWork),
      diagnosisMs: cpuOnce(() => ofPayment(hex('something else'), sent)),
    }));
    const referenceMs = Math.min(...rounds.map((each) => each.referenceMs));
    const diagnosisMs = Math.min(...rounds.map((each) => each.diagnosisMs));
    expect((diagnosisMs / referenceMs) * 60).toBeLessThan(200);
  });

  test('takes a bounded number of digests, of a bounded number of characters', () => {
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
    const { right, wrong } = signingsOf(request);
    const [first, ...more] = right;
    const signings: Signings = {
      right: [counted(first), ...more.map(counted)],
      wrong: [wrong[0].map(counted), wrong[1].map(counted), wrong[2].map(counted)],
    };
    expect(search(paymentTexts(Buffer.from(sent), request), signings, readings)).toBeUndefined();
    // About 30 digests of this size take a millisecond; it makes 1,164.
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

describe('the CPU time of a diagnosis is bounded', () => {
  test.each([
    ['numbers', `[${'1,'.repeat(size / 2 - 2)}1]`],
    ['brackets', '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['empty arrays', `${'['.repeat(90)}${'[],'.repeat(size / 3 - 100)}[]${']'.repeat(90)}`],
    ['objects', `[${'{"a":[1]},'.repeat(size / 10 - 2)}1]`],
    ['one string', `"${'á'.repeat(size / 2 - 2)}"`],
    ['escapes', `"${'\\u00e1'.repeat(size / 6 - 2)}"`],
    ['white space', `{${' '.repeat(size - 2)}}`],
    ['no JSON', `a${' '.repeat(1000)}`.repeat(size / 1001)],
    ['line feeds', `"a"${'\n'.repeat(size - 3)}`],
    ['percent signs', '%'.repeat(size)],
  ])('for a body of 1 MiB of %s', (_what, body) => {
    expect(cpuOf(() => ofPayment(hex('something else'), body))).toBeLessThan(600);
  });

  test.each([
    ['numbers', '1,'.repeat(1000)],
    ['hyphens', 'ab-'.repeat(680)],
    ['escapes', `b'${'\\x41'.repeat(500)}'`],
    ['hex digits', 'ab'.repeat(8000)],
    ['hex digits, longer than any header', 'ab'.repeat(size)],
  ])('for a signature of %s', (_what, signature) => {
    expect(cpuOf(() => ofPayment(signature, '{}'))).toBeLessThan(600);
  });
});
