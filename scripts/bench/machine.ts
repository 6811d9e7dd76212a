// A machine of a shop, in its own process. It sweeps when it gets a message, and reports the result.
import { shopOver, type Work } from './order-shop.js';

/** The result of a machine's sweep. */
export interface Swept extends Work {
  readonly processed: number;
  readonly cpuSeconds: number;
}

const [url = '', responseMs] = process.argv.slice(2);
const { payments, pool, take } = shopOver(url, Number(responseMs));
// The loading and connecting of a first sweep is not measured.
await payments.sweep();
process.on('disconnect', () => process.exit());
process.on('message', () => void sweep());
process.send?.('ready');

async function sweep(): Promise<void> {
  take();
  const cpu = process.cpuUsage();
  const { processed } = await payments.sweep({ budgetMs: 600_000 });
  const { user, system } = process.cpuUsage(cpu);
  const swept: Swept = { ...take(), processed, cpuSeconds: (user + system) / 1_000_000 };
  await pool.end();
  process.send?.(swept);
}
