import { afterEach, describe, expect, it, vi } from 'vitest';
import { mockPages, type MockPages } from './support.js';
import { initiate, order, receipt } from '../../helpers/signed-requests.js';

const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];

afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.cancel();
});

/** Opens a stream of events; each call of what it returns waits for the next one. */
async function events(
  pages: MockPages,
  path: string,
): Promise<() => Promise<{ event: string; data: unknown }>> {
  const answer = await pages.get(path);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  if (!answer.body) throw new Error('There is no stream.');
  const reader: ReadableStreamDefaultReader<Uint8Array> = answer.body.getReader();
  readers.push(reader);
  const read = async () => {
    const { value } = await reader.read();
    return Buffer.from(value ?? []).toString();
  };
  expect(await read()).toBe('retry: 1000\n\n');
  return async () => {
    const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(await read()) ?? [];
    return { event, data: JSON.parse(data) as unknown };
  };
}

const pay = (referenceId: string) => initiate(order({ referenceId }));

describe('the stream of requests', () => {
  it('sends requests that arrive together in one event, each in its current state', async () => {
    const pages = mockPages();
    const next = await events(pages, '/_mock/ui/events');
    await pages.send(pay('ORDER-1'));
    await pages.send(pay('ORDER-2'));
    const { event, data } = await next();
    expect(event).toBe('rows');
    expect(data).toHaveLength(2);
    expect(String(data)).toMatch(/data-id="1".*ORDER-1.*APPROVED.*data-id="2".*ORDER-2.*APPROVED/s);
  });

  it('reports other changes too, because the header counts findings', async () => {
    const pages = mockPages();
    await pages.send(pay('ORDER-1'));
    const next = await events(pages, '/_mock/ui/events');
    pages.mock.settle('ORDER-1', 'paid');
    expect(await next()).toEqual({ event: 'changed', data: null });
  });

  it('sends only requests that pass the filters', async () => {
    const pages = mockPages();
    const next = await events(pages, '/_mock/ui/events?status=APPROVED&reference=order-2');
    await pages.send(receipt());
    await pages.send(pay('ORDER-1'));
    await pages.send(pay('ORDER-2'));
    expect(await next()).toMatchObject({
      event: 'rows',
      data: [expect.stringContaining('ORDER-2') as string],
    });
  });

  it('tells a page to load its list again after a reset, and after too many requests at once', async () => {
    const pages = mockPages({ journalLimit: 1000 });
    const next = await events(pages, '/_mock/ui/events');
    await pages.send(pay('ORDER-1'));
    pages.mock.reset();
    expect(await next()).toEqual({ event: 'stale', data: null });
    await Promise.all(Array.from({ length: 250 }, (_, index) => pages.send(pay(`ORDER-${String(index)}`))));
    expect(await next()).toEqual({ event: 'stale', data: null });
    await pages.send(pay('LATER'));
    expect(await next()).toMatchObject({ event: 'rows', data: [expect.stringContaining('LATER') as string] });
  });

  it('collects requests for a reader that is slow', async () => {
    const pages = mockPages();
    const next = await events(pages, '/_mock/ui/events');
    for (let round = 0; round < 25; round += 1) {
      await pages.send(pay(`ORDER-${String(round)}`));
      await new Promise((resolve) => setTimeout(resolve, 55));
    }
    const sizes: number[] = [];
    for (let last = 0; last < 25;) {
      const { data } = await next();
      last += (data as string[]).length;
      sizes.push((data as string[]).length);
    }
    expect(sizes.length).toBeLessThanOrEqual(20);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  it('ends when its reader leaves', async () => {
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
    await events(pages, '/_mock/ui/events');
    expect(unsubscribe).not.toHaveBeenCalled();
    await readers[0]?.cancel();
    expect(unsubscribe).toHaveBeenCalledOnce();
  });
});

it('the stream of changes sends one event for several changes', async () => {
  const pages = mockPages();
  const next = await events(pages, '/_mock/ui/changes');
  await pages.send(pay('ORDER-1'));
  pages.mock.settle('ORDER-1', 'paid');
  expect(await next()).toEqual({ event: 'changed', data: null });
  pages.mock.reset();
  expect(await next()).toEqual({ event: 'changed', data: null });
});

it('a HEAD request for a stream does not subscribe', async () => {
  const { mock } = mockPages();
  const subscribe = vi.spyOn(mock, 'subscribe');
  const answer = await mock.fetch('http://localhost/_mock/ui/events', { method: 'HEAD' });
  expect([answer.status, answer.body]).toEqual([200, null]);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(subscribe).not.toHaveBeenCalled();
  await (await mock.fetch('http://localhost/_mock/ui/events')).body?.cancel();
  expect(subscribe).toHaveBeenCalledOnce();
});
