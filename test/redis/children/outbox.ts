/**
 * One process of a shop with an outbox, which ends itself at a boundary: `KILL_AT=add:before KILL_COUNT=3` dies right
 * before the third job is added. A shop places the orders from `FROM` to `TO`, and writes the number of each.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Pool } from 'pg';
import { orderProcessor } from '../../../examples/outbox/process-order.js';
import { placeOrder } from '../../../examples/outbox/place-order.js';
import { sweep } from '../../../examples/outbox/sweep.js';
import { createProcessor, workerOptions } from '../../../src/bullmq/index.js';
import type { ProcessedJob } from '../../../src/bullmq/job-store.js';
import { InstallmentClient } from '../../../src/index.js';
import { demo, paymentRequest } from '../../helpers/samples.js';

const { ROLE, DATABASE_URL, REDIS_PORT, SERVICE_URL, KILL_AT, KILL_COUNT, FROM, TO } = process.env;

let left = Number(KILL_COUNT);
function at(boundary: string): void {
  if (boundary === KILL_AT && (left -= 1) <= 0) process.kill(process.pid, 'SIGKILL');
}

async function around<T>(name: string, work: () => Promise<T>): Promise<T> {
  at(`${name}:before`);
  const result = await work();
  at(`${name}:after`);
  return result;
}

/** Replaces a method by itself with a boundary on either side. */
function bounded<T extends object>(
  target: T,
  method: keyof T & string,
  nameOf: (...args: never[]) => string,
): void {
  const original = target[method] as (...args: unknown[]) => Promise<unknown>;
  Object.assign(target, {
    [method]: (...args: unknown[]) =>
      around(nameOf(...(args as never[])), () => original.apply(target, args)),
  });
}

const database = new Pool({ connectionString: DATABASE_URL, max: 5 });
bounded(database, 'query', (sql: string) => sql.trim().split(' ')[0]?.toLowerCase() ?? '');
const connection = { host: '127.0.0.1', port: Number(REDIS_PORT) };
const queue = new Queue('orders', { connection });
queue.on('error', () => undefined);
bounded(queue, 'add', () => 'add');

async function shop(): Promise<void> {
  for (let number = Number(FROM); number <= Number(TO); number += 1) {
    await placeOrder(database, queue, paymentRequest({ referenceId: `ORDER-${String(number)}` }));
    process.stdout.write(`${String(number)}\n`);
  }
  process.exit();
}

function worker(): void {
  const client = new InstallmentClient({
    ...demo,
    baseUrl: SERVICE_URL,
    hooks: {
      beforeSend: () => {
        at('request:before');
        // While it is on its way, or at the service.
        setTimeout(() => {
          at('request:under way');
        }, 2);
      },
      onAttempt: () => {
        at('request:after');
      },
    },
  });
  const send = orderProcessor(database, createProcessor({ client }));
  const processor = async (job: ProcessedJob, token?: string, signal?: AbortSignal) => {
    bounded(job, 'updateProgress', ({ outcome }: { outcome: string }) =>
      outcome === 'unknown' ? 'marker' : 'answer',
    );
    bounded(job, 'extendLock', () => 'lock');
    const result = await send(job, token, signal);
    at('end:before');
    return result;
  };
  const options = { concurrency: 10, lockDuration: 1_000, stalledInterval: 250 };
  const running = new Worker('orders', processor, { connection, ...workerOptions, ...options });
  running.on('error', () => undefined);
  running.on('completed', () => {
    at('end:after');
  });
}

async function sweeper(): Promise<void> {
  for (;;) {
    await sweep(database, queue, 1_000).catch(() => undefined);
    await wait(200);
  }
}

const roles: Readonly<Record<string, () => unknown>> = { shop, worker, sweeper };
void roles[ROLE ?? '']?.();
