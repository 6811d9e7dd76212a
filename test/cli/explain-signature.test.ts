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

const secretKey = 'demo-secret';
const body = '{"referenceId":"ORDER-1","description":"Tủ lạnh / máy giặt"}';
const fields = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER-1', description: 'Tủ lạnh' };
const hmac = (signed: string, key = secretKey) => createHmac('sha256', key).update(signed);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'explain-signature-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function explained(content: string, ...args: string[]) {
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
    expect(code).toBe(0);
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

  test('says of a right signature that it is right', async () => {
    const { code, out } = await explained(body, '--received', hmac(body).digest('hex'));
    expect({ code, out }).toEqual({ code: 0, out: 'The signature is correct.' });
  });

  test('says of a right signature of an upload that it is right', async () => {
    const received = hmac(invoiceCanonicalString(fields)).digest('hex');
    expect(
      (await explained(`\uFEFF${JSON.stringify(fields)}`, '--invoice', '--received', received)).out,
    ).toBe('The signature is correct.');
  });

  test('takes a body that is not JSON, and not text', async () => {
    const { out } = await explained('{', '--received', hmac('').digest('hex'));
    expect(out).toContain('The signature is wrong: body-empty\n');
  });

  test('reads the standard input for -', async () => {
    const command = [
      '--import',
      'tsx',
      'src/cli/main.ts',
      'explain',
      'signature',
      '-',
      '--secret-env',
      'KEY',
    ];
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
