import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invoiceCanonicalString } from '../../src/protocol/canonical-string.js';
import { runOnce } from './support.js';

const secretKey = 'demo-secret';
const body = '{"referenceId":"ORDER-1","description":"Tủ lạnh / máy giặt"}';
const fields = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER-1', description: 'Tủ lạnh' };
const hmac = (signed: string, key = secretKey) => createHmac('sha256', key).update(signed);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'explain-signature-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function explained(content: string | Uint8Array, ...args: string[]) {
  const file = join(folder, 'file');
  await writeFile(file, content);
  return runOnce(['explain', 'signature', file, '--secret-env', 'KEY', ...args], { KEY: secretKey });
}

describe('explain signature', () => {
  test.each([
    [
      'escaped by PHP',
      hmac(body.replaceAll('/', '\\/')).digest('hex'),
      'body-escaped',
      'JSON_UNESCAPED_SLASHES',
    ],
    ['in base64', hmac(body).digest('base64'), 'digest-base64', 'lower-case hex'],
    ['with an empty secret', hmac(body, '').digest('hex'), 'secret-empty', 'environment variable'],
    [
      'with a line feed in both',
      hmac(`${body}\n`, `${secretKey}\n`).digest('hex'),
      'line-breaks + secret-trimmed',
      'printf',
    ],
    ['by something unknown', hmac('?', '?').digest('hex'), 'unexplained', 'No known mistake'],
  ])('names the mistake of a payment that was signed %s', async (_how, received, cause, words) => {
    const { code, out } = await explained(body, '--received', received);
    expect(code).toBe(2);
    expect(out).toContain(`The signature is wrong: ${cause}\n`);
    expect(out).toContain(words);
    expect(out).not.toContain(secretKey);
  });

  test('names the mistake of an upload', async () => {
    const omitted = invoiceCanonicalString(fields, { absentFields: 'omit' });
    const { out } = await explained(
      JSON.stringify(fields),
      '--invoice',
      '--received',
      hmac(omitted).digest('hex'),
    );
    expect(out).toContain('The signature is wrong: absent-fields-omitted\n');
    expect(out).toContain(
      `Should have been signed: ${invoiceCanonicalString(fields)}\nWas signed: ${omitted}`,
    );
  });

  test('accepts the right signature of a payment', async () => {
    const { code, out } = await explained(body, '--received', hmac(body).digest('hex'));
    expect({ code, out }).toEqual({ code: 0, out: 'The signature is correct.' });
  });

  test('accepts the right signature of an upload', async () => {
    const received = hmac(invoiceCanonicalString(fields)).digest('hex');
    expect(
      (await explained(`\uFEFF${JSON.stringify(fields)}`, '--invoice', '--received', received)).out,
    ).toBe('The signature is correct.');
  });

  test('accepts base64 where the service expects it, and explains a mistake in such a signature', async () => {
    const base64 = ['--signature-encoding', 'base64', '--received'];
    expect((await explained(body, ...base64, hmac(body).digest('base64'))).code).toBe(0);
    const hex = await explained(body, ...base64, hmac(body).digest('hex'));
    expect(hex).toMatchObject({ code: 2, out: expect.stringContaining('wrong: digest-hex\n') as unknown });
    const escaped = await explained(body, ...base64, hmac(body.replaceAll('/', '\\/')).digest('base64'));
    expect(escaped.out).toContain('The signature is wrong: body-escaped\n');
  });

  test('accepts absent fields left out where the service expects that, and explains a mistake besides', async () => {
    const omit = ['--invoice', '--absent-fields', 'omit', '--received'];
    const omitted = invoiceCanonicalString(fields, { absentFields: 'omit' });
    const json = JSON.stringify(fields);
    expect((await explained(json, ...omit, hmac(omitted).digest('hex'))).code).toBe(0);
    const all = await explained(json, ...omit, hmac(invoiceCanonicalString(fields)).digest('hex'));
    expect(all.out).toContain('The signature is wrong: absent-fields-included\n');
    const trailing = await explained(json, ...omit, hmac(`${omitted}&`).digest('hex'));
    expect(trailing.out).toContain('The signature is wrong: separators\n');
  });

  describe('for a file that ends with a line break', () => {
    test.each(['\n', '\r\n'])('says that the body was signed without it: %j', async (end) => {
      const { code, out } = await explained(body + end, '--received', hmac(body).digest('hex'));
      expect(code).toBe(2);
      expect(out).toContain('made without the line break at the end of the file');
    });

    test('accepts a signature of the line break, and says so', async () => {
      const { code, out } = await explained(`${body}\n`, '--received', hmac(`${body}\n`).digest('hex'));
      expect(code).toBe(0);
      expect(out).toContain('The signature is correct.');
      expect(out).toContain('the body must be sent with it');
    });

    test('explains other mistakes without it', async () => {
      const received = hmac(body.replaceAll('/', '\\/')).digest('hex');
      const { code, out } = await explained(`${body}\n`, '--received', received);
      expect(code).toBe(2);
      expect(out).toContain('The signature is wrong: body-escaped\n');
      expect(out).toContain('The line break at the end of the file was left out');
    });
  });

  test('refuses an empty file', async () => {
    const { code, error } = await explained('', '--received', hmac('').digest('hex'));
    expect(code).toBe(1);
    expect(error).toContain('is empty');
  });

  test('names JSON that is encoded twice', async () => {
    const { out } = await explained(JSON.stringify(body), '--received', hmac(body).digest('hex'));
    expect(out).toContain('The signature is wrong: body-wrapped\n');
    expect(out).toContain('JSON encoded twice');
    expect(out).toContain('data=body.encode(), not json=body');
  });

  test('has both signatures where the text was right, and no difference of texts', async () => {
    const received = hmac(body, '').digest('hex');
    const { out } = await explained(body, '--received', received);
    expect(out).toMatch(/^The signature is wrong: secret-empty\n\n[^\n]+\n\nWhat to do: [^\n]+\n\n/);
    expect(out.split('\n').slice(-2)).toEqual([
      `Expected: ${hmac(body).digest('hex')}`,
      `Received: ${received}`,
    ]);
    expect(out.split('\n')).toHaveLength(8);
  });

  test('shows line breaks and tabs of a text as they are', async () => {
    const text = '{\n\t"a":"/"}';
    const { out } = await explained(text, '--received', hmac(text.replace('/', '\\/')).digest('hex'));
    expect(out).toContain(`Should have been signed: ${text}\nWas signed: {\n\t"a":"\\/"}`);
  });

  test('names the mistake of a signature that is no digest by its shape', async () => {
    const { out } = await explained(body, '--received', `"${hmac(body).digest('hex')}"`);
    expect(out).toContain('The signature is wrong: digest-quoted\n');
  });

  test('has both texts where they differ, with control characters escaped', async () => {
    const { out } = await explained(body, '--received', hmac(`${body}\r\n`).digest('hex'));
    expect(out.split('\n').slice(-4)).toEqual([
      `First difference: after ${Buffer.byteLength(body)} bytes`,
      `Should have been signed: ${body}`,
      `Was signed: ${body}\\u{d}`,
      '',
    ]);
  });

  test('takes a body that is not JSON', async () => {
    const { out } = await explained('{', '--received', hmac('').digest('hex'));
    expect(out).toContain('The signature is wrong: body-empty\n');
  });

  test.each([
    [['explain', 'signature', 'a', '--secret-env', 'KEY'], '--received is missing'],
    [['explain', 'signature', 'a', '--secret-env', 'KEY', '--received', ''], '--received is missing'],
    [['explain', 'payment', 'a', '--secret-env', 'KEY', '--invoice'], 'belong to explain signature'],
    [['explain', 'signature', 'a', '--received', 'b'], '--secret-env is missing'],
  ])('%j is one clear line, and exit code 1', async (args, message) => {
    const { code, error } = await runOnce(args, { KEY: secretKey });
    expect(code).toBe(1);
    expect(error).toMatch(/^[^\n]+$/);
    expect(error).toContain(message);
  });
});
