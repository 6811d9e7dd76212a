import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommandLine } from '../../../src/workbench/cli/run.js';
import { DEMO_MERCHANT, type RehearsalReport } from '../../../src/entries/mock.js';

export interface Rehearsed {
  readonly code: number;
  readonly report: RehearsalReport;
  readonly output: string;
}

/**
 * Runs `rehearse` in this process. Fails if nothing could be compared, or if a scenario was not judged except for its
 * late requests.
 */
export async function rehearseCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Rehearsed> {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  const json = join(folder, 'report.json');
  const lines: string[] = [];
  const tell = (line: string) => lines.push(line);
  try {
    const code = await runCommandLine(['rehearse', '--json', json, ...args], {
      env,
      signals: new EventEmitter(),
      input: new PassThrough(),
      inputIsPipe: false,
      parentId: () => 1,
      out: tell,
      error: tell,
    });
    const output = lines.join('\n');
    const report = JSON.parse(await readFile(json, 'utf8').catch(() => '{}')) as Partial<RehearsalReport>;
    const isTooFast = report.scenarios?.some(({ lateRequests }) => lateRequests !== undefined) === true;
    if (code > 1 && !isTooFast) throw new Error(output);
    return { code, report: report as RehearsalReport, output };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The variables of a shop that pays at this mock. */
export function shopEnvironment(mockPort: number, shopPort: number): NodeJS.ProcessEnv {
  const url = `http://127.0.0.1:${mockPort}`;
  return {
    ...process.env,
    INSTALLMENT_BASE_URL: url,
    INSTALLMENT_MOCK_URL: url,
    INSTALLMENT_CLIENT_ID: DEMO_MERCHANT.clientId,
    INSTALLMENT_SECRET_KEY: DEMO_MERCHANT.secretKey,
    INSTALLMENT_MERCHANT_ID: DEMO_MERCHANT.merchantId,
    INSTALLMENT_STORE_ID: 'STORE-01',
    INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
    PORT: String(shopPort),
    WEBHOOK_PORT: String(shopPort),
    SHOP_URL: `http://127.0.0.1:${shopPort}`,
  };
}

/** Starts a shop, which listens on WEBHOOK_PORT. @returns a function that ends it */
export async function startShop(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> {
  const [program = '', ...args] = command;
  const shop = spawn(program, args, { env, stdio: 'ignore' });
  await untilUp(Number(env['WEBHOOK_PORT']), shop);
  return async () => {
    if (shop.exitCode !== null) return;
    shop.kill('SIGKILL');
    await once(shop, 'exit');
  };
}

/** Resolves once a shop that was started responds. */
export async function untilUp(port: number, shop: ChildProcess): Promise<void> {
  while (shop.exitCode === null) {
    const answers = await fetch(`http://127.0.0.1:${port}/orders/none`).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await pause(50);
  }
  throw new Error(`the shop ended with exit code ${shop.exitCode} before it listened`);
}
