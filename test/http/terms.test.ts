import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startTerms } from '../../src/http/call.js';
import { manualRuntime } from '../helpers/runtime.js';

const defaults = { attemptTimeoutMs: 50, totalTimeoutMs: 100, maxRetries: 2, repeatUnknown: true };

describe('the terms of a call', () => {
  it('count down to 0 on the monotonic clock', () => {
    const runtime = manualRuntime();
    const { leftMs, totalTimeoutMs } = startTerms({}, defaults, runtime);
    expect(leftMs()).toBe(100);
    runtime.jumpWallClock(3_600_000);
    expect(leftMs()).toBe(100);
    runtime.advance(60);
    expect(leftMs()).toBe(40);
    runtime.advance(60);
    expect(leftMs()).toBe(0);
    expect(totalTimeoutMs).toBe(100);
  });

  it("are the client's unless the call has its own", () => {
    const { signal } = new AbortController();
    const runtime = manualRuntime();
    expect(startTerms({ attemptTimeoutMs: undefined }, defaults, runtime)).toMatchObject(defaults);
    const own = { attemptTimeoutMs: 1, totalTimeoutMs: 2, maxRetries: 0, repeatUnknown: false };
    expect(startTerms({ ...own, signal }, defaults, runtime)).toMatchObject({ ...own, signal });
  });

  it('let one signal serve any number of calls without a warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    startTerms({ signal }, defaults, manualRuntime());
    for (let call = 0; call < 20; call++) signal.addEventListener('abort', () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(getEventListeners(signal, 'abort')).toHaveLength(20);
    expect(warnings).toEqual([]);
  });
});
