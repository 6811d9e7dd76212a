import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { connectMock } from '../../../src/entries/remote.js';
import { runCommandLine as run } from '../../../src/workbench/cli/run.js';

/** The demo on free ports, until the test ends. */
export async function startDemo() {
  const lines: string[] = [];
  const signals = new EventEmitter();
  const ended = run(['demo', '--port', '0', '--mock-port', '0'], {
    env: {},
    signals,
    input: new PassThrough(),
    inputIsPipe: false,
    parentId: () => 1,
    out: (line) => lines.push(line),
    error: (line) => lines.push(line),
  });
  const stop = () => {
    signals.emit('SIGINT');
    return ended;
  };
  onTestFinished(async () => {
    await stop();
  });
  await vi.waitUntil(() => lines.length > 0);
  const address = (name: string) => new RegExp(`^${name}: +(\\S+)$`, 'm').exec(lines[0] ?? '')?.[1] ?? '';
  const shop = address('Shop');
  const inspector = address('Inspector');
  const get = async (path: string) => (await fetch(shop + path)).text();
  const post = (path: string, init: RequestInit = {}) =>
    fetch(shop + path, { method: 'POST', redirect: 'manual', ...init });
  return {
    lines,
    stop,
    shop,
    staff: address('Staff page'),
    inspector,
    get,
    post,
    mock: connectMock(new URL(inspector).origin),
  };
}

/** Clicks Pay on the page of a payment. */
export async function pay(link: string): Promise<void> {
  await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'paid' }),
    redirect: 'manual',
  });
}
