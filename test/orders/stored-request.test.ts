import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { invoiceText, keyInReference, keyOf, newPayment } from '../../src/orders/stored-request.js';
import type { OrderRequest } from '../../src/orders/types.js';
import { demo } from '../helpers/samples.js';

interface Vector {
  readonly orderId: string;
  readonly number: number;
  readonly request: OrderRequest;
  readonly additionalFields?: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly referenceId: string;
  readonly stored: string;
  readonly idempotencyKey: string;
}

// Written by hand: a database that is restored must get the same reference, text and key again.
const vectors = JSON.parse(await readFile('test/vectors/1.0/order-keys.json', 'utf8')) as Vector[];

describe('the payment of an order is the same in every version', () => {
  test.each(vectors)('$orderId, payment $number', (vector) => {
    const { orderId, number, request, additionalFields } = vector;
    const key = keyOf(orderId);
    const {
      referenceId,
      request: stored,
      idempotencyKey,
    } = newPayment(key, number, request, additionalFields, demo);
    expect({ key, referenceId, stored, idempotencyKey }).toEqual({
      key: vector.key,
      referenceId: vector.referenceId,
      stored: vector.stored,
      idempotencyKey: vector.idempotencyKey,
    });
    expect(keyInReference(referenceId)).toBe(key);
  });
});

describe('the digest of a content', () => {
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

  test('of a payment is that of its stored text without its number, the same as in an earlier version', () => {
    for (const { key, number, referenceId, request, additionalFields, stored } of vectors) {
      const content = stored.replace(`"${referenceId}"`, `"${key}-0"`);
      expect(newPayment(key, number, request, additionalFields, demo).contentHash).toBe(digestOf(content));
    }
  });

  test('of an invoice is that of its invoiceNumber, or of its stored text', () => {
    const fileUrl = 'https://shop.example/1.pdf';
    expect(invoiceText('A-1', { invoiceNumber: 'I-1', fileUrl }, false)).toEqual({
      upload: JSON.stringify({ upload: { invoiceNumber: 'I-1', fileUrl } }),
      contentHash: digestOf('I-1'),
    });
    const { upload, contentHash } = invoiceText('A-1', { fileUrl }, false);
    expect(contentHash).toBe(digestOf(upload));
  });
});

describe('the key of an orderId', () => {
  test('differs for orderIds that differ in one byte, and a hashed key is never an orderId', () => {
    const orderIds = [
      'đơn',
      'ĐƠN',
      'đơn ',
      'é',
      'e\u0301',
      'a/b',
      'a b',
      'x'.repeat(51),
      `${'x'.repeat(51)}y`,
    ];
    const keys = orderIds.map(keyOf);
    expect(new Set(keys).size).toBe(orderIds.length);
    for (const key of keys) {
      expect(key).toHaveLength(53);
      expect(keyOf(key)).not.toBe(key);
    }
  });

  test('accepts an orderId of 1 to 180 characters of well-formed text', () => {
    for (const orderId of ['a', 'x'.repeat(180), '0', '🧾', ' ', '\t'])
      expect(keyOf(orderId)).toMatch(/^[\w:-]+$/);
    for (const orderId of ['', 'x'.repeat(181), 'a\0b', '\ud800', 'a\udc00b', 5, null, undefined, {}, ['a']])
      expect(() => keyOf(orderId as string)).toThrow(expect.objectContaining({ code: 'VALIDATION' }));
  });

  test.each(['', '-1', 'A-0', 'A-01', 'A', 'A-1\n', 'a b-1', 'x'.repeat(60) + '-1', 'A-1234567'])(
    'is not found in the text %j',
    (reference) => {
      expect(keyInReference(reference)).toBeUndefined();
    },
  );
});
