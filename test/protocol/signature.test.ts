import { describe, expect, it } from 'vitest';
import { invoiceCanonicalString, signInvoice, signPayment } from '../../src/index.js';
import { hmacSha256, secretKeyObject } from '../../src/protocol/signature.js';
import { vectors } from '../helpers/vectors.js';

describe('signing a payment', () => {
  it.each([...vectors.rfc4231, ...vectors.payment])('gives the golden signature: $name', (vector) => {
    expect(signPayment(vector.body, vector.secretKey)).toBe(vector.signature);
    expect(hmacSha256(vector.body, vector.secretKey, 'base64')).toBe(vector.base64);
  });

  it.each(vectors.payment)('signs text as its UTF-8 bytes: $name', ({ body, secretKey, signature }) => {
    expect(signPayment(Buffer.from(body), secretKey)).toBe(signature);
    expect(signPayment(new Uint8Array(Buffer.from(body)), secretKey)).toBe(signature);
  });
});

describe('signing an invoice', () => {
  it.each(vectors.invoice)('gives the golden canonical string: $name', ({ fields, canonical }) => {
    expect(invoiceCanonicalString(fields)).toBe(canonical);
  });

  it.each(vectors.invoice)('gives the golden signature: $name', ({ fields, secretKey, signature }) => {
    expect(signInvoice(fields, secretKey)).toBe(signature);
  });

  it.each(vectors.invoice)(
    'gives the golden values without absent fields: $name',
    ({ fields, secretKey, omitted }) => {
      const switches = { absentFields: 'omit' } as const;
      expect(invoiceCanonicalString(fields, switches)).toBe(omitted.canonical);
      expect(signInvoice(fields, secretKey, switches)).toBe(omitted.signature);
    },
  );

  it('can leave absent fields out of the canonical string, but keeps empty ones', () => {
    const fields = { merchantId: 'M', referenceId: 'R', description: '' };
    expect(invoiceCanonicalString(fields, { absentFields: 'omit' })).toBe(
      'merchantId=M&referenceId=R&description=',
    );
    expect(signInvoice(fields, 'k', { absentFields: 'omit' })).toBe(
      signPayment('merchantId=M&referenceId=R&description=', 'k'),
    );
  });

  it('keeps the order of the specification for fields in any order', () => {
    const backwards = { extraData: '8', description: '7', invoiceDate: '6', invoiceNumber: '5' };
    const more = { storeId: '4', paymentTransId: '3', referenceId: '2', merchantId: '1' };
    expect(invoiceCanonicalString({ ...backwards, ...more })).toBe(
      'merchantId=1&referenceId=2&paymentTransId=3&storeId=4&invoiceNumber=5&invoiceDate=6&description=7&extraData=8',
    );
  });
});

describe('the digest', () => {
  it('is the same from a key object as from its text, and can be written as base64', () => {
    const hex = hmacSha256('body', 'khoá-bí-mật');
    expect(hmacSha256('body', secretKeyObject('khoá-bí-mật'))).toBe(hex);
    expect(Buffer.from(hmacSha256('body', 'khoá-bí-mật', 'base64'), 'base64').toString('hex')).toBe(hex);
  });
});
