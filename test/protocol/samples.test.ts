import { describe, expect, test } from 'vitest';
import { sampleInvoice, samplePaymentRequest } from '../../src/entries/mock.js';

describe('samplePaymentRequest', () => {
  test('replaces fields at any depth and keeps the others', () => {
    const sample = samplePaymentRequest();
    const order = samplePaymentRequest({
      referenceId: 'ORDER-1',
      amount: { value: 5_000_000 },
      customer: { firstName: 'Bình' },
      seller: { id: 'SELLER-1' },
    });
    expect(order).toEqual({
      ...sample,
      referenceId: 'ORDER-1',
      amount: { value: 5_000_000 },
      customer: { ...sample.customer, firstName: 'Bình' },
      seller: { id: 'SELLER-1' },
    });
  });

  test('completes each item from the sample item', () => {
    const [item] = samplePaymentRequest().items;
    const { items } = samplePaymentRequest({ items: [{ quantity: 2 }, { productId: 'SKU-2', price: 1 }] });
    expect(items).toEqual([
      { ...item, quantity: 2 },
      { ...item, productId: 'SKU-2', price: 1 },
    ]);
    expect(samplePaymentRequest({ items: [] }).items).toEqual([]);
  });

  test('returns a new object each time, at every depth', () => {
    const first = samplePaymentRequest({ lang: 'vi' });
    first.customer.firstName = 'changed';
    first.amount.value = 1;
    expect(samplePaymentRequest()).toMatchObject({
      customer: { firstName: 'An' },
      amount: { value: 12_000_000 },
    });
  });

  test('omits a field whose override is undefined', () => {
    expect(samplePaymentRequest({ description: undefined }).description).toBeUndefined();
  });
});

describe('sampleInvoice', () => {
  test('replaces fields and keeps the others', () => {
    const sample = sampleInvoice();
    expect(sampleInvoice({ invoiceNumber: 'INV-1' })).toEqual({ ...sample, invoiceNumber: 'INV-1' });
    const file = new Uint8Array([1]);
    expect(sampleInvoice({ file }).file).toBe(file);
  });
});
