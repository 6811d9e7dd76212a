import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { wait, bounded } from '../../src/http/bounded.js';
import { manualRuntime, settle } from '../helpers/runtime.js';

const forever = () => new Promise<never>(() => undefined);

describe('work under a time limit', () => {
  it('is done if it ends in time, and leaves no timer', async () => {
    const runtime = manualRuntime();
    const result = await bounded(() => Promise.resolve(7), { ms: 100, signal: undefined, runtime });
    expect(result).toEqual({ ended: 'done', value: 7 });
    expect(runtime.pending()).toEqual([]);
  });

  it('leaves no timer if its signal cannot be listened to', async () => {
    const runtime = manualRuntime();
    const signal = Object.assign(new AbortController().signal, { addEventListener: null });
    await expect(bounded(forever, { ms: 100, signal, runtime })).rejects.toThrow(TypeError);
    expect(runtime.pending()).toEqual([]);
  });

  it('is done if its signal throws when the listener is removed, and a later abort changes nothing', async () => {
    const stop = new AbortController();
    const removeEventListener = () => {
      throw new Error('mine');
    };
    const signal = Object.assign(stop.signal, { removeEventListener });
    let inner: AbortSignal | undefined;
    const work = (given: AbortSignal) => {
      inner = given;
      return Promise.resolve(7);
    };
    const result = await bounded(work, { ms: 100, signal, runtime: manualRuntime() });
    expect(result).toEqual({ ended: 'done', value: 7 });
    stop.abort();
    expect(inner?.aborted).toBe(false);
  });

  it('has failed with its own error if it rejects', async () => {
    const error = new Error('mine');
    const limit = { ms: 100, signal: undefined, runtime: manualRuntime() };
    expect(await bounded(() => Promise.reject(error), limit)).toEqual({ ended: 'failed', error });
  });

  it('has failed if it throws at once', async () => {
    const error = new Error('mine');
    const work = (): Promise<never> => {
      throw error;
    };
    const limit = { ms: 100, signal: undefined, runtime: manualRuntime() };
    expect(await bounded(work, limit)).toEqual({ ended: 'failed', error });
  });

  it('is left behind at the limit if it ignores its signal', async () => {
    const runtime = manualRuntime();
    let inner: AbortSignal | undefined;
    const race = bounded(
      (signal) => {
        inner = signal;
        return forever();
      },
      { ms: 100, signal: undefined, runtime },
    );
    runtime.advance(99);
    expect(inner?.aborted).toBe(false);
    runtime.advance(1);
    expect(await race).toEqual({ ended: 'timeout' });
    expect(inner?.aborted).toBe(true);
  });

  it('has timed out even if it rejects because of its signal', async () => {
    const runtime = manualRuntime();
    const work = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('stopped'));
        });
      });
    const race = bounded(work, { ms: 100, signal: undefined, runtime });
    runtime.advance(100);
    expect(await race).toEqual({ ended: 'timeout' });
  });

  it('ends when the caller aborts, and leaves no listener or timer', async () => {
    const runtime = manualRuntime();
    const stop = new AbortController();
    let inner: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      inner = signal;
      return forever();
    };
    const race = bounded(work, { ms: 100, signal: stop.signal, runtime });
    await settle(1);
    expect(inner?.aborted).toBe(false);
    stop.abort();
    expect(await race).toEqual({ ended: 'aborted' });
    expect(inner?.aborted).toBe(true);
    expect(runtime.pending()).toEqual([]);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  it.each([
    ['is done', () => Promise.resolve(7)],
    ['has failed', () => Promise.reject(new Error('mine'))],
  ])('is not aborted once it %s, and leaves no listener', async (_title, end) => {
    const { signal } = new AbortController();
    let inner: AbortSignal | undefined;
    const work = (given: AbortSignal): Promise<unknown> => {
      inner = given;
      return end();
    };
    await bounded(work, { ms: 100, signal: signal, runtime: manualRuntime() });
    expect(inner?.aborted).toBe(false);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is not begun after an abort, or without time', async () => {
    let begun = 0;
    const work = () => {
      begun++;
      return forever();
    };
    const runtime = manualRuntime();
    expect(await bounded(work, { ms: 100, signal: AbortSignal.abort(), runtime })).toEqual({
      ended: 'aborted',
    });
    expect(await bounded(work, { ms: 0, signal: undefined, runtime })).toEqual({ ended: 'timeout' });
    expect(begun).toBe(0);
  });
});

describe('a wait', () => {
  it('ends after its time, and leaves no listener', async () => {
    const runtime = manualRuntime();
    const { signal } = new AbortController();
    let isOver = false;
    const waiting = wait({ ms: 100, signal: signal, runtime }).then(() => (isOver = true));
    runtime.advance(99);
    await settle(1);
    expect(isOver).toBe(false);
    runtime.advance(1);
    await waiting;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends when the caller aborts, and leaves no timer', async () => {
    const runtime = manualRuntime();
    const stop = new AbortController();
    const waiting = wait({ ms: 100, signal: stop.signal, runtime });
    expect(runtime.pending()).toEqual([100]);
    stop.abort();
    await waiting;
    expect(runtime.pending()).toEqual([]);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  it('needs no signal', async () => {
    const runtime = manualRuntime();
    const waiting = wait({ ms: 100, signal: undefined, runtime });
    runtime.advance(100);
    await expect(waiting).resolves.toBeUndefined();
  });
});
