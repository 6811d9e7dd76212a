import { Agent } from 'node:https';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runtimeName, systemRuntime } from '../../src/http/runtime.js';
import { createShared } from '../../src/http/shared-resources.js';
import { isWorkers, workersFetch } from '../../src/http/workers.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the runtime of the system', () => {
  test('has clocks that move forward', () => {
    const before = systemRuntime.monotonicMs();
    expect(systemRuntime.monotonicMs()).toBeGreaterThanOrEqual(before);
    expect(Math.abs(systemRuntime.now().getTime() - Date.now())).toBeLessThan(60_000);
  });

  test('runs work later, unless it is cancelled', async () => {
    const ran: string[] = [];
    systemRuntime.after(0, () => ran.push('taken back'))();
    await new Promise<void>((resolve) => {
      systemRuntime.after(1, () => {
        ran.push('run');
        resolve();
      });
    });
    expect(ran).toEqual(['run']);
  });

  test('makes boundaries that are valid, long and never the same', () => {
    const made = Array.from({ length: 100 }, () => systemRuntime.boundary());
    expect(new Set(made).size).toBe(100);
    for (const boundary of made) expect(boundary).toMatch(/^----[0-9a-f]{36}$/);
  });

  test('has random numbers from 0 to 1', () => {
    const random = systemRuntime.random();
    expect(random).toBeGreaterThanOrEqual(0);
    expect(random).toBeLessThan(1);
  });
});

describe('Cloudflare Workers', () => {
  test.each([
    [{ navigator: { userAgent: 'Cloudflare-Workers' } }, true],
    [{ navigator: { userAgent: 'Node.js/22' } }, false],
    [{ navigator: undefined }, false],
    [{}, false],
  ])('are recognised by their navigator: %j', (scope, expected) => {
    expect(isWorkers(scope)).toBe(expected);
  });

  test('are not recognised in Node', () => {
    expect(isWorkers()).toBe(false);
  });

  test('accept no agent', () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    const options = { baseUrl: 'https://pay.example', agent: new Agent() };
    const message = 'agent cannot be used under Cloudflare Workers: leave it out';
    expect(() => createShared(options, systemRuntime)).toThrow(message);
    vi.stubGlobal('navigator', undefined);
    expect(() => createShared(options, systemRuntime)).not.toThrow();
  });

  test('receive the length of a stream, and get a request without a body unchanged', async () => {
    const lengths: number[] = [];
    class FixedLengthStream extends TransformStream {
      constructor(length: number) {
        super();
        lengths.push(length);
      }
    }
    vi.stubGlobal('FixedLengthStream', FixedLengthStream);
    const sent: RequestInit[] = [];
    vi.stubGlobal('fetch', (_url: string, init: RequestInit = {}) => {
      sent.push(init);
      return Promise.resolve(new Response());
    });
    const { signal } = new AbortController();
    const init = { method: 'POST', redirect: 'manual', headers: { 'Content-Length': '3' }, signal } as const;
    const body = new Blob(['abc']).stream();
    await workersFetch('https://pay.example', { ...init, body });
    await workersFetch('https://pay.example', init);
    expect(lengths).toEqual([3]);
    expect(sent).toMatchObject([init, init]);
    expect(await new Response(sent[0]?.body).text()).toBe('abc');
  });
});

describe('the runtime in the User-Agent', () => {
  test.each([
    [{ node: '20.20.2', v8: '11.3' }, 'node/20.20.2'],
    [{ node: '22.6.0', bun: '1.2.0' }, 'bun/1.2.0'],
    [{ node: '22.6.0', deno: '2.1.0' }, 'deno/2.1.0'],
    [{ v8: '11.3' }, 'unknown/0'],
  ])('is the most specific runtime: %j is %s', (versions, name) => {
    expect(runtimeName(versions)).toBe(name);
  });

  test('is Cloudflare Workers, although their versions name Node', () => {
    expect(runtimeName({ node: '22.23.4' }, true)).toBe('cloudflare-workers');
  });
});
