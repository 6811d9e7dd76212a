import { Readable } from 'node:stream';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';
import { invoiceCanonicalString } from '../../src/protocol/canonical-string.js';
import { compiledCommand } from '../helpers/compiled.js';

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
  const out: string[] = [];
  const error: string[] = [];
  const code = await run(['explain', 'signature', file, '--secret-env', 'KEY', ...args], {
    env: { KEY: secretKey },
    signals: new EventEmitter(),
    input: Readable.from([]),
    inputIsPipe: false,
    out: (line) => out.push(line),
    error: (line) => error.push(line),
  });
  return { code, out: out.join('\n'), error: error.join('\n') };
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
    ['by something unknown', hmac('?', '?').digest('hex'), 'secret-wrong', 'No known mistake'],
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

  test.each(['zzz', 'not a signature at all', 'ab'.repeat(20)])(
    'says that %j is not a digest',
    async (received) => {
      const { code, out } = await explained(body, '--received', received);
      expect(code).toBe(2);
      expect(out).toContain('The signature is wrong: not a digest\n');
      expect(out).toContain('64 hex digits, or 44 characters of base64');
    },
  );

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

  test('judges a file of 60 MB without a search', async () => {
    const large = Buffer.alloc(60_000_000, 'a');
    const right = createHmac('sha256', secretKey).update(large).digest('hex');
    expect((await explained(large, '--received', right)).code).toBe(0);
    const { code, out } = await explained(large, '--received', hmac('?').digest('hex'));
    expect(code).toBe(2);
    expect(out).toContain('60000000 bytes, too many to look for the mistake');
  });

  test('takes a body that is not JSON', async () => {
    const { out } = await explained('{', '--received', hmac('').digest('hex'));
    expect(out).toContain('The signature is wrong: body-empty\n');
  });

  test('reads standard input for -', async () => {
    const main = await compiledCommand('src/cli/main.ts');
    const command = [main, 'explain', 'signature', '-', '--secret-env', 'KEY'];
    const received = hmac(`${body}\n`).digest('hex');
    const env = { ...process.env, KEY: secretKey };
    const child = spawn(process.execPath, [...command, '--received', received], { env });
    child.stdin.end(body);
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(out).toContain('The signature is wrong: line-breaks\n');
  });

  test.each([
    [['explain', 'signature', 'a', '--secret-env', 'KEY'], '--received is missing'],
    [['explain', 'signature', 'a', '--secret-env', 'KEY', '--received', ''], '--received is missing'],
    [['explain', 'payment', 'a', '--secret-env', 'KEY', '--invoice'], 'belong to explain signature'],
    [['explain', 'signature', 'a', '--received', 'b'], '--secret-env is missing'],
  ])('%j is one clear line, and exit code 1', async (args, message) => {
    const error: string[] = [];
    const io = {
      env: { KEY: secretKey },
      signals: new EventEmitter(),
      input: Readable.from([]),
      inputIsPipe: false,
      out: () => undefined,
    };
    expect(await run(args, { ...io, error: (line) => error.push(line) })).toBe(1);
    expect(error).toEqual([expect.stringContaining(message)]);
  });
});
