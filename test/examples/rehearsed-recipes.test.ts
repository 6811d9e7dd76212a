import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { CheckoutService } from '../../examples/nestjs/checkout.service.js';
import { InstallmentClient } from '../../src/index.js';
import { rehearse, samplePaymentRequest, type MockService } from '../../src/mock/index.js';
import type { RehearsedMerchant } from '../../src/workbench/rehearsal/run-world.js';
import { expectClean } from './expect-clean.js';

// The recipes and snippets make a mock of their own: here they get the one of the world.
const current = new AsyncLocalStorage<MockService>();
vi.mock('../../src/mock/index.js', async (load) => ({
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

/** A copy of a module of its own in each world, with a new state. */
const load = <Module>(path: string, world: string) =>
  import(/* @vite-ignore */ `${path}?world=${world}`) as Promise<Module>;

/** Redirected, refused, or to be looked up. */
const final = [303, 400, 409, 422];

/** A customer who submits twice, and comes back twice if nothing is known. */
async function submit(checkOut: () => Promise<number>): Promise<void> {
  const statuses = await Promise.all([checkOut(), checkOut()]);
  for (let visit = 0; visit < 2 && !statuses.some((status) => final.includes(status)); visit++) {
    await pause(700);
    statuses.push(await checkOut());
  }
}

const recipes: Readonly<Record<string, RehearsedMerchant>> = {
  'the service of NestJS': async ({ mock, world }) => {
    const service = new CheckoutService(new InstallmentClient(mock.clientOptions()));
    const order = samplePaymentRequest({ referenceId: `${world}-1` });
    let calls = 0;
    await submit(() =>
      service.checkout(order, (calls += 1) > 1).then(
        () => 303,
        (error: unknown) => Number(Reflect.get(Object(error) as object, 'status')),
      ),
    );
  },
};

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
  .map((snippet, index) => ({ ...snippet, index }));

const options = { settleMs: 150, customer: 'pays' } as const;

describe.concurrent('the rehearsal finds no error in any world of', { timeout: 300_000 }, () => {
  it.for(Object.entries(recipes))('%s', async ([, recipe], { expect }) => {
    expectClean(
      expect,
      await rehearse((context) => current.run(context.mock, () => recipe(context)), options),
    );
  });

  it.for(snippets)('snippet $index, in $file', async ({ index, code }, { expect }) => {
    const path = join(process.cwd(), folder, `${index}.ts`);
    writeFileSync(path, code);
    expectClean(
      expect,
      await rehearse(({ mock, world }) => current.run(mock, () => load(path, world)), options),
    );
  });
});
