import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  invoiceCanonicalString,
  signInvoice,
  signPayment,
} from '../../src/entries/index.js';
import { hmacSha256 } from '../../src/protocol/signature.js';
import { thrownBy } from '../helpers/samples.js';
import { vectors } from '../helpers/vectors.js';

describe('signing a payment', () => {
  test.each([...vectors.rfc4231, ...vectors.payment])('gives the golden signature: $name', (vector) => {
    expect(signPayment(vector.body, vector.secretKey)).toBe(vector.signature);
    expect(hmacSha256(vector.body, vector.secretKey, 'base64')).toBe(vector.base64);
  });

  test.each(vectors.payment)('signs text as its UTF-8 bytes: $name', ({ body, secretKey, signature }) => {
    expect(signPayment(Buffer.from(body), secretKey)).toBe(signature);
    expect(signPayment(new Uint8Array(Buffer.from(body)), secretKey)).toBe(signature);
  });
});

describe('signing an invoice', () => {
  test.each(vectors.invoice)('gives the golden canonical string: $name', ({ fields, canonical }) => {
    expect(invoiceCanonicalString(fields)).toBe(canonical);
  });

  test.each(vectors.invoice)('gives the golden signature: $name', ({ fields, secretKey, signature }) => {
    expect(signInvoice(fields, secretKey)).toBe(signature);
  });

  test.each(vectors.invoice)(
    'gives the golden values without absent fields: $name',
    ({ fields, secretKey, omitted }) => {
      const switches = { absentFields: 'omit' } as const;
      expect(invoiceCanonicalString(fields, switches)).toBe(omitted.canonical);
      expect(signInvoice(fields, secretKey, switches)).toBe(omitted.signature);
    },
  );

  test('keeps the order of the specification for fields in any order', () => {
    const backwards = { extraData: '8', description: '7', invoiceDate: '6', invoiceNumber: '5' };
    const more = { storeId: '4', paymentTransId: '3', referenceId: '2', merchantId: '1' };
    expect(invoiceCanonicalString({ ...backwards, ...more })).toBe(
      'merchantId=1&referenceId=2&paymentTransId=3&storeId=4&invoiceNumber=5&invoiceDate=6&description=7&extraData=8',
    );
  });
});

describe('the switches of a signature', () => {
  const body = 'what do ya want for nothing?';
  const right = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'; // RFC 4231, test case 2
  const bytes = Buffer.from(right, 'hex');
  const fields = { merchantId: 'M', referenceId: 'R' };
  const ofFields = signPayment(invoiceCanonicalString(fields), 'Jefe');

  test.each([
    ['hex', right, ofFields],
    ['hex-upper', right.toUpperCase(), ofFields.toUpperCase()],
    ['base64', bytes.toString('base64'), ofFields],
    ['base64url', 'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM', ofFields],
  ] as const)(
    'write the signature of a payment in %s, and the signature of an upload in hex',
    (signatureEncoding, payment, upload) => {
      expect(signPayment(body, 'Jefe', { signatureEncoding })).toBe(payment);
      expect(signInvoice(fields, 'Jefe', { signatureEncoding })).toBe(upload);
    },
  );

  test.each([
    ['utf8', 'Jefe'],
    ['hex', '4a656665'],
    ['hex', '4A656665'],
    ['base64', 'SmVmZQ=='],
  ] as const)('accept the key as %s: %s', (secretKeyEncoding, key) => {
    expect(signPayment(body, key, { secretKeyEncoding })).toBe(right);
    expect(signInvoice(fields, key, { secretKeyEncoding })).toBe(ofFields);
  });

  test.each([
    ['hex', '4a6566650'],
    ['hex', '4a65666g'],
    ['hex', ' 4a656665'],
    ['hex', '4a656665\n'],
    ['hex', '0x4a656665'],
    ['hex', ''],
    ['base64', 'SmVmZQ'],
    ['base64', 'SmVmZQ='],
    ['base64', 'SmVmZR=='],
    ['base64', 'SmVm\nZQ=='],
    ['base64', '_-8='],
    ['base64', ''],
  ] as const)('refuse a key that is not in %s, without quoting it: %j', (secretKeyEncoding, key) => {
    for (const sign of [
      () => signPayment(body, key, { secretKeyEncoding }),
      () => signInvoice(fields, key, { secretKeyEncoding }),
    ]) {
      const error = thrownBy(sign);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error).toMatchObject({ option: 'secretKey' });
      if (key !== '') expect(String(error)).not.toContain(key);
    }
  });

  test('are refused by name if they are invalid', () => {
    const error = thrownBy(() => signPayment(body, 'Jefe', { signatureEncoding: 'HEX' as 'hex' }));
    expect(error).toMatchObject({ code: 'CONFIGURATION', option: 'wire.signatureEncoding' });
  });
});

describe('a function that signs', () => {
  // An environment variable that is not set, or an object in place of its JSON, would otherwise be an error of Node.
  test.each([
    ['a missing key', 'secretKey', () => signPayment('{}', undefined as never)],
    ['a missing key of an upload', 'secretKey', () => signInvoice({}, undefined as never)],
    ['an object as the body', 'body', () => signPayment({ merchantId: 'A' } as never, 'Jefe')],
    ['a missing body', 'body', () => signPayment(undefined as never, 'Jefe')],
    ['missing fields', 'fields', () => signInvoice(undefined as never, 'Jefe')],
  ])('names %s', (_case, option, sign) => {
    expect(thrownBy(sign)).toMatchObject({ code: 'CONFIGURATION', option });
  });
});
