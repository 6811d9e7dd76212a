import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  longestTimerMs,
  pause,
  responseWithin,
  watchLimit,
  withTimeLimit,
} from '../../src/values/time-limit.js';
import { manualRuntime, settle } from '../helpers/runtime.js';

const forever = () => new Promise<never>(() => undefined);

describe('work under a time limit', () => {
  test('is done if it ends in time, and leaves no timer', async () => {
    const runtime = manualRuntime();
    const result = await withTimeLimit(100, undefined, () => Promise.resolve(7), runtime.after);
    expect(result).toEqual({ ended: 'done', value: 7 });
    expect(runtime.pending()).toEqual([]);
  });

  test('leaves no timer if its signal cannot be listened to', async () => {
    const runtime = manualRuntime();
    const signal = Object.assign(new AbortController().signal, { addEventListener: null });
    await expect(withTimeLimit(100, signal, forever, runtime.after)).rejects.toThrow(TypeError);
    expect(runtime.pending()).toEqual([]);
  });

  test('is done even if its signal throws when the listener is removed, and ignores a later abort', async () => {
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
    const result = await withTimeLimit(100, signal, work, manualRuntime().after);
    expect(result).toEqual({ ended: 'done', value: 7 });
    stop.abort();
    expect(inner?.aborted).toBe(false);
  });

  test('fails with its own error if it rejects', async () => {
    const error = new Error('mine');
    const { after } = manualRuntime();
    expect(await withTimeLimit(100, undefined, () => Promise.reject(error), after)).toEqual({
      ended: 'failed',
      error,
    });
  });

  test('fails if it throws synchronously', async () => {
    const error = new Error('mine');
    const work = (): Promise<never> => {
      throw error;
    };
    const { after } = manualRuntime();
    expect(await withTimeLimit(100, undefined, work, after)).toEqual({ ended: 'failed', error });
  });

  test('is abandoned at the limit if it ignores its signal', async () => {
    const runtime = manualRuntime();
    let inner: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      inner = signal;
      return forever();
    };
    const race = withTimeLimit(100, undefined, work, runtime.after);
    runtime.advance(99);
    expect(inner?.aborted).toBe(false);
    runtime.advance(1);
    expect(await race).toEqual({ ended: 'timeout' });
    expect(inner?.aborted).toBe(true);
  });

  test('times out even if it rejects because of its signal', async () => {
    const runtime = manualRuntime();
    const work = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('stopped'));
        });
      });
    const race = withTimeLimit(100, undefined, work, runtime.after);
    runtime.advance(100);
    expect(await race).toEqual({ ended: 'timeout' });
  });

  test('ends when the caller aborts, and leaves no listener or timer', async () => {
    const runtime = manualRuntime();
    const stop = new AbortController();
    let inner: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      inner = signal;
      return forever();
    };
    const race = withTimeLimit(100, stop.signal, work, runtime.after);
    await settle(1);
    expect(inner?.aborted).toBe(false);
    stop.abort();
    expect(await race).toEqual({ ended: 'aborted' });
    expect(inner?.aborted).toBe(true);
    expect(runtime.pending()).toEqual([]);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  test.each([
    ['is done', () => Promise.resolve(7)],
    ['has failed', () => Promise.reject(new Error('mine'))],
  ])('is not aborted once it %s, and leaves no listener', async (_title, end) => {
    const { signal } = new AbortController();
    let inner: AbortSignal | undefined;
    const work = (given: AbortSignal): Promise<unknown> => {
      inner = given;
      return end();
    };
    await withTimeLimit(100, signal, work, manualRuntime().after);
    expect(inner?.aborted).toBe(false);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('is not begun after an abort, or without time', async () => {
    let begun = 0;
    const work = () => {
      begun++;
      return forever();
    };
    const runtime = manualRuntime();
    expect(await withTimeLimit(100, AbortSignal.abort(), work, runtime.after)).toEqual({
      ended: 'aborted',
    });
    expect(await withTimeLimit(0, undefined, work, runtime.after)).toEqual({ ended: 'timeout' });
    expect(begun).toBe(0);
  });
});

describe('a limit', () => {
  test('is the first of several signals, and leaves no listener on the others', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const race = withTimeLimit(Infinity, [first.signal, second.signal], forever);
    second.abort();
    expect(await race).toEqual({ ended: 'aborted' });
    expect(getEventListeners(first.signal, 'abort')).toEqual([]);
  });

  test.each([Infinity, longestTimerMs + 1])(
    'of %d ms sets no timer, because that would fire at once',
    (ms) => {
      const runtime = manualRuntime();
      watchLimit(ms, undefined, () => undefined, runtime.after)();
      expect(runtime.pending()).toEqual([]);
      watchLimit(longestTimerMs, undefined, () => undefined, runtime.after);
      expect(runtime.pending()).toEqual([longestTimerMs]);
    },
  );
});

describe('a response', () => {
  test('is the value of the work', async () => {
    expect(await responseWithin(1_000, undefined, () => Promise.resolve(7))).toBe(7);
  });

  test.each([
    ['its own error', 1_000, undefined, () => Promise.reject(new Error('mine')), 'mine'],
    ['the limit', 1, undefined, forever, 'no response within 1 ms'],
    ['the reason of the signal', 1_000, AbortSignal.abort(new Error('stopped')), forever, 'stopped'],
  ])('rejects with %s', async (_what, ms, signal, work, message) => {
    await expect(responseWithin(ms, signal, work)).rejects.toThrow(message);
  });
});

describe('a pause', () => {
  test('ends after its time, and leaves no listener', async () => {
    const runtime = manualRuntime();
    const { signal } = new AbortController();
    let isOver = false;
    const waiting = pause(100, signal, runtime.after).then(() => (isOver = true));
    runtime.advance(99);
    await settle(1);
    expect(isOver).toBe(false);
    runtime.advance(1);
    await waiting;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('ends when the caller aborts, and leaves no timer', async () => {
    const runtime = manualRuntime();
    const stop = new AbortController();
    const waiting = pause(100, stop.signal, runtime.after);
    expect(runtime.pending()).toEqual([100]);
    stop.abort();
    await waiting;
    expect(runtime.pending()).toEqual([]);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  test('needs no signal', async () => {
    const runtime = manualRuntime();
    const waiting = pause(100, undefined, runtime.after);
    runtime.advance(100);
    await expect(waiting).resolves.toBeUndefined();
  });
});
