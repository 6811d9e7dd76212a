import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signPayment } from '../../src/protocol/signature.js';
import { runOnce } from './support.js';

const secretKey = 'demo-secret';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'explain-large-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function explained(kind: string, content: string | Uint8Array, ...args: string[]) {
  const file = join(folder, 'file');
  await writeFile(file, content);
  return runOnce(['explain', kind, file, '--secret-env', 'KEY', ...args], { KEY: secretKey });
}

describe('installment-payments explain', () => {
  test('a wrong signature of 60 MB is searched within the same bounds as any other', async () => {
    const large = Buffer.alloc(60_000_000, 'a');
    const right = signPayment(large, secretKey);
    expect((await explained('signature', large, '--received', right)).code).toBe(0);
    const wrong = signPayment('?', secretKey);
    const { code, out } = await explained('signature', large, '--received', wrong);
    expect(code).toBe(2);
    expect(out).toContain('The signature is wrong: unexplained');
    expect(out).toContain('60000000 bytes');
  });
});
