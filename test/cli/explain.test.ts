import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signPayment } from '../../src/protocol/signature.js';
import { vectors } from '../helpers/vectors.js';
import { runOnce, type Ran } from './support.js';

describe('installment-payments explain', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'explain-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function explained(kind: string, content: string | Uint8Array, secret = 'demo-secret'): Promise<Ran> {
    const file = join(folder, 'file');
    await writeFile(file, content);
    return runOnce(['explain', kind, file, '--secret-env', 'KEY'], { KEY: secret });
  }

  test.each(vectors.payment)(
    'signs the vector "$name" of a payment',
    async ({ secretKey, body, signature }) => {
      const { code, out } = await explained('payment', body, secretKey);
      expect(code).toBe(0);
      const visible = body.replaceAll(
        /[\r\u2028\u2029\ufeff]/g,
        (letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`,
      );
      expect(out).toContain(
        `Signed bytes (${String(Buffer.byteLength(body))}, exactly as in the file):\n\n${visible}\n`,
      );
      expect(out).toContain(`Signature: ${signature}`);
      expect(out).not.toContain(secretKey);
    },
  );

  test.each(vectors.invoice)(
    'signs the vector "$name" of an invoice',
    async ({ secretKey, fields, canonical, signature }) => {
      const { out } = await explained('invoice', JSON.stringify(fields), secretKey);
      expect(out).toContain(`Canonical string:\n\n${canonical}\n\nSignature: ${signature}`);
    },
  );

  test.each([
    ['payment', '{}\n', 'the body has a trailing line break'],
    ['payment', '{\r\n}', 'the body has CR LF line breaks'],
    ['payment', '{"a":"u\u0309"}', 'the body is not NFC'],
    ['payment', '\uFEFF{}', 'the body begins with a byte order mark'],
    ['invoice', '\uFEFF{"description":"x"}', 'the file begins with a byte order mark'],
    ['payment', '', 'the file is empty: this is the signature of nothing'],
    ['payment', '{', 'the body is not JSON'],
    ['payment', '[]', 'the body is not a JSON object'],
    ['payment', Uint8Array.from([0xff]), 'the body is not UTF-8'],
    ['invoice', '{"description":"a&b"}', 'description contains a separator'],
    ['invoice', '{"description":"a=b"}', 'description contains a separator'],
    ['invoice', '{"description":"u\u0309"}', 'description is not NFC'],
    ['invoice', '{"extraData":"{}\\n"}', 'extraData has a trailing line break'],
    ['invoice', '{"description":"\\ud800"}', 'description contains half of a surrogate pair'],
    ['invoice', '{"fileUrl":"https://x.example"}', 'fileUrl is not part of the signature'],
  ])('warns of a likely mistake: %s %j', async (kind, content, warning) => {
    const { code, out } = await explained(kind, content);
    expect(code).toBe(0);
    expect(out).toContain(`Warning: ${warning}`);
  });

  test('warns of a secret with white space at an end', async () => {
    expect((await explained('payment', '{}', 'secret\n')).out).toContain('the secret key has white space');
  });

  test('accepts JSON after a byte order mark', async () => {
    expect((await explained('payment', '\uFEFF{}')).out).not.toContain('not JSON');
    const fields = '{"merchantId":"M"}';
    const [plain, marked] = [
      await explained('invoice', fields),
      await explained('invoice', `\uFEFF${fields}`),
    ];
    expect(marked.out).toContain(plain.out);
  });

  test.each([
    ['payment', '{"a":1}'],
    ['invoice', '{"merchantId":"M"}'],
  ])('reads standard input for %s -', async (kind, content) => {
    const expected = await explained(kind, content);
    const args = ['explain', kind, '-', '--secret-env', 'KEY'];
    expect(await runOnce(args, { KEY: 'demo-secret' }, content)).toEqual(expected);
  });

  test('does not warn where nothing is wrong', async () => {
    expect((await explained('payment', '{}')).out).toBe(
      `Signed bytes (2, exactly as in the file):\n\n{}\n\nSignature: ${signPayment('{}', 'demo-secret')}`,
    );
  });

  test('signs the bytes of a file that is not text', async () => {
    const bytes = Uint8Array.from([0x7b, 0xff, 0x1b]);
    const { out } = await explained('payment', bytes);
    expect(out).toContain(signPayment(bytes, 'demo-secret'));
    expect(out).toContain('{ÿ\\u{1b}');
  });

  test.each([
    ['{', 'The file is not JSON in UTF-8'],
    [Uint8Array.from([0xff]), 'The file is not JSON in UTF-8'],
    ['[]', 'must contain a JSON object'],
    ['{"merchantId":"M","invoiceNumber":12}', 'invoiceNumber is a number: write "12"'],
    ['{"a":true,"b":null}', 'a is a boolean: write "true", b is null: leave it out'],
    ['{"extraData":{"x":1}}', 'extraData is an object: write it as a string of JSON'],
    ['{"extraData":[1]}', 'extraData is an array: write it as a string of JSON'],
  ])('refuses fields that are not text, and names them: %j', async (content, problem) => {
    const { code, error } = await explained('invoice', content);
    expect(code).toBe(1);
    expect(error).toContain(problem);
  });

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFF{"a":1}', 'utf16le'), 'is UTF-16'],
    ['UTF-16BE', Buffer.from('{"a":1}', 'utf16le').swap16(), 'is UTF-16'],
    ['UTF-16 without a byte order mark', Buffer.from('{"a":1}', 'utf16le'), 'is UTF-16'],
    ['an HTTP request', 'POST /v2/payments HTTP/1.1\r\nHost: x\r\n\r\n{}', 'is a whole HTTP message'],
    ['an HTTP answer', 'HTTP/1.1 200 OK\r\n\r\n{}', 'is a whole HTTP message'],
    ['a curl command', "curl -X POST https://x.example --data '{}'", 'is a curl command'],
    ['an HTTP request after white space', ' \n POST /v2/payments HTTP/1.1\r\n', 'is a whole HTTP message'],
    ['curl of Windows', '> curl.exe -d x', 'is a curl command'],
    ['curl of root', '#curl\t-d x', 'is a curl command'],
    ['UTF-16BE with a byte order mark', Buffer.from('\uFEFFủ', 'utf16le').swap16(), 'is UTF-16'],
    ['UTF-16 of Vietnamese with a byte order mark', Buffer.from('\uFEFFủ', 'utf16le'), 'is UTF-16'],
    ['a curl command with its prompt', "\uFEFF$ curl https://x.example -d '{}'", 'is a curl command'],
  ])('recognises %s, and names the alternative', async (_what, content, problem) => {
    for (const kind of ['payment', 'invoice']) {
      const { code, out, error } = await explained(kind, content);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(error).toContain(problem);
      expect(error).toMatch(/^The file [^\n]*\. See installment-payments explain --help\.$/);
    }
    const args = ['explain', 'signature', '-', '--received', 'x', '--secret-env', 'KEY'];
    const { code, error } = await runOnce(args, { KEY: 'demo-secret' }, content);
    expect(code).toBe(1);
    expect(error).toContain(`Standard input ${problem}`);
  });

  test.each(['toString', '__proto__'])('%s is not a variable of the environment', async (name) => {
    const { code, error } = await runOnce(['explain', 'payment', '-', '--secret-env', name]);
    expect(code).toBe(1);
    expect(error).toContain(`The environment variable ${name} is not set`);
  });

  test('refuses an empty file where fields are expected', async () => {
    const { code, error } = await explained('invoice', '');
    expect(code).toBe(1);
    expect(error).toContain('is empty');
  });

  test('names a body that is JSON encoded twice', async () => {
    const { out } = await explained('payment', JSON.stringify('{"referenceId":"ORDER-1"}'));
    expect(out).toContain('Warning: the body is JSON encoded twice');
  });

  test('warns of a line break at the end of the file, with the signature without it', async () => {
    const { out } = await explained('payment', '{}\r\n');
    expect(out).toContain(`Signature: ${signPayment('{}\r\n', 'demo-secret')}`);
    expect(out).toContain(
      `without the line break at its end the signature is ${signPayment('{}', 'demo-secret')}`,
    );
  });

  test('shows the first 64 KiB of a text, with control characters escaped', async () => {
    const most = 64 * 1024;
    const whole = `"\u001b${'a'.repeat(most - 3)}"`;
    const { out } = await explained('payment', whole);
    expect(out).toContain(`:\n\n"\\u{1b}${'a'.repeat(most - 3)}"\n\nSignature: `);
    const longer = await explained('payment', `${whole}\t\n1`);
    expect(longer.out).toContain(`a"… (3 more characters)\n\nSignature: `);
    const bytes = await explained('payment', Buffer.alloc(most + 1, 0xe9));
    expect(bytes.out).toContain(`${'é'.repeat(most)}… (1 more characters)\n`);
  });

  test('puts every warning on a line of its own, after the signature', async () => {
    const { out } = await explained('payment', '\uFEFF[]\r\n', ' k');
    const [sent, without] = ['\uFEFF[]\r\n', '\uFEFF[]'].map((text) => signPayment(text, ' k'));
    expect(out).toBe(
      [
        'Signed bytes (7, exactly as in the file):',
        '',
        '\\u{feff}[]\\u{d}',
        '',
        '',
        `Signature: ${sent ?? ''}`,
        '',
        'Warning: the body has a trailing line break, which is signed too.',
        'Warning: the body has CR LF line breaks, which must be sent as they are.',
        'Warning: the body begins with a byte order mark, which is signed too: save the file without it.',
        'Warning: the body is not a JSON object.',
        `Warning: without the line break at its end the signature is ${without ?? ''}.`,
        'Warning: the secret key has white space at its beginning or end.',
      ].join('\n'),
    );
  });

  test.each([
    ['"text"', 'the body is not a JSON object.'],
    ['5', 'the body is not a JSON object.'],
    ['{\r\n}', 'the body has CR LF line breaks, which must be sent as they are.'],
    [
      '"[1]"',
      'the body is JSON encoded twice: a string that holds the JSON. Python (requests): data=body, not json=body.',
    ],
    ['{}\r', 'the body has a trailing line break, which is signed too.'],
    ['', 'the file is empty: this is the signature of nothing.'],
    ['{', 'the body is not JSON.'],
  ])('has one warning, of what is wrong: %j', async (body, warning) => {
    const { out } = await explained('payment', body);
    expect(out.split('\n').filter((line) => line.startsWith('Warning'))).toEqual([`Warning: ${warning}`]);
  });

  test('has one warning for a body that is not UTF-8', async () => {
    const { out } = await explained('payment', Buffer.from('["é"]', 'latin1'));
    expect(out.split('\n').filter((line) => line.startsWith('Warning'))).toEqual([
      'Warning: the body is not UTF-8.',
    ]);
  });

  test('names a field of an upload with its control characters escaped, and each of its problems', async () => {
    const { out } = await explained(
      'invoice',
      '{"a\\u001b":"x","storeId":"S\\r\\n","merchantId":"u\\u0309&\\ud800"}',
    );
    expect(out.split('\n').filter((line) => line.startsWith('Warning'))).toEqual([
      'Warning: a\\u{1b} is not part of the signature.',
      'Warning: storeId has a trailing line break, which is signed too.',
      'Warning: storeId has CR LF line breaks, which must be sent as they are.',
      'Warning: merchantId is not NFC: signing and sending must use the same form.',
      'Warning: merchantId contains a separator (& or =), which is signed without escaping.',
      'Warning: merchantId contains half of a surrogate pair, which cannot be sent.',
    ]);
    expect(out.slice(0, out.indexOf('merchantId'))).toBe('Canonical string:\n\n');
  });

  test('names at most eight fields that are not text, shortened', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `${index}${'x'.repeat(70)}`);
    const { error } = await explained(
      'invoice',
      JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))),
    );
    const listed = names.slice(0, 8).map((name) => `${name.slice(0, 60)} is a number: write "1"`);
    expect(error).toBe(
      `The file must contain the fields as strings, as a form sends them: ${listed.join(', ')}. See installment-payments explain --help.`,
    );
  });

  test.each([
    ['a word that begins as a command', 'payment', 'curling'],
    ['a command within a text', 'payment', 'x curl -d x'],
    ['bytes of a mark within a text', 'payment', Buffer.from('a\xff\xfe', 'latin1')],
    ['a method in a text', 'payment', 'x POST /a HTTP/1'],
    ['an address without a protocol', 'payment', 'POST /a'],
    ['a short text', 'payment', 'a\0b'],
    ['a text with some zeros', 'payment', '\0\0ab'],
  ])('takes for a body what is not mistaken: %s', async (_what, kind, content) => {
    expect((await explained(kind, content)).code).toBe(0);
  });

  test('signs as the switches say', async () => {
    const file = join(folder, 'switched');
    const secret = ['--secret-env', 'KEY'];
    await writeFile(file, '{"referenceId":"ORDER-1"}');
    const env = { KEY: 'demo-secret' };
    const payment = await runOnce(
      ['explain', 'payment', file, ...secret, '--signature-encoding', 'base64'],
      env,
    );
    const invoice = await runOnce(['explain', 'invoice', file, ...secret, '--absent-fields', 'omit'], env);
    const digest = Buffer.from(signPayment('{"referenceId":"ORDER-1"}', 'demo-secret'), 'hex');
    expect(payment.out).toContain(`Signature: ${digest.toString('base64')}`);
    expect(invoice.out).toContain('Canonical string:\n\nreferenceId=ORDER-1\n');
    expect(invoice.out).toContain(`Signature: ${signPayment('referenceId=ORDER-1', 'demo-secret')}`);
  });
});
