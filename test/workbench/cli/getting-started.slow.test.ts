import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { pay, startDemo } from './demo-support.js';

const guide = readFileSync('docs/getting-started.md', 'utf8');

/** The fences of a step, by its number. */
function stepOf(number: number): { readonly commands: string[]; readonly outputs: string[] } {
  const [, step = ''] = new RegExp(`^## ${number}\\. ([^]*?)(?=^## |(?![^]))`, 'm').exec(guide) ?? [];
  const fences = (language: string) =>
    [...step.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) =>
      code.trim(),
    );
  return { commands: fences('sh'), outputs: fences('text').flatMap((text) => text.split('\n')) };
}

/** A line of the guide, with any time, duration and port. */
function asPattern(line: string): RegExp {
  const literal = line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    `^${literal
      .replace(/\d\d:\d\d:\d\d/, '\\d\\d:\\d\\d:\\d\\d')
      .replace(/\d+\\\.\d ms/, '[\\d.]+ ms')
      .replace(/:(?:3000|4010)/g, ':\\d+')}$`,
    'm',
  );
}

test('the guide "Getting started" shows the output of the demo, step by step', async () => {
  const demo = await startDemo();
  const { lines, get, post, shop, inspector } = demo;
  const here = (command: string) =>
    command
      .replaceAll('http://127.0.0.1:3000', shop)
      .replaceAll('http://127.0.0.1:4010', new URL(inspector).origin);
  /** The request of a command with curl. */
  const curl = (command = '') => {
    const [, url = '', body = ''] = /(http:\S+) --data '([^']+)'/.exec(here(command)) ?? [];
    return fetch(url, { method: 'POST', body });
  };
  const printed = async (outputs: string[]) => {
    expect(outputs.length).toBeGreaterThan(0);
    for (const line of outputs) await vi.waitFor(() => expect(lines.join('\n')).toMatch(asPattern(line)));
  };
  const checkout = async () => {
    const [, action = ''] = /action="(\/checkout[^"]+)"/.exec(await get('/')) ?? [];
    return (await post(action)).headers.get('location') ?? '';
  };

  expect(stepOf(1).commands).toEqual(['npx installment-payments demo']);
  await printed(stepOf(1).outputs);

  const link = await checkout();
  await printed(stepOf(2).outputs);

  await pay(link);
  await printed(stepOf(3).outputs);
  expect(await get('/orders/ORDER-1')).toContain('We have received your payment');

  expect((await curl(stepOf(5).commands[0])).status).toBeLessThan(300);
  expect(await get(await checkout())).toContain('We are checking your payment. Please do not pay again.');
  await vi.waitFor(() => expect(lines.join('\n')).toContain('(replay)'), 10_000);
  await printed(stepOf(5).outputs);

  const [forged] = stepOf(6).commands;
  const response = await curl(forged);
  const [status, line = ''] = stepOf(6).outputs;
  expect(`HTTP/1.1 ${response.status} ${response.statusText}`).toBe(status);
  await printed([line]);

  const late = await checkout();
  await post('/staff?act=cancel&orderId=ORDER-3');
  await pay(late);
  const [item = ''] = stepOf(7).outputs;
  await vi.waitFor(async () => expect(await get('/staff')).toContain(item));
});
