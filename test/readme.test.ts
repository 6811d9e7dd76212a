import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InstallmentClient } from '../src/index.js';
import {
  createMockService,
  DEMO_MERCHANT,
  samplePaymentRequest,
  type MockService,
} from '../src/mock/index.js';
import { openWorkshop, snippetsOf, type Workshop } from './helpers/snippets.js';

const readme = snippetsOf(await readFile('README.md', 'utf8'), 'README.md');
const guides = (await readdir('docs', { recursive: true })).filter((name) => name.endsWith('.md'));
const inGuides = await Promise.all(
  guides.map(async (name) => snippetsOf(await readFile(join('docs', name), 'utf8'), `docs/${name}`)),
);
const order = await readFile('examples/order.json', 'utf8');
const { referenceId } = JSON.parse(order) as { referenceId: string };

/** The files that the code speaks of. */
const files = {
  'invoice.pdf': await readFile('examples/invoice.pdf'),
  'order.json': order,
  'ca.pem': '',
  'merchant.pem': '',
  'merchant.key': '',
};

/** What some code needs to find in the service, and what it leaves there. */
const situations: readonly {
  readonly of: string;
  readonly before?: (mock: MockService, client: InstallmentClient) => Promise<unknown>;
  readonly after?: (mock: MockService) => void;
}[] = [
  {
    of: "description: 'Tủ lạnh hai cánh'",
    after: (mock) => {
      expect(mock.payments.all()).toMatchObject([{ referenceId: 'ORDER-1' }]);
    },
  },
  {
    of: 'client.uploadInvoice(',
    before: async (mock, client) => {
      await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
      mock.settle('ORDER-1', 'paid');
    },
    after: (mock) => {
      expect(mock.invoices.all()).toHaveLength(1);
    },
  },
  {
    // The order went out before, and not quite as it is now.
    of: 'mayHaveBeenSent: true',
    before: (_mock, client) => client.initiatePayment(samplePaymentRequest({ referenceId })),
  },
  {
    of: 'new LenderClient(',
    after: (mock) => {
      expect(mock.ledger('CONTRACT-1')).toMatchObject({
        received: 1_500_000,
        allocated: { total: 1_500_000 },
        discrepancies: [],
      });
    },
  },
];

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(async () => {
  await workshop[Symbol.asyncDispose]();
});

describe.concurrent('code that readers paste runs alone and prints what its comments say', () => {
  const cases = [...readme, ...inGuides.flat()].map((snippet) => [snippet.origin, snippet] as const);

  test.each(cases)('%s', async (_origin, snippet) => {
    const mock = createMockService();
    await using server = await mock.listen();
    const client = new InstallmentClient(mock.clientOptions());
    const own = situations.filter(({ of }) => snippet.code.includes(of));
    for (const { before } of own) await before?.(mock, client);

    const env = {
      INSTALLMENT_BASE_URL: server.url,
      INSTALLMENT_LENDER_BASE_URL: server.url,
      INSTALLMENT_CLIENT_ID: DEMO_MERCHANT.clientId,
      INSTALLMENT_SECRET_KEY: DEMO_MERCHANT.secretKey,
      INSTALLMENT_MERCHANT_ID: DEMO_MERCHANT.merchantId,
      INSTALLMENT_STORE_ID: 'STORE-01',
      INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
    };
    expect(await workshop.run(snippet, { env, files })).toEqual([]);
    for (const { after } of own) after?.(mock);
  });

  test('the situations that are prepared occur', () => {
    const code = readme.map((snippet) => snippet.code).join('\n');
    expect(situations.filter(({ of }) => !code.includes(of))).toEqual([]);
  });
});

test('the first code of the README takes a payment in under 20 lines', () => {
  expect(readme[0]?.code.trimEnd().split('\n').length).toBeLessThan(20);
  expect(readme[0]?.code).toContain('initiatePayment');
});

describe('a snippet', () => {
  const run = async (code: string) => {
    const [snippet] = snippetsOf(`# A\n\n\`\`\`ts\n${code}\n\`\`\`\n`, 'A.md');
    if (!snippet) throw new Error('no snippet');
    expect(snippet.origin).toBe('A.md:4');
    return workshop.run(snippet);
  };

  test.each([
    ['an output', "console.log('a', { b: 1 }); // a { b: 1 }"],
    ['a part of an output', "console.log('a long tale'); // a …"],
    ['no output', 'const a: number = 1; // a number'],
  ])('that is right about %s has no problem', async (_name, code) => {
    expect(await run(code)).toEqual([]);
  });

  test.each([
    ['another output', 'console.log(1 + 1); // 3', 'line 1 printed 2, not: 3'],
    ['an output that is longer', 'console.log(12); // 1', 'line 1 printed 12, not: 1'],
    ['one of two outputs', '[1, 2].forEach((n) => {\nconsole.log(n); // 1\n});', 'line 2 printed 2, not: 1'],
    ['an output that never comes', 'if (!1) console.log(1); // 1', 'line 1 printed nothing, not: 1'],
    ['another exit code', 'process.exitCode = 3;', 'ended with 3'],
    ['errors', "console.error('oh');", 'wrote to stderr: oh\n'],
  ])('with %s has a problem', async (_name, code, problem) => {
    expect(await run(code)).toEqual([problem]);
  });
});
