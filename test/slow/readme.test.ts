import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMockService, DEMO_MERCHANT, rehearse } from '../../src/entries/mock.js';
import { freePort } from '../helpers/free-port.js';
import { openWorkshop, snippetsOf, type Workshop } from '../helpers/snippets.js';

const readmeText = await readFile('README.md', 'utf8');
const readme = snippetsOf(readmeText, 'README.md');
// The pages in Vietnamese have the code of the English pages, which runs once.
const guides = (await readdir('docs', { recursive: true })).filter(
  (name) => name.endsWith('.md') && !name.endsWith('.vi.md'),
);
const inGuides = await Promise.all(
  guides.map(async (name) => snippetsOf(await readFile(join('docs', name), 'utf8'), `docs/${name}`)),
);
/** The files that the code uses but does not create. */
const files = {
  'invoice.pdf': await readFile('examples/invoice.pdf'),
  'order.json': await readFile('examples/order.json'),
  'ca.pem': '',
  'merchant.pem': '',
  'merchant.key': '',
};

// These call a service whose address and credentials are in the environment.
const isConfigured = (code: string) => !/createMockService|baseUrl/.test(code);

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(async () => {
  await workshop[Symbol.asyncDispose]();
});

/** The environment of a client that calls this address. */
const environment = (url: string) => ({
  INSTALLMENT_BASE_URL: url,
  INSTALLMENT_LENDER_BASE_URL: url,
  INSTALLMENT_CLIENT_ID: DEMO_MERCHANT.clientId,
  INSTALLMENT_SECRET_KEY: DEMO_MERCHANT.secretKey,
  INSTALLMENT_MERCHANT_ID: DEMO_MERCHANT.merchantId,
  INSTALLMENT_STORE_ID: 'STORE-01',
  INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
});

describe.concurrent('code that readers paste', () => {
  const cases = [...readme, ...inGuides.flat()]
    // It is not installed here: test/databases runs that adapter.
    .filter(({ code }) => !code.includes("from 'drizzle-orm'"))
    // test/consumers runs these with their own programs.
    .filter(({ code }) => !/\('@jest\/globals'\)|from 'vitest'/.test(code))
    .map((snippet) => [snippet.origin, snippet] as const);

  test(
    'includes the wrong shop of the guide, whose rehearsal finds what the README shows',
    { timeout: 180_000 },
    async ({ expect }) => {
      const text = readmeText.replaceAll(/\s+/g, ' ');
      const shop = inGuides.flat().find(({ code }) => code.includes('ORDER-3-again'));
      if (!shop) throw new Error('the guide to the rehearsal has no wrong shop');
      const repeats = ['repeat-duplicate', 'repeat-invalid', 'repeat-conflict', 'repeat-processing'] as const;
      const twice = [...repeats, 'repeat-busy', 'outage'] as const; // all of a run of the command without --scenarios
      // Its clock is slow, so that `repeat-busy` is not over before the retries of a shop on a busy machine.
      const startedAt = Date.now();
      const now = () => new Date(startedAt + (Date.now() - startedAt) / 8);
      const { findings } = await rehearse(
        async ({ mock }) => {
          await using server = await mock.listen();
          await workshop.run(shop, { env: environment(server.url) });
        },
        { scenarios: ['lost-response', ...twice], customer: 'pays', settleMs: 30, mock: { now } },
      );
      const found = findings.filter(({ rule }) => rule === 'two-payments');

      expect(text).toContain(`ERROR two-payments, in ${found.length} scenarios ${found[0]?.scenario}: `);
      for (const shown of [found[0]?.message, found[0]?.why]) expect(text).toContain(shown);
      expect(found.map(({ scenario }) => scenario)).toEqual(twice);
    },
  );

  test.for(cases)('%s', async ([, snippet], { expect }) => {
    await using server = await createMockService().listen();
    const code = snippet.code
      .replaceAll('http://127.0.0.1:4010', server.url)
      .replaceAll(/\b3000\b/g, String(await freePort()));
    const env = isConfigured(code) ? environment(server.url) : {};
    expect(await workshop.run({ ...snippet, code }, { env, files })).toEqual([]);
  });
});

test.each([
  ['README.md', 'docs/README.vi.md'],
  ...['concepts', 'getting-started', 'go-live', 'incidents', 'orders', 'rehearsal', 'staff', 'webhooks'].map(
    (name) => [`docs/${name}.md`, `docs/${name}.vi.md`],
  ),
])(
  '%s has the same code in Vietnamese, with translated comments, and the same headings',
  async (...files) => {
    const [english, vietnamese] = await Promise.all(
      files.map(async (file) => {
        const text = await readFile(file, 'utf8');
        const prose = text.replaceAll(/^```.*?^```$/gms, '');
        const code = text
          .replaceAll(/^```(?:mermaid|text)\n.*?^```$/gms, '') // sentences, which are translated
          .match(/^```[^\n]*\n.*?^```$/gms)
          ?.map((fence) => fence.replaceAll(/ *(?:\/\/|#) .*$/gm, ''));
        return { code, headings: prose.match(/^#+ /gm) };
      }),
    );

    expect(english?.headings?.length).toBeGreaterThan(2);
    expect(vietnamese).toEqual(english);
  },
);

describe('a snippet', () => {
  const run = async (code: string) => {
    const [snippet] = snippetsOf(`# A\n\n\`\`\`ts\n${code}\n\`\`\`\n`, 'A.md');
    if (!snippet) throw new Error('no snippet');
    expect(snippet.origin).toBe('A.md:4');
    return workshop.run(snippet);
  };

  test.each([
    ['another output', 'console.log(1 + 1); // 3', 'line 1 printed 2, not: 3'],
    ['an output that never comes', 'if (!1) console.log(1); // 1', 'line 1 printed nothing, not: 1'],
    ['another exit code', 'process.exitCode = 3;', 'ended with 3'],
    ['errors', "console.error('oh');", 'wrote to stderr: oh\n'],
  ])('a snippet with %s has a problem', async (_name, code, problem) => {
    expect(await run(code)).toEqual([problem]);
  });
});
