import { describe, expect, test } from 'vitest';
import { hex, hmac, merchant, ofPayment, ofUpload, otherMerchant, secretKey } from './support.js';

const body = '{"referenceId":"R/1"}';
const fields = { merchantId: 'M', referenceId: 'R' };
const canonical =
  'merchantId=M&referenceId=R&paymentTransId=&storeId=&invoiceNumber=&invoiceDate=&description=&extraData=';

describe('the diagnosis of a payment', () => {
  test.each([
    ['that is missing', undefined],
    ['that is empty', ''],
  ])('knows the signature that was expected, of one %s', (_what, signature) => {
    const diagnosis = ofPayment('', body, { signature });
    expect(diagnosis).toMatchObject({ cause: 'signature-missing', expected: hex(body), received: '' });
  });

  test('of a signature that stands for no digest has no search', () => {
    const others = {
      [Symbol.iterator]: () => {
        throw new Error('searched');
      },
    };
    expect(ofPayment('?', body, { others })).toMatchObject({ cause: 'secret-wrong', expected: hex(body) });
  });

  test('has the mistake, with the whole text', () => {
    expect(ofPayment(hex(body.replace('/', '\\/')), body)).toMatchObject({
      cause: 'body-escaped',
      expected: body,
      received: body.replace('/', '\\/'),
    });
  });

  test('has a mistake that is made of the reference of the order', () => {
    expect(ofPayment(hex('R/1'), body).cause).toBe('body-part');
    expect(ofPayment(hex(body, 'R/1'), body).cause).toBe('secret-replaced');
  });

  test('knows the keys of other merchants', () => {
    expect(ofPayment(hex(body, otherMerchant.secretKey), body).cause).toBe('secret-of-another-merchant');
  });

  test('is of base64 where base64 is expected', () => {
    const signatureEncoding = 'base64';
    const expected = hmac(body).toString('base64');
    const missing = ofPayment('', body, { signatureEncoding });
    expect(missing).toMatchObject({ cause: 'signature-missing', expected });
    expect(ofPayment(hex(body), body, { signatureEncoding }).cause).toBe('digest-hex');
    expect(ofPayment(hex(body), body, { signatureEncoding, merchant: { secretKey } })).toMatchObject({
      expected,
    });
  });

  test('of a body that is not UTF-8 is of its bytes', () => {
    const bytes = Buffer.from('{"a":"é"}', 'latin1');
    const { fix, expected } = ofPayment('?', bytes);
    expect(fix).toContain('the bytes of the body exactly as they are sent: 11 bytes');
    expect(expected).toBe(hex(bytes));
    expect(ofPayment(hex(bytes, ''), bytes).cause).toBe('secret-empty');
  });
});

describe('the diagnosis of an upload', () => {
  test('knows the canonical string that was expected', () => {
    const diagnosis = ofUpload('?', fields);
    expect(diagnosis).toMatchObject({ cause: 'secret-wrong', expected: hex(canonical) });
    expect(diagnosis.fix).toContain(`the canonical string shown here`);
    expect(diagnosis.fix).toContain(JSON.stringify(canonical));
    expect(diagnosis.fix).toContain('written in lower-case hex');
  });

  test('has the mistake, with both strings', () => {
    const short = 'merchantId=M&referenceId=R';
    expect(ofUpload(hex(short), fields)).toMatchObject({
      cause: 'absent-fields-omitted',
      expected: canonical,
      received: short,
    });
    expect(ofUpload(hex(canonical), fields, { absentFields: 'omit' })).toMatchObject({
      cause: 'absent-fields-included',
      expected: short,
      received: canonical,
    });
  });

  test('has a wrong key', () => {
    expect(ofUpload(hex(canonical, `${merchant.secretKey}\n`), fields).cause).toBe('secret-trimmed');
  });

  test('expects hex, also where the signature of a payment is base64', () => {
    const diagnosis = ofUpload(hmac(canonical).toString('base64'), fields, { signatureEncoding: 'base64' });
    expect(diagnosis).toMatchObject({ cause: 'digest-base64', expected: hex(canonical) });
  });
});
