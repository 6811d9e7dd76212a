import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { InstallmentClient } from '../../src/index.js';
import { createOrderPayments, type OrderPayments } from '../../src/orders/index.js';
import { startPostgres } from '../../test/databases/postgres-server.js';
import { approved, merchant, orderOf } from './order.js';
import type { Standing } from './rounds.js';

interface Shop {
  readonly payments: OrderPayments;
  readonly pool: pg.Pool;
  /** Statements and calls since the last time. */
  readonly take: () => { statements: number; calls: number };
}

// Else the memory is what has not been collected yet.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function requestOf(lines: number) {
  const { referenceId: _referenceId, ...request } = orderOf(lines);
  return { ...request, transExpiredTime: 3_600_000 };
}

/** Payments over a PostgreSQL of their own, and a service that answers at once. */
async function withShop<T>(use: (shop: Shop) => Promise<T>): Promise<T> {
  await using postgres = await startPostgres();
  const pool = new pg.Pool({ connectionString: postgres.url, max: 10 });
  // The server ends a moment before its last connections.
  pool.on('error', () => undefined);
  let [statements, calls] = [0, 0];
  const answer = async (...request: ConstructorParameters<typeof Request>) => {
    calls += 1;
    const { referenceId } = (await new Request(...request).json()) as { referenceId: string };
    const body = JSON.stringify({ ...(JSON.parse(approved) as object), referenceId });
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  };
  const payments = createOrderPayments({
    onPaid: 'firstPaid',
    client: new InstallmentClient({ ...merchant, baseUrl: 'https://pay.example', fetch: answer }),
    dialect: 'postgres',
    query: async (sql, values) => {
      statements += 1;
      return (await pool.query<Record<string, unknown>>(sql, values)).rows;
    },
  });
  for (const statement of payments.schema) await pool.query(statement);
  const take = () => {
    const taken = { statements, calls };
    [statements, calls] = [0, 0];
    return taken;
  };
  try {
    take();
    return await use({ payments, pool, take });
  } finally {
    await pool.end();
  }
}

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000_000;
const rowOf = (name: string, value: number): Standing => ({ name, value, ratio: 1 });

/** Statements and calls of clicks, and the bytes of a long order. */
export function ordersClicks(): Promise<Standing[]> {
  return withShop(async ({ payments, pool, take }) => {
    await payments.start('first', requestOf(5));
    const click = take();
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => payments.start('many', requestOf(5))));
    const waitedMs = performance.now() - startedAt;
    const clicks = take();
    await payments.add('long', requestOf(200));
    const { rows } = await pool.query<{ bytes: number }>(
      "SELECT octet_length(data) AS bytes FROM installment_orders WHERE order_id = 'long'",
    );
    return [
      rowOf('a click: statements', click.statements),
      rowOf('a click: calls', click.calls),
      rowOf('50 clicks at once: statements', clicks.statements),
      rowOf('50 clicks at once: calls', clicks.calls),
      rowOf('50 clicks at once: ms', waitedMs),
      rowOf('an order of 200 items: bytes', rows[0]?.bytes ?? Number.NaN),
    ];
  });
}

/** `sweep({ limit: 1000 })` over 1,000 due orders, and the memory of 10,000. */
export function ordersSweep(): Promise<Standing[]> {
  return withShop(async ({ payments, pool }) => {
    const standings: Standing[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (let index = 0; index < 1_000; index += 50)
        await Promise.all(
          Array.from({ length: 50 }, (_, at) => payments.add(`order-${round}-${index + at}`, requestOf(5))),
        );
      await pool.query('UPDATE installment_orders SET due_at = 1 WHERE due_at IS NOT NULL AND version = 1');
      // The order itself says when it is due: a minute after it was added, which this moves back.
      await pool.query(
        `UPDATE installment_orders SET data = regexp_replace(data, '"nextAt":[0-9]+', '"nextAt":1') WHERE version = 1`,
      );
      collectGarbage();
      const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
      const { moved } = await payments.sweep({ limit: 1_000 });
      if (moved !== 1_000) throw new Error(`moved ${moved}`);
      if (round === 0) {
        standings.push(rowOf('1,000 due orders: CPU s', cpuSeconds(process.cpuUsage(cpu))));
        standings.push(rowOf('1,000 due orders: s', (performance.now() - startedAt) / 1_000));
      }
      if (round === 0 || round === 9) {
        collectGarbage();
        const heap = process.memoryUsage().heapUsed / 1024 ** 2;
        standings.push(rowOf(`heap after ${(round + 1) * 1_000} orders: MB`, heap));
      }
    }
    const { rows } = await pool.query<{ started: string }>(
      `SELECT count(*) AS started FROM installment_orders WHERE data LIKE '%"state":"open"%'`,
    );
    if (Number(rows[0]?.started) !== 10_000) throw new Error('an order has no link');
    return standings;
  });
}
