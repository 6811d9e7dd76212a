import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { invoiceCanonicalString } from '../../../src/protocol/canonical-string.js';
import { wireSwitchesSchema } from '../../../src/protocol/wire-switches.js';
import { signPayment } from '../../../src/operations/signer.js';
import { secretKeyEncodings } from '../../../src/validation/secret-key.js';
import { signatureEncodings } from '../../../src/protocol/signature.js';
import { curlCommand } from '../../../src/workbench/inspector/curl.js';
import type { JournalEntry } from '../../../src/mock/state/journal-types.js';
import { mockPages } from './support.js';
import { initiate, order, receipt, upload } from '../../helpers/signed-requests.js';

const origin = 'https://mock.example';

/** Runs a command in a shell whose curl and openssl only print their arguments. */
function run(command: string): { args: string[]; signed: string } {
  const told = `
    curl() { printf '%s\\0' "$@"; }
    openssl() { cat >&2; echo 'abc *stdin'; }
    INSTALLMENT_SECRET_KEY=key
  `;
  const output = execFileSync('bash', ['-c', `exec 2>&1; exec 3>&1; { ${told}\n${command}\n} 2>/dev/null`]);
  const signed = execFileSync('bash', ['-c', `{ ${told}\n${command}\n} 2>&1 >/dev/null`]);
  return { args: output.toString().split('\0').slice(0, -1), signed: signed.toString() };
}

async function commandFor(...requests: ReturnType<typeof initiate>[]): Promise<string> {
  const { mock, send } = mockPages();
  for (const request of requests) await send(request);
  const entry = mock.journal.all().at(-1);
  return entry ? commandOf(entry) : '';
}

const wire = wireSwitchesSchema.parse({});
const commandOf = (entry: JournalEntry) => curlCommand(entry, origin, wire) ?? '';

/** The values of an option that can occur several times. */
function valuesOf(args: readonly string[], option: string): string[] {
  return args.filter((_, index) => args[index - 1] === option);
}

const nasty = 'it\'s "$HOME" `id` \\ !! $(id)\n\t\u001b[201~\u202e&';

describe.each(secretKeyEncodings)('the command with a key in %s', (secretKeyEncoding) => {
  test.each(signatureEncodings)(
    'contains the signature in %s that the client would send',
    (signatureEncoding) => {
      const key = Buffer.from('khoá-bí-mật').toString(secretKeyEncoding);
      const switches = { signatureEncoding, secretKeyEncoding } as const;
      const entry = { ...jsonEntry('{"a":1}'), operation: 'initiatePayment' as const };
      const command = curlCommand(entry, origin, wireSwitchesSchema.parse(switches)) ?? '';
      const [line = ''] = /^SIGNATURE=.*$/m.exec(command) ?? [];
      const script = `BODY='{"a":1}'; ${line}; printf %s "$SIGNATURE"`;
      const output = execFileSync('bash', ['-c', script], {
        env: { ...process.env, INSTALLMENT_SECRET_KEY: key },
      });
      expect(output.toString()).toBe(signPayment('{"a":1}', key, switches));
    },
  );
});

describe('the command for a request', () => {
  test('sends and signs the same bytes, with the key of the shell', async () => {
    const body = JSON.stringify(order({ description: nasty }), null, 1);
    const { args, signed } = run(await commandFor(initiate(body, { key: 'KEY 1' })));
    expect(signed).toBe(body);
    expect(valuesOf(args, '--data-raw')).toEqual([body]);
    expect(valuesOf(args, '-X')).toEqual(['POST']);
    expect(args).toContain(`${origin}/v2/payments`);
    expect(valuesOf(args, '-H')).toEqual([
      'client-id: demo-client',
      'request-time: 2026-11-20 10:04:05',
      'idempotency-key: KEY 1',
      'content-type: application/json',
      'Signature: abc',
    ]);
  });

  test('rebuilds the form, and signs its canonical string', async () => {
    const fields = { description: nasty, extraData: '{"a":1}' };
    const file = { data: Buffer.from('%PDF-1.4\n'), filename: 'a "b" \\ c.pdf' };
    const { args, signed } = run(await commandFor(initiate(), upload({ fields, file })));
    const sent = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER:2026-0001', ...fields };
    expect(signed).toBe(invoiceCanonicalString(sent));
    expect(valuesOf(args, '--form-string')).toEqual(
      Object.entries(sent).map(([name, text]) => `${name}=${text}`),
    );
    expect(valuesOf(args, '-F')).toHaveLength(1);
    expect(valuesOf(args, '-F')[0]).toMatch(/^file=@".*";type=application\/pdf$/);
  });

  test("does not sign a lender's notification", async () => {
    const command = await commandFor(receipt());
    expect(command).not.toContain('openssl');
    expect(run(command).args).toContain(`${origin}/lender/open/notify/payment-receipt`);
  });

  test('names a file only in the current folder, and leaves out an invalid type', () => {
    const entry = formEntry({
      files: [{ field: 'file', name: '../../etc/passwd', type: 'a;b=c', size: 1, sha256: '' }],
    });
    expect(valuesOf(run(commandOf(entry)).args, '-F')).toEqual(['file=@"passwd"']);
  });

  test.each([
    ['a body that was cut', { ...jsonEntry('{}'), bodyBytes: 9 }],
    ['a body that was not read', unreadEntry()],
    ['a form that was cut', formEntry({ fields: { description: 'x'.repeat(16 * 1024) } })],
    ['a NUL in the body', jsonEntry('a\0b')],
  ])('is missing for %s', (_, entry) => {
    expect(curlCommand(entry, origin, wire)).toBeUndefined();
  });

  test('exists for a request without a body', () => {
    const command = commandOf({ ...jsonEntry(''), method: 'GET', path: '/x{1,2}' });
    expect(run(command).args.slice(0, 4)).toEqual(['--globoff', '-X', 'GET', `${origin}/x{1,2}`]);
  });
});

function jsonEntry(body: string): JournalEntry {
  const { operation, fields, files, ...entry } = formEntry({});
  return { ...entry, path: '/other', body, bodyBytes: Buffer.byteLength(body) };
}

function unreadEntry(): JournalEntry {
  const { bodyBytes: _, ...entry } = jsonEntry('');
  return { ...entry, headers: { 'content-length': '5' } };
}

function formEntry({ fields = {}, files = [] }: Pick<JournalEntry, 'fields' | 'files'>): JournalEntry {
  const base = {
    id: 1,
    at: new Date(0),
    method: 'POST',
    headers: {},
    acted: false,
    replay: false,
    scripted: false,
    completed: true,
  };
  return { ...base, operation: 'uploadInvoice', path: '/v2/payments/upload-invoice', fields, files };
}
