import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectMock } from '../../../src/entries/remote.js';
import { signPayment } from '../../../src/operations/signer.js';
import { compiledCommand } from '../../helpers/compiled.js';
import { initiate, order, type PlainRequest } from '../../helpers/signed-requests.js';
import { isUp, runOnce } from './support.js';

describe('the command in its own process', () => {
  let command: [file: string];
  beforeAll(async () => {
    command = [await compiledCommand('src/workbench/cli/main.ts')];
  });

  test('ends at SIGINT with exit code 0', async () => {
    const child = spawn(process.execPath, [...command, 'mock', '--port', '0', '--json']);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    expect((await fetch(`${url}/_mock/health`)).status).toBe(200);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends at SIGTERM despite open requests', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const webhook = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;
    const child = spawn(process.execPath, [
      ...command,
      'mock',
      '--port',
      '0',
      '--json',
      '--webhook',
      webhook,
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const remote = connectMock(url);
    const send = ({ path, init }: PlainRequest) => fetch(url + path, init).catch(() => undefined);
    await send(initiate());
    await remote.settle('ORDER:2026-0001', 'paid');
    await once(silent, 'request');

    const faults = ['hang', 'stalled-body', { delayMs: 60_000 }] as const;
    for (const fault of faults) await remote.injectFault('initiatePayment', fault);
    const requests = faults.map((_fault, index) =>
      send(initiate(order({ referenceId: `R-${String(index)}` }))),
    );
    const stream = await fetch(`${url}/_mock/ui/events`);
    const unfinished = request(`${url}/v2/payments`, { method: 'POST', headers: { 'content-length': 9 } });
    unfinished.on('error', () => undefined).write('{');
    await remote.journal.waitFor({ referenceId: 'R-2', completed: false });
    child.stdout.destroy();
    child.stderr.destroy();

    child.kill('SIGTERM');
    expect(await once(child, 'exit', { signal: AbortSignal.timeout(5000) })).toEqual([0, null]);
    await Promise.all([...requests, stream.text().catch(() => undefined)]);
    silent.closeAllConnections();
    silent.close();
  });

  test('ends when a shell between it and its parent is killed', async () => {
    const line = [process.execPath, ...command, 'mock', '--port', '0', '--json'].join("' '");
    const shell = spawn('sh', ['-c', `'${line}'; true`]);
    const [json] = (await once(shell.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(json.toString()) as { url: string };
    expect(await isUp(url)).toBe(true);
    shell.kill('SIGKILL');
    // The mock keeps the other end of the shell's output open.
    await once(shell, 'close');
    expect(await isUp(url)).toBe(false);
  });

  test('keeps running when standard input is not a pipe', async () => {
    const child = spawn(process.execPath, [...command, 'mock', '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [json] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(json.toString()) as { url: string };
    expect(await isUp(url)).toBe(true);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends after an error although its standard input stays open, with exit code 1 and one line', async () => {
    const child = spawn(process.execPath, [...command, 'mock', '--nope']);
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await said).toEqual(['', expect.stringMatching(/^[^\n]+\n$/)]);
  });

  test('reports a full disk in one line, with exit code 1', async () => {
    const line = `'${process.execPath}' '${command[0]}' --help > /dev/full`;
    await expect(promisify(execFile)('sh', ['-c', line])).rejects.toMatchObject({
      code: 1,
      stderr: 'Cannot write the output (ENOSPC).\n',
    });
  });

  test('ends a rehearsal although the command has left a process that keeps its output open', async () => {
    const args = [
      'rehearse',
      '--scenarios',
      'baseline',
      '--settle-ms',
      '0',
      '--',
      'sh',
      '-c',
      'sleep 60 & echo $!; exit 7',
    ];
    const child = spawn(process.execPath, [...command, ...args]);
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const left = Number(/\| (\d+)/.exec(out)?.[1]);
    expect(process.kill(left, 'SIGKILL')).toBe(true);
    expect(child.exitCode).toBe(2);
  });

  test('has an example of explain payment in its help that works when pasted', async () => {
    const { out } = await runOnce(['explain', 'payment', '--help']);
    const lines = out.match(/^ {2}(?:export|printf|installment-payments explain payment) .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    const program = `'${process.execPath}' '${command[0]}'`;
    const script = lines.map((line) => line.replace('installment-payments', program)).join('\n');
    const place = await mkdtemp(join(tmpdir(), 'explain-help-'));
    const pasted = await promisify(execFile)('sh', ['-c', script], { cwd: place });
    await rm(place, { recursive: true });
    expect(pasted.stdout).toContain(`Signature: ${signPayment('{"referenceId":"ORDER-1"}', 'demo-secret')}`);
  });

  test('reads standard input if FILE is -', async () => {
    const args = ['explain', 'signature', '-', '--secret-env', 'KEY', '--received'];
    const received = signPayment('{"a":1}\n', 'demo-secret');
    const env = { ...process.env, KEY: 'demo-secret' };
    const child = spawn(process.execPath, [...command, ...args, received], { env });
    child.stdin.end('{"a":1}');
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(out).toContain('The signature is wrong: line-breaks\n');
  });
});
