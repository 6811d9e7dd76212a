import { afterEach, expect, test, vi } from 'vitest';
import { initiate } from '../../helpers/signed-requests.js';
import { mockPages, type MockPages } from './support.js';

const path = '/_mock/ui/changes';
const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];

afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.cancel();
});

/** Opens the stream. Each call of the returned function waits for the next event. */
async function events(pages: MockPages): Promise<() => Promise<string>> {
  const answer = await pages.get(path);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  if (!answer.body) throw new Error('There is no stream.');
  const reader: ReadableStreamDefaultReader<Uint8Array> = answer.body.getReader();
  readers.push(reader);
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
  expect(await read()).toBe('retry: 1000\n\n');
  return read;
}

test('simultaneous changes share one event', async () => {
  const pages = mockPages();
  const next = await events(pages);
  await pages.send(initiate());
  pages.mock.settle('ORDER:2026-0001', 'paid');
  expect(await next()).toBe('data: changed\n\n');
  pages.mock.reset();
  expect(await next()).toBe('data: changed\n\n');
});

test('the stream of events ends when its reader leaves', async () => {
  const pages = mockPages();
  const unsubscribe = vi.fn<() => void>();
  const original = pages.mock.subscribe.bind(pages.mock);
  vi.spyOn(pages.mock, 'subscribe').mockImplementation((listener) => {
    const stop = original(listener);
    return () => {
      stop();
      unsubscribe();
    };
  });
  await events(pages);
  expect(unsubscribe).not.toHaveBeenCalled();
  await readers[0]?.cancel();
  expect(unsubscribe).toHaveBeenCalledOnce();
});

test('a HEAD request for the stream does not subscribe to changes', async () => {
  const { mock } = mockPages();
  const subscribe = vi.spyOn(mock, 'subscribe');
  const answer = await mock.fetch(`https://mock.example${path}`, { method: 'HEAD' });
  expect([answer.status, answer.body]).toEqual([200, null]);
  expect(subscribe).not.toHaveBeenCalled();
});
