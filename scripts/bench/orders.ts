import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import type { OrderPayments } from '../../src/entries/orders.js';
import { sqlStorage } from '../../src/orders/sql-storage.js';
import { startPostgres } from '../../test/databases/postgres-server.js';
import type { Swept } from './machine.js';
import { orderOf } from './order.js';
import { shopOver, type Shop } from './order-shop.js';
import { median, type Standing } from './rounds.js';

// Without a garbage collection, the measured memory would include garbage.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function requestOf(lines: number) {
  const { referenceId: _referenceId, ...request } = orderOf(lines);
  return { ...request, transExpiredTime: 3_600_000 };
}

/** A shop with its own PostgreSQL, and a service that responds at once. */
async function withShop<T>(use: (shop: Shop, url: string) => Promise<T>): Promise<T> {
  await using postgres = await startPostgres();
  const shop = shopOver(postgres.url);
  try {
    for (const statement of shop.payments.schema) await shop.pool.query(statement);
    shop.take();
    return await use(shop, postgres.url);
  } finally {
    await shop.pool.end();
  }
}

/**
 * Makes the added orders due now. `add` has stored a time a minute later, in the row and in its data. The token
 * contains a digest of the data, so it is replaced by a token without a digest.
 */
async function makeDue(pool: pg.Pool): Promise<void> {
  await pool.query(
    `UPDATE installment_orders SET due_at = 1, token = 'moved back', data = regexp_replace(data, '"nextAt":[0-9]+', '"nextAt":1') WHERE due_at IS NOT NULL AND version = 1`,
  );
}

async function addOrders(payments: OrderPayments, name: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => payments.add(`${name}-${index + at}`, requestOf(5))),
    );
}

/** The median of several measurements in milliseconds, after a warm-up. */
async function medianMs(times: number, work: (time: number) => Promise<unknown>): Promise<number> {
  await work(-1);
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now();
    await work(time);
    taken.push(performance.now() - startedAt);
  }
  return median(taken);
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
export function ordersSweep(rounds = 10): Promise<Standing[]> {
  return withShop(async ({ payments, pool }) => {
    const standings: Standing[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await addOrders(payments, `order-${round}`, 1_000);
      await makeDue(pool);
      collectGarbage();
      const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
      const { processed } = await payments.sweep({ limit: 1_000 });
      if (processed !== 1_000) throw new Error(`processed ${processed}`);
      if (round === 0) {
        standings.push(rowOf('1,000 due orders: CPU s', cpuSeconds(process.cpuUsage(cpu))));
        standings.push(rowOf('1,000 due orders: s', (performance.now() - startedAt) / 1_000));
      }
      if (round === 0 || round === rounds - 1) {
        collectGarbage();
        const heap = process.memoryUsage().heapUsed / 1024 ** 2;
        standings.push(rowOf(`heap after ${(round + 1) * 1_000} orders: MB`, heap));
      }
    }
    const { rows } = await pool.query<{ started: string }>(
      `SELECT count(*) AS started FROM installment_orders WHERE data LIKE '%"state":"open"%'`,
    );
    if (Number(rows[0]?.started) !== rounds * 1_000) throw new Error('an order has no link');
    return standings;
  });
}

/**
 * Fills the table with ended orders, up to a number of rows. Each tenth waits for staff, and ten wait since each time.
 */
async function fillTo(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(
    `INSERT INTO installment_orders (order_key, order_id, version, token, due_at, review_at, changed_at, data)
     SELECT 'old-' || n, 'old-' || n, 1, 't', NULL, CASE WHEN n % 10 = 0 THEN n / 100 END, n,
       '{"orderId":"old-' || n || '","payments":[],"invoices":[],"of":"' || repeat('x', 400) || '"}'
     FROM generate_series((SELECT count(*) FROM installment_orders), $1) n`,
    [rows],
  );
  await pool.query('VACUUM ANALYZE installment_orders');
}

/** The work of a shop whose table has 10,000 rows, and 1,000,000 rows. */
export function ordersAtScale(): Promise<Standing[]> {
  return withShop(async ({ payments, pool }) => {
    const storage = sqlStorage(
      'postgres',
      'installment_orders',
      async (sql, values) => (await pool.query<Record<string, unknown>>(sql, values)).rows,
      false,
    );
    const standings: Standing[] = [];
    const first = new Map<string, number>();
    for (const rows of [10_000, 1_000_000]) {
      await fillTo(pool, rows);
      const measured: Record<string, number> = {
        'a click': await medianMs(200, (time) => payments.start(`click-${rows}-${time}`, requestOf(5))),
        'a page of list, near its end': await medianMs(100, () =>
          storage.changed({ at: Math.floor(rows * 0.9), key: 'old-5' }, 500),
        ),
        'a page of forReview, near its end': await medianMs(100, () =>
          storage.inReview({ at: Math.floor(rows * 0.009), key: 'old-5' }, 50),
        ),
      };
      const sweeps: number[] = [];
      for (let round = 0; round < 6; round += 1) {
        await addOrders(payments, `due-${rows}-${round}`, 100);
        await makeDue(pool);
        const startedAt = performance.now();
        const { processed } = await payments.sweep();
        if (processed !== 100) throw new Error(`processed ${processed}`);
        sweeps.push(performance.now() - startedAt);
      }
      measured['a sweep of 100'] = median(sweeps);
      for (const [name, value] of Object.entries(measured)) {
        const ratio = value / (first.get(name) ?? value);
        standings.push({ name: `${name}, ${rows} rows: ms`, value, ratio });
        if (!first.has(name)) first.set(name, value);
      }
    }
    return standings;
  });
}

/** The response time of a payment service. It prevents two processors from limiting four machines. */
const responseMs = 300;

/**
 * Machines that sweep at the same time, each in its own process, until nothing is due. `begin` runs once they have
 * started.
 */
async function sweepBy(
  machines: number,
  url: string,
  begin: () => Promise<void>,
): Promise<{ readonly seconds: number; readonly swept: readonly Swept[] }> {
  const file = fileURLToPath(new URL('machine.ts', import.meta.url));
  const processes = Array.from({ length: machines }, () => fork(file, [url, String(responseMs)]));
  const nextOf = async (child: ChildProcess): Promise<unknown> => {
    const died = once(child, 'exit').then(() => {
      throw new Error('a machine ended');
    });
    died.catch(() => undefined);
    const [message] = (await Promise.race([once(child, 'message'), died])) as unknown[];
    return message;
  };
  try {
    await Promise.all(processes.map(nextOf));
    await begin();
    const startedAt = performance.now();
    for (const child of processes) child.send('sweep');
    const swept = (await Promise.all(processes.map(nextOf))) as Swept[];
    return { seconds: (performance.now() - startedAt) / 1_000, swept };
  } finally {
    for (const child of processes) child.disconnect();
  }
}

/**
 * 10,000 due orders and a service that needs 300 ms for a response, with one machine and with four machines. Each
 * machine has ten orders in progress, so that one machine mostly waits. Work on the same order by several machines
 * shows in statements and CPU time.
 */
export async function ordersMachines(orders = 10_000): Promise<Standing[]> {
  const measure = (machines: number) =>
    withShop(async ({ payments, pool }, url) => {
      await addOrders(payments, 'order', orders);
      const { seconds, swept } = await sweepBy(machines, url, () => makeDue(pool));
      const sum = (of: (each: Swept) => number) => swept.reduce((total, each) => total + of(each), 0);
      const calls = sum((each) => each.calls);
      if (calls !== orders) throw new Error(`${calls} calls for ${orders} orders`);
      return {
        seconds,
        statements: sum((each) => each.statements),
        cpuSeconds: sum((each) => each.cpuSeconds),
        most: Math.max(...swept.map(({ processed }) => processed)),
      };
    });
  const one = await measure(1);
  const four = await measure(4);
  const ratioOf = (name: 'seconds' | 'statements' | 'cpuSeconds') => four[name] / one[name];
  return [
    rowOf('one machine: s', one.seconds),
    { name: 'four machines: s', value: four.seconds, ratio: ratioOf('seconds') },
    rowOf('one machine: statements', one.statements),
    { name: 'four machines: statements', value: four.statements, ratio: ratioOf('statements') },
    rowOf('one machine: CPU s', one.cpuSeconds),
    { name: 'four machines: CPU s in all', value: four.cpuSeconds, ratio: ratioOf('cpuSeconds') },
    rowOf('the busiest of four machines: orders', four.most),
  ];
}
