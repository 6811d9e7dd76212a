import { describe, expect, test } from 'vitest';
import { createShared } from '../../src/http/shared-resources.js';
import { manualRuntime } from '../helpers/runtime.js';
import { transmitting } from './transmission.js';

const runtime = manualRuntime();
const baseUrl = 'https://pay.example';

describe('the clock of a client', () => {
  const instant = new Date('2026-11-20T03:04:05Z');

  test("is the runtime's, with its timers, by default", () => {
    expect(createShared({ baseUrl }, runtime).runtime).toBe(runtime);
  });

  test("is the caller's, with the rest of the runtime", () => {
    const now = () => instant;
    const shared = createShared({ baseUrl, now }, runtime);
    expect(shared.runtime.now()).toEqual(instant);
    expect(shared.runtime.now()).not.toBe(instant);
    expect(shared.runtime).toEqual({ ...runtime, now: expect.any(Function) as unknown });
  });

  test.each<readonly [string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no clock');
      },
    ],
    ['gives no Date', () => '2026-11-20'],
    ['gives an invalid Date', () => new Date(Number.NaN)],
    ['gives a year that the wire cannot show', () => new Date(8.64e15)],
  ])("throws if the caller's %s", (_title, now) => {
    const shared = createShared({ baseUrl, now: now as () => Date }, runtime);
    expect(() => shared.runtime.now()).toThrow(/no clock|is not a valid Date/);
  });
});

describe('the transport of a client', () => {
  test('is the given fetch, which is not called before a request', async () => {
    const asked: unknown[] = [];
    const fetch = (input: string | URL) => {
      asked.push(String(input));
      return Promise.resolve(new Response('{}'));
    };
    const { transport } = createShared({ baseUrl, fetch }, runtime);
    expect(asked).toEqual([]);
    const request = { method: 'POST', url: new URL(baseUrl), headers: {}, body: Buffer.of() } as const;
    expect((await transmitting(transport)(request).result).response?.httpStatus).toBe(200);
    expect(asked).toEqual(['https://pay.example/']);
  });
});
