import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { invoiceCanonicalString } from '../../../src/protocol/canonical-string.js';
import { explained as explainedFile } from './support.js';

const body = '{"merchantId":"DEMO-MERCHANT","description":"Tủ lạnh / máy giặt"}';
const escaped = body.replaceAll('/', '\\/');
const fields = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER-1', description: 'Tủ lạnh' };
const form = JSON.stringify(fields);
const canonical = invoiceCanonicalString(fields);
const hmac = (signed: string, key = 'demo-secret') => createHmac('sha256', key).update(signed);
const hex = (signed: string, key?: string) => hmac(signed, key).digest('hex');

const explained = (content: string | Uint8Array, received: string, ...args: string[]) =>
  explainedFile('signature', content, '--received', received, ...args);

describe('explain signature', () => {
  test.each([
    ['a payment', body, hex(body)],
    ['a payment in base64', body, hmac(body).digest('base64'), '--signature-encoding', 'base64'],
    ['an upload', form, hex(canonical).toUpperCase(), '--invoice'],
    [
      'an upload without its absent fields',
      form,
      hex(invoiceCanonicalString(fields, { absentFields: 'omit' })),
      ...['--invoice', '--absent-fields', 'omit'],
    ],
  ])('accepts the correct signature of %s', async (_what, content, received, ...args) => {
    expect(await explained(content, received, ...args)).toMatchObject({
      code: 0,
      out: 'The signature is correct.',
    });
  });

  test.each([
    ['a payment', 'body-escaped', body, hex(escaped)],
    ['a payment that is expected in base64', 'digest-hex', body, hex(body), '--signature-encoding', 'base64'],
    ['a body that is not JSON', 'body-empty', '{', hex('')],
    ['an upload', 'absent-fields-included', form, hex(canonical), '--invoice', '--absent-fields', 'omit'],
  ])('explains the mistake of %s: %s', async (_what, cause, content, received, ...args) => {
    const { code, out } = await explained(content, received, ...args);
    expect(code).toBe(2);
    expect(out).toContain(`The signature is wrong: ${cause}\n`);
    expect(out).not.toContain('demo-secret');
  });

  test('shows both signatures if the text was right, and no difference of texts', async () => {
    const received = hex(body, '');
    const { out } = await explained(body, received);
    expect(out).toMatch(/^The signature is wrong: secret-empty\n\n[^\n]+\n\nWhat to do: [^\n]+\n\n/);
    expect(out.split('\n').slice(6)).toEqual([`Expected: ${hex(body)}`, `Received: ${received}`]);
  });

  test('shows both texts if they differ, with marks for white space and controls escaped', async () => {
    const text = `{\n\t"a":1,\n  "b":"\u007f"} `;
    const { out } = await explained(text, hex(`${text}\r\n`));
    const shown = '{¶\n»"a":1,¶\n··"b":"\\u{7f}"}·';
    expect(out).toContain(
      `First difference: after ${text.length} bytes (¶ line feed, « carriage return, » tab, · space)\n`,
    );
    expect(out).toContain(`\nShould have been signed: ${shown}\nWas signed: ${shown}«¶\n`);
  });

  describe('for a file that ends with a line break', () => {
    test.each(['\n', '\r\n'])('says that the body was signed without the line break: %j', async (end) => {
      const { code, out } = await explained(body + end, hex(body));
      expect(code).toBe(2);
      expect(out).toContain('The signature is wrong: line-breaks\n');
    });

    test('accepts a signature of the line break, and warns of it', async () => {
      const { code, out } = await explained(`${body}\n`, hex(`${body}\n`));
      const warning = `without the line break at its end the signature is ${hex(body)}.`;
      expect({ code, out }).toEqual({ code: 0, out: `The signature is correct.\n\nWarning: ${warning}` });
    });

    test('explains other mistakes without it', async () => {
      const { code, out } = await explained(`${body}\n`, hex(escaped));
      expect(code).toBe(2);
      expect(out).toContain('The signature is wrong: body-escaped\n');
    });
  });

  test('refuses an empty file', async () => {
    const { code, error } = await explained('', hex(''));
    expect(code).toBe(1);
    expect(error).toContain('is empty');
  });

  test('searches 20 MB within the limits of any other text', async () => {
    const { code, out } = await explained(Buffer.alloc(20_000_000, 'a'), hex('?'));
    expect(code).toBe(2);
    expect(out).toContain('The signature is wrong: unexplained');
    expect(out).toContain('20000000 bytes');
  });
});
