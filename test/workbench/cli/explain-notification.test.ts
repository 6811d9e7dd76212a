import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { explainNotification, headersIn } from '../../../src/workbench/cli/explain-notification.js';

describe('a file with the headers of a webhook', () => {
  test('is read with one header per line, with lower-case names and without the white space around values', () => {
    const content = '\uFEFFX-Signature:abc\r\n  \r\nContent-Type: \t text/plain; a="b: c" \n';
    expect([...headersIn(content)]).toEqual([
      ['x-signature', 'abc'],
      ['content-type', 'text/plain; a="b: c"'],
    ]);
  });

  test.each(['X-Signature abc', 'a b: c', ': c', 'A: b\n\uFEFFC: d'])(
    '%j is refused with the number of its line',
    (content) => {
      const line = content.includes('\n') ? 2 : 1;
      expect(() => headersIn(content)).toThrow(
        `Line ${line} of --headers does not have the form Name: value`,
      );
    },
  );
});

describe("the explanation of a webhook's signature", () => {
  const body = Buffer.from('{"status":"paid"}');
  const explained = (key: Buffer | string, secret: string) => {
    const signature = createHmac('sha256', key).update(body).digest('hex');
    return explainNotification({ body, headers: new Map([['x-signature', signature]]) }, secret, 'KEY');
  };

  test('has a handler and a template, without a note about a key that is not encoded', () => {
    const text = explained('demo-secret', 'demo-secret');
    expect(text).toMatch(/^The signature is explained: \S/);
    expect(text).not.toContain('The mock decodes the key');
  });

  test('says how to pass the mock a key in another encoding, and without its prefix', () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    expect(explained(key, key.toString('hex'))).toMatch(
      /\nThe mock needs wire\.secretKeyEncoding 'hex' to decode the key\.$/,
    );
    expect(explained(key, `whsec_${key.toString('base64')}`)).toMatch(
      /\nThe mock needs wire\.secretKeyEncoding 'base64' to decode the key, and the key without whsec_\.$/,
    );
  });

  test('is missing if no scheme matches', () => {
    expect(explained('another', 'demo-secret')).toBeUndefined();
  });
});
