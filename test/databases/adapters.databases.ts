import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { inspect, promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Dialect } from '../../src/orders/dialects.js';
import type { Query } from '../../src/orders/sql-storage.js';
import { createOrderPayments, type OrderError } from '../../src/entries/orders.js';
import { snippetsOf } from '../helpers/snippets.js';
import { servePayments } from './payment-service.js';
import { clientOf, eventOf, orderRequest } from '../orders/support.js';

interface Connection {
  readonly db: unknown;
  readonly transaction: <T>(work: (tx: unknown) => Promise<T>) => Promise<T>;
  readonly close: () => unknown;
}

/** Texts of a customer that no error may show. */
const canaries = ['0987654321', 'chim@yen.example', 'Chim', 'Yến', 'Ngõ Chim Yến', '0312345678'];
const canaryRequest = {
  ...orderRequest(),
  customer: { phoneNumber: '0987654321', email: 'chim@yen.example', firstName: 'Chim', lastName: 'Yến' },
  shipping: { ...orderRequest().shipping, street: 'Ngõ Chim Yến' },
  description: 'MST 0312345678',
};

const folder = 'test/databases/adapters';
const guide = await readFile('docs/databases.md', 'utf8');
const adapters = snippetsOf(
  guide.slice(guide.indexOf('## Adapters'), guide.indexOf('## One transaction')),
  'docs/databases.md',
).map(({ code }) => ({
  code,
  driver: /from '([^']+)';\n\nexport/.exec(code)?.[1]?.replace('/node-postgres', '') ?? '',
}));
const names = [
  'pg',
  'postgres',
  'mysql2/promise',
  'better-sqlite3',
  '@prisma/client',
  'drizzle-orm',
  'knex',
  'typeorm',
];

let service: Awaited<ReturnType<typeof servePayments>>;
beforeAll(async () => {
  service = await servePayments();
  const run = promisify(execFile);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  if (!existsSync(`${folder}/node_modules`))
    await run(npm, ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts']);
  if (!existsSync(`${folder}/node_modules/.prisma/client/schema.prisma`)) {
    // Its client needs no engine, and the generator would download one for migrations unless it is given.
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
    const generate = ['node_modules/prisma/build/index.js', 'generate', '--schema', 'schema.prisma'];
    await run(process.execPath, generate, { cwd: folder, env });
  }
}, 400_000);
afterAll(() => service[Symbol.asyncDispose]());

test('the guide has an adapter for each driver', () => {
  expect(adapters.map(({ driver }) => driver)).toEqual(names);
});

describe.each(adapters)('the adapter for $driver', ({ driver, code }) => {
  const dialect: Dialect =
    driver === 'mysql2/promise' ? 'mysql' : driver === 'better-sqlite3' ? 'sqlite' : 'postgres';
  let connection: Connection;
  let queryOf: (db: unknown) => Query;

  beforeAll(async () => {
    const { code: script } = await transform(code, { loader: 'ts', target: 'node20', format: 'esm' });
    const file = resolve(folder, `.adapter-${String(names.indexOf(driver))}.mjs`);
    await writeFile(file, script);
    ({ queryOf } = (await import(/* @vite-ignore */ file)) as { queryOf: typeof queryOf });
    await rm(file);
    const module = resolve(folder, 'connections.mjs');
    const { connections } = (await import(/* @vite-ignore */ module)) as {
      connections: Record<string, (url: string) => Connection | Promise<Connection>>;
    };
    const open = connections[driver];
    if (!open) throw new Error(`connections.mjs has no ${driver}`);
    connection = await open(inject(dialect === 'mysql' ? 'mysqlUrl' : 'postgresUrl'));
  });
  afterAll(() => connection.close());

  test('runs an order from the click to a shipment, in transactions that are committed and rolled back', async () => {
    const query = queryOf(connection.db);
    const table = `adapter_${String(names.indexOf(driver))}`;
    const payments = createOrderPayments({
      onPaid: 'firstPaid',
      client: clientOf(service.url),
      dialect,
      query,
      table,
    });
    for (let count = 0; count < 2; count += 1)
      for (const statement of payments.schema) await query(statement, []);
    const orderId = `Đơn ${driver} 🧾`;

    const failing = connection.transaction(async (tx) => {
      await payments.add(orderId, orderRequest(), { query: queryOf(tx) });
      throw new Error('no stock');
    });
    await expect(failing).rejects.toThrow('no stock');
    expect(await payments.get(orderId)).toEqual({ orderId, state: 'none' });

    await connection.transaction((tx) => payments.add(orderId, orderRequest(), { query: queryOf(tx) }));
    const { state, referenceId = '' } = await payments.start(orderId);
    expect(state).toBe('started');
    const deliver = () =>
      connection.transaction((tx) => payments.handleEvent(eventOf(referenceId), { query: queryOf(tx) }));
    expect(await deliver()).toMatchObject({ state: 'paid', firstPaid: true });
    expect(await deliver()).toMatchObject({ state: 'paid', firstPaid: false });
    await payments.start('to look up', orderRequest());
    await payments.handleEvent(eventOf((await payments.get('to look up')).referenceId ?? '', 'paid', 1));
    expect(await payments.forReview()).toMatchObject([{ orderId: 'to look up', reason: 'mismatch' }]);
    expect(await payments.list({ changedSince: new Date(0) })).toHaveLength(2);
    expect(await payments.sweep()).toEqual({ processed: 0, failed: 0 });
  });

  test('rejects without the customer in its error, whatever the driver puts into its own', async () => {
    const query = queryOf(connection.db);
    const table = `refusing_${String(names.indexOf(driver))}`;
    const payments = createOrderPayments({
      client: clientOf(service.url),
      dialect,
      query,
      table,
      onPaid: 'firstPaid',
    });
    for (const statement of payments.schema) await query(statement, []);
    await query(`ALTER TABLE ${table} RENAME COLUMN changed_at TO changed`, []);
    const error = await payments.add('A-1', canaryRequest).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'OrderError', code: 'STORAGE', driver: {} });
    const shown = [
      inspect(error, { depth: Infinity, showHidden: true }),
      JSON.stringify(error),
      String(error),
      String((error as Error).stack),
    ].join('\n');
    for (const canary of canaries) expect(shown).not.toContain(canary);
    const { driver: facts, message } = error as OrderError;
    expect(Object.keys(facts ?? {}).length).toBeGreaterThan(1);
    expect(message).toMatch(/^the database refused a statement or could not be reached \(\w+ \w+/);
    expect((error as OrderError).driverError()).toBeInstanceOf(Error);
  });
});
