import { expect, it } from 'vitest';
import { receipt } from '../mock/support.js';
import { useBrowser } from './support.js';

const browser = useBrowser();
const entries = 5000;

/** Scrolls on with every frame until the list has ended, and tells how long frames and tasks took. */
const scrollToTheEnd = `new Promise((resolve) => {
  const frames = [];
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)))
    .observe({ type: 'longtask' });
  let last = performance.now();
  const frame = (now) => {
    frames.push(now - last);
    last = now;
    scrollBy(0, 1500);
    const rows = document.querySelectorAll('[data-requests] > li').length;
    const ended = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    if ((rows === ${String(entries)} && ended) || frames.length > 2000) resolve({ frames, tasks, rows });
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

it('5,000 requests scroll without a stall', { timeout: 40_000 }, async () => {
  const { mock, url } = await browser.start({ journalLimit: entries });
  for (let sent = 0; sent < entries; sent += 1) {
    const { path, init } = receipt({
      requestId: `REQ-${String(sent)}`,
      lenderTransactionCode: `LTC-${String(sent)}`,
    });
    await mock.fetch(url + path, init);
  }
  const { page, complaints } = await browser.open(`${url}/_mock`, { viewport: { width: 1440, height: 900 } });
  const { frames, tasks, rows } = await page.evaluate<{
    frames: number[];
    tasks: number[];
    rows: number;
  }>(scrollToTheEnd);
  expect(rows).toBe(entries);
  expect(await page.getByText('LTC-0', { exact: true }).isVisible()).toBe(true);
  frames.sort((a, b) => a - b);
  const [median = NaN, slow = NaN] = [0.5, 0.95].map((part) => frames[Math.floor(frames.length * part)]);
  const longest = Math.max(0, ...tasks);
  console.log(
    `frames: median ${median.toFixed(1)} ms, 95 % ${slow.toFixed(1)} ms; longest task ${longest.toFixed(0)} ms`,
  );
  // Sixty frames a second need 17 ms; what is allowed for is a busy machine.
  expect(median).toBeLessThan(40);
  expect(slow).toBeLessThan(120);
  expect(longest).toBeLessThan(300);
  expect(complaints).toEqual([]);
});
