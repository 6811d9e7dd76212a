import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectMock } from '../../src/workbench/remote/index.js';
import { startMock, type MockProcess } from '../workbench/remote/mock-process.js';
import { cleanEnvironment } from './run-example.js';

let mock: MockProcess;
beforeAll(async () => {
  mock = await startMock();
}, 30_000);
afterAll(() => mock.stop());

/** The output of a program. A missing interpreter is a failure that names it. */
async function run(command: string, file: string): Promise<string> {
  const child = spawn(command, [`examples/other-languages/${file}`, mock.url], {
    env: cleanEnvironment({ PYTHONUTF8: '1' }),
  });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => {
      reject(new Error(`${command} is missing: install it, for examples/other-languages/${file}`));
    });
    child.once('close', resolve);
  });
  expect(printed).not.toMatch(/Warning|Traceback/);
  expect(code, printed).toBe(0);
  return printed;
}

const merchants = [
  ['php', 'merchant.php', 'PHP', ['JSON_UNESCAPED_UNICODE', 'JSON_UNESCAPED_SLASHES']],
  ['python3', 'merchant.py', 'PYTHON', ['separators', 'ensure_ascii']],
  ['sh', 'merchant.sh', 'SHELL', ['line']],
] as const;

test.each(
  (['plain', 'refusals-by-kind', 'extra-fields'] as const).flatMap((world) =>
    merchants.map((merchant) => [world, ...merchant] as const),
  ),
)(
  'the world %s: a merchant in %s pays, uploads an invoice, and is told what is wrong with a signature',
  async (world, command, file, name, advice) => {
    const remote = connectMock(mock.url);
    await remote.reset({ world });
    const printed = await run(command, file);
    const refused = await remote.journal.find({ referenceId: `${name}-2` });

    expect(printed).toMatch(/^payment .*APPROVED/m);
    expect(printed).toMatch(/^invoice .*APPROVED/m);
    expect(printed).toMatch(/^mistake .*INVALID_SIGNATURE/m);
    expect(await remote.payments.get(`${name}-1`)).toMatchObject({
      status: 'paid',
      idempotencyKey: `pay-${name}-1`,
    });
    expect(await remote.payments.get(`${name}-2`)).toBeUndefined();
    expect(refused).toMatchObject({ resultStatus: 'INVALID_SIGNATURE' });
    for (const word of advice) expect(refused?.diagnosis?.fix).toContain(word);
    // The shell prints the diagnosis as the JSON that came.
    const told = refused?.diagnosis?.fix.slice(0, 60) ?? '';
    expect(printed.replaceAll('\\"', '"')).toContain(told);
  },
);
