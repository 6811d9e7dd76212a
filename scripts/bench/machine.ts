// A machine of a shop, as a process of its own: it sweeps once it is told to, and says what it did.
import { shopOver, type Work } from './order-shop.js';

/** What a machine did in a sweep. */
export interface Swept extends Work {
  readonly moved: number;
  readonly cpuSeconds: number;
}

const [url = '', responseMs] = process.argv.slice(2);
const { payments, pool, take } = shopOver(url, Number(responseMs));
// What a first sweep loads and connects is no part of the measurement.
await payments.sweep();
process.on('disconnect', () => process.exit());
process.on('message', () => void sweep());
process.send?.('ready');

async function sweep(): Promise<void> {
  take();
  const cpu = process.cpuUsage();
  const { moved } = await payments.sweep({ budgetMs: 600_000 });
  const { user, system } = process.cpuUsage(cpu);
  const swept: Swept = { ...take(), moved, cpuSeconds: (user + system) / 1_000_000 };
  await pool.end();
  process.send?.(swept);
}
