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
    ['payment', '\uFEFF{}', 'the body begins with a byte order mark'],
    [
      'payment',
      '{}\r\n',
      `without the line break at its end the signature is ${signPayment('{}', 'demo-secret')}`,
    ],
    ['payment', '"{}"', 'the body is JSON encoded twice'],
    ['payment', '[]', 'the body is not a JSON object'],
    ['payment', '{', 'the body is not a JSON object'],
    ['payment', Uint8Array.from([0xff]), 'the body is not UTF-8'],
    ['invoice', '\uFEFF{"description":"x"}', 'the file begins with a byte order mark'],
    ['invoice', '{"fileUrl\\u001b":"https://x.example"}', 'fileUrl\\u{1b} is not part of the signature'],
  ])('warns of a likely mistake: %s %j', async (kind, content, warning) => {
    const { code, out } = await explained(kind, content);
    expect(code).toBe(0);
    expect(out).toContain(`Warning: ${warning}`);
  });

  test('accepts JSON after a byte order mark', async () => {
    expect((await explained('payment', '\uFEFF{}')).out).not.toContain('not a JSON');
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
    ['{', 'must contain a JSON object'],
    [Uint8Array.from([0xff]), 'must contain a JSON object'],
    ['[]', 'must contain a JSON object'],
    ['{"merchantId":"M","a":12,"b":null}', 'These are not strings: a, b'],
  ])('refuses fields that are not text, and names them: %j', async (content, problem) => {
    const { code, error } = await explained('invoice', content);
    expect(code).toBe(1);
    expect(error).toContain(problem);
  });

  test.each(['toString', '__proto__'])('%s is not a variable of the environment', async (name) => {
    const { code, error } = await runOnce(['explain', 'payment', '-', '--secret-env', name]);
    expect(code).toBe(1);
    expect(error).toContain(`The environment variable ${name} is not set`);
  });

  test('refuses an empty file', async () => {
    const { code, error } = await explained('invoice', '');
    expect(code).toBe(1);
    expect(error).toContain('is empty');
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
