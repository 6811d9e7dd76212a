import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { InstallmentClient } from '../../src/entries/index.js';
import { createOrderPayments, type OrderPayments } from '../../src/entries/orders.js';
import { approved, merchant } from './order.js';

/** The work of a process since the last call. */
export interface Work {
  readonly statements: number;
  readonly calls: number;
}

/** A process of a shop, with its PostgreSQL. */
export interface Shop {
  readonly payments: OrderPayments;
  readonly pool: pg.Pool;
  readonly take: () => Work;
}

/** Creates payments with a PostgreSQL, and a service that responds at once, or after this time. */
export function shopOver(url: string, responseMs = 0): Shop {
  const pool = new pg.Pool({ connectionString: url, max: 40 });
  // The server ends a moment before its last connections.
  pool.on('error', () => undefined);
  let [statements, calls] = [0, 0];
  const respond = async (...request: ConstructorParameters<typeof Request>) => {
    calls += 1;
    if (responseMs > 0) await pause(responseMs);
    const { referenceId } = (await new Request(...request).json()) as { referenceId: string };
    const body = JSON.stringify({ ...(JSON.parse(approved) as object), referenceId });
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  };
  const payments = createOrderPayments({
    onPaid: 'firstPaid',
    client: new InstallmentClient({ ...merchant, baseUrl: 'https://pay.example', fetch: respond }),
    dialect: 'postgres',
    query: async (sql, values) => {
      statements += 1;
      return (await pool.query<Record<string, unknown>>(sql, values)).rows;
    },
  });
  const take = () => {
    const taken = { statements, calls };
    [statements, calls] = [0, 0];
    return taken;
  };
  return { payments, pool, take };
}
