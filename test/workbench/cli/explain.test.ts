import { describe, expect, test } from 'vitest';
import { signPayment } from '../../../src/operations/signer.js';
import { vectors } from '../../helpers/vectors.js';
import { explained, explainedWith, runOnce } from './support.js';

const [payment] = vectors.payment;
const [invoice] = vectors.invoice;

function warningsIn(out: string): string[] {
  return out.split('\n').flatMap((line) => /^Warning: (.*)$/.exec(line)?.[1] ?? []);
}

describe('installment-payments explain', () => {
  test('signs a payment, and shows the bytes that were signed', async () => {
    const { secretKey = '', body = '', signature = '' } = payment ?? {};
    const { code, out } = await explainedWith(secretKey, 'payment', body);
    expect(code).toBe(0);
    const about = `Signed bytes (${String(Buffer.byteLength(body))}, exactly as in the file)`;
    expect(out).toBe(`${about}:\n\n${body}\n\nSignature: ${signature}`);
  });

  test('signs an invoice, and shows its canonical string', async () => {
    const { secretKey = '', fields, canonical = '', signature = '' } = invoice ?? {};
    const { out } = await explainedWith(secretKey, 'invoice', JSON.stringify(fields));
    expect(out).toBe(`Canonical string:\n\n${canonical}\n\nSignature: ${signature}`);
  });

  test('reads a file in UTF-16 as its text, and says so', async () => {
    const { secretKey = '', body = '', signature = '' } = payment ?? {};
    const little = Buffer.from(`\uFEFF${body}`, 'utf16le');
    for (const content of [little, Buffer.from(little).swap16()]) {
      const { code, out } = await explainedWith(secretKey, 'payment', content);
      expect(code).toBe(0);
      expect(out).toContain(`Signature: ${signature}`);
      expect(warningsIn(out)).toEqual([
        'the file is UTF-16, as PowerShell writes it: its text is signed as UTF-8 here.',
      ]);
    }
  });

  test('signs as the options say', async () => {
    const content = '{"referenceId":"ORDER-1"}';
    const base64 = await explained('payment', content, '--signature-encoding', 'base64');
    const omitted = await explained('invoice', content, '--absent-fields', 'omit');
    const digest = Buffer.from(signPayment(content, 'demo-secret'), 'hex');
    expect(base64.out).toContain(`Signature: ${digest.toString('base64')}`);
    expect(omitted.out).toContain('Canonical string:\n\nreferenceId=ORDER-1\n');
    expect(omitted.out).toContain(`Signature: ${signPayment('referenceId=ORDER-1', 'demo-secret')}`);
  });

  test('decodes the key as --secret-encoding says', async () => {
    const content = '{"referenceId":"ORDER-1"}';
    const switches = ['--secret-encoding', 'base64', '--signature-encoding', 'hex-upper'];
    const { out } = await explainedWith('ZGVtby1zZWNyZXQ=', 'payment', content, ...switches);
    expect(out).toContain(`Signature: ${signPayment(content, 'demo-secret').toUpperCase()}`);
  });

  test('signs the bytes of a file that is not text', async () => {
    const bytes = Uint8Array.from([0x7b, 0xff, 0x1b]);
    const { out } = await explained('payment', bytes);
    expect(out).toContain(signPayment(bytes, 'demo-secret'));
    expect(out).toContain('{ÿ\\u{1b}');
    expect(warningsIn(out)).toEqual(['the body is not UTF-8.']);
  });

  const notAnObject = 'the body is not a JSON object.';

  test.each([
    ['payment', '{', [notAnObject]],
    ['payment', '"[1]"', ['the body is JSON encoded twice. Python (requests): data=body, not json=body.']],
    [
      'payment',
      '\uFEFF[]\r\n',
      [
        'the body begins with a byte order mark, which is signed too: save the file without it.',
        notAnObject,
        `without the line break at its end the signature is ${signPayment('\uFEFF[]', 'demo-secret')}.`,
      ],
    ],
    [
      'invoice',
      '\uFEFF{"fileUrl\\u001b":"x","storeId":"S"}',
      [
        'fileUrl\\u{1b} is not part of the signature.',
        'the file begins with a byte order mark, which is not part of a field and is not signed.',
      ],
    ],
  ] as const)('warns of likely mistakes, each on its own line: %s %j', async (kind, content, warnings) => {
    const { code, out } = await explained(kind, content);
    expect(code).toBe(0);
    expect(warningsIn(out)).toEqual(warnings);
  });

  test.each([
    ['payment', '{"a":1}'],
    ['invoice', '{"merchantId":"M"}'],
  ] as const)('reads standard input for %s -', async (kind, content) => {
    const args = ['explain', kind, '-', '--secret-env', 'KEY'];
    expect(await runOnce(args, { KEY: 'demo-secret' }, content)).toEqual(await explained(kind, content));
  });

  test.each([
    [Uint8Array.from([0xff]), 'must contain a JSON object'],
    ['[]', 'must contain a JSON object'],
    ['', 'is empty'],
    ['{"merchantId":"M","a":12,"b":null}', 'These are not strings: a, b.'],
  ])('refuses fields that are not text, and names them: %j', async (content, problem) => {
    const { code, error } = await explained('invoice', content);
    expect(code).toBe(1);
    expect(error).toContain(problem);
  });
});
