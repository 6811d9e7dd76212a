import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMockService, DEMO_MERCHANT, type MockServer } from '../src/mock/index.js';
import { runExample } from './examples/run-example.js';

/** The TypeScript of the README, fence by fence; each is a module of its own. */
async function fences(): Promise<string[]> {
  const readme = await readFile('README.md', 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '');
}

const code = await fences();
let folder: string;
let server: MockServer;
let env: Record<string, string>;
const mock = createMockService({ uploads: 'any' });

beforeAll(async () => {
  // Beside the sources, so that the package's own name resolves as it does for the examples.
  folder = await mkdtemp('test/.readme-');
  server = await mock.listen();
  env = {
    INSTALLMENT_BASE_URL: server.url,
    INSTALLMENT_LENDER_BASE_URL: server.url,
    INSTALLMENT_CLIENT_ID: DEMO_MERCHANT.clientId,
    INSTALLMENT_SECRET_KEY: DEMO_MERCHANT.secretKey,
    INSTALLMENT_MERCHANT_ID: DEMO_MERCHANT.merchantId,
    INSTALLMENT_STORE_ID: 'STORE-01',
    INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
  };
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('the code of the README', () => {
  test('takes a first payment in under 20 lines', () => {
    expect(code[0]?.trimEnd().split('\n').length).toBeLessThan(20);
    expect(code[0]).toContain('initiatePayment');
  });

  test.each(code.map((source, index) => [index + 1, source] as const))(
    'fence %i runs',
    async (number, source) => {
      const file = join(folder, `fence-${number}.ts`);
      // The README speaks of files in the current folder; here they are those of the examples.
      await writeFile(
        file,
        source
          .replaceAll("'invoice.pdf'", "'examples/invoice.pdf'")
          .replaceAll("'order.json'", "'examples/order.json'"),
      );

      const { code: exitCode, stderr } = await runExample(file, [], env);

      expect(stderr).toBe('');
      expect(exitCode).toBe(0);
    },
  );

  test('leaves the payments, invoices and ledger that it speaks of', () => {
    expect(mock.payments.get('ORDER-1')).toBeDefined();
    expect(mock.invoices.all()).toHaveLength(1);
    expect(mock.ledger('CONTRACT-1')).toMatchObject({ discrepancies: [] });
  });
});
