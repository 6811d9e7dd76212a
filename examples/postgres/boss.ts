/**
 * The one place that knows pg-boss. Version 10 runs on Node 20 and has its class as a default export, newer ones need Node
 * 22.12 and export it by name; the part that is used here is the same.
 */
import type { PoolClient } from 'pg';

interface PgBoss {
  on(event: 'error', listener: (error: Error) => void): unknown;
  start(): Promise<unknown>;
  stop(options?: { graceful?: boolean; wait?: boolean }): Promise<unknown>;
  createQueue(name: string): Promise<unknown>;
  send(name: string, data: object, options: object): Promise<unknown>;
  work(
    name: string,
    options: { pollingIntervalSeconds: number; batchSize: number },
    handler: (jobs: readonly { readonly data: { readonly id: string } }[]) => Promise<unknown>,
  ): Promise<unknown>;
}

type PgBossClass = new (options: { connectionString: string }) => PgBoss;

const queueName = 'payments';

export interface Boss {
  /** Queues a job, in the transaction of `client` if there is one; in `seconds` at the earliest. */
  enqueue(id: string, options?: { readonly client?: PoolClient; readonly seconds?: number }): Promise<void>;
  /** Takes jobs, some at a time, until `stop`. */
  work(run: (id: string) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startBoss(connectionString: string): Promise<Boss> {
  const name = 'pg-boss' as string;
  const module = (await import(name)) as { readonly PgBoss?: PgBossClass; readonly default?: PgBossClass };
  const Class = module.PgBoss ?? module.default;
  if (!Class) throw new Error('this version of pg-boss is not known');
  const boss = new Class({ connectionString });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue(queueName);
  return {
    async enqueue(id, { client, seconds = 0 } = {}) {
      const db = client && { executeSql: (sql: string, values: unknown[]) => client.query(sql, values) };
      // The row is claimed by one run at a time, so a job that is queued twice is sent once.
      await boss.send(
        queueName,
        { id },
        { startAfter: Math.ceil(seconds), retryLimit: 2, ...(db && { db }) },
      );
    },
    async work(run) {
      const options = { pollingIntervalSeconds: 0.5, batchSize: 5 };
      await boss.work(queueName, options, (jobs) => Promise.all(jobs.map(({ data }) => run(data.id))));
    },
    async stop() {
      await boss.stop({ graceful: true, wait: true });
    },
  };
}
