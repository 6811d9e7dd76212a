import { expect, it } from 'vitest';
import { receipt } from '../helpers/signed-requests.js';
import { useBrowser } from './support.js';

const browser = useBrowser();
const entries = 5000;

/** Scrolls on with every frame until more rows have come or the list has ended, and counts both. */
const scrollOn = `new Promise((resolve) => {
  const { children } = document.querySelector('[data-requests]');
  const before = children.length;
  let frames = 0;
  const frame = () => {
    frames += 1;
    scrollBy(0, 600);
    const all = children.length === ${String(entries)};
    const ended = all && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    if ((frames >= 8 && children.length > before) || ended || frames > 500) {
      resolve({ frames, rows: children.length, ended });
    }
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

interface Stretch {
  readonly frames: number;
  readonly rows: number;
  readonly ended: boolean;
}

it('5,000 requests scroll without a stall', { timeout: 60_000 }, async () => {
  const { mock, url } = await browser.start({ journalLimit: entries });
  for (let sent = 0; sent < entries; sent += 1) {
    const { path, init } = receipt({
      requestId: `REQ-${String(sent)}`,
      lenderTransactionCode: `LTC-${String(sent)}`,
    });
    await mock.fetch(url + path, init);
  }
  const { page, complaints } = await browser.open(`${url}/_mock`, { viewport: { width: 1440, height: 900 } });

  // Processor time of the page's main thread: what a frame costs, however busy the machine is with other things.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
  };

  const costs: number[] = [];
  let stretch: Stretch = { frames: 0, rows: 0, ended: false };
  for (let steps = 0; steps < 200 && !stretch.ended; steps += 1) {
    const before = await busyMs();
    stretch = await page.evaluate<Stretch>(scrollOn);
    costs.push(((await busyMs()) - before) / stretch.frames);
  }
  expect(stretch.rows).toBe(entries);
  expect(await page.getByText('LTC-0', { exact: true }).isVisible()).toBe(true);

  costs.sort((a, b) => a - b);
  const [median = NaN, worst = NaN] = [costs[Math.floor(costs.length / 2)], costs.at(-1)];
  console.log(`A frame costs ${median.toFixed(1)} ms, ${worst.toFixed(1)} ms in the worst stretch.`);
  // A frame lasts 16.7 ms at 60 a second.
  expect(median).toBeLessThan(16.7);
  expect(worst).toBeLessThan(50);
  expect(complaints).toEqual([]);
});
