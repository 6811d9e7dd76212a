import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { rehearse, type MockService } from '../../src/entries/mock.js';
import { expectClean } from './expect-clean.js';

// The snippets create their own mock. Here they get the mock of the scenario.
const current = new AsyncLocalStorage<MockService>();
vi.mock('../../src/entries/mock.js', async (load) => ({
  ...(await load<object>()),
  createMockService: () => current.getStore(),
}));

const printed = vi.spyOn(console, 'log');
const folder = mkdtempSync('test/.snippets-');
beforeAll(() => void printed.mockReturnValue(undefined));
afterAll(() => {
  printed.mockRestore();
  rmSync(folder, { recursive: true });
});

/** A new copy of a module for each scenario, with a new state. */
const load = <Module>(path: string, scenario: string) =>
  import(/* @vite-ignore */ `${path}?scenario=${scenario}`) as Promise<Module>;

/** The snippets that pay and handle a failure. The Vietnamese README has the code of the English one. */
const snippets = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))]
  .filter((file) => /(?<!\.vi)\.md$/.test(file))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^```[jt]s\n([^]*?)^```$/gm)].map(([, code = '']) => ({
      file,
      code,
    })),
  )
  .filter(({ code }) => code.includes('createMockService()') && code.includes('initiatePayment('))
  .filter(({ code }) => /catch|injectFault|isInstallmentError/.test(code) && !code.includes('rehearse('))
  // test/consumers/jest.test.ts runs those of a test runner.
  .filter(({ code }) => !/from 'vitest'|@jest\/globals/.test(code))
  .map((snippet, index) => ({ ...snippet, index }));

const options = { settleMs: 150, customer: 'pays' } as const;

describe.concurrent('the rehearsal finds no error in any scenario of', { timeout: 300_000 }, () => {
  it.for(snippets)('snippet $index, in $file', async ({ index, code }, { expect }) => {
    const path = join(process.cwd(), folder, `${index}.ts`);
    writeFileSync(path, code);
    expectClean(
      expect,
      await rehearse(({ mock, scenario }) => current.run(mock, () => load(path, scenario)), options),
    );
  });
});
