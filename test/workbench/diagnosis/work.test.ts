import { describe, expect, test } from 'vitest';
import { paymentCandidates } from '../../../src/workbench/diagnosis/candidates/payment-candidates.js';
import { readSignature } from '../../../src/workbench/diagnosis/notations.js';
import { Search } from '../../../src/workbench/diagnosis/search.js';
import { signingsOf, type Signing } from '../../../src/workbench/diagnosis/signings.js';
import * as lib from './languages.js';
import { hex, longOrder, ofPayment, refused, secretKey } from './support.js';

const sent = JSON.stringify(longOrder);
const orderLines = JSON.parse(sent) as lib.JsonObject;

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
