import { once } from 'node:events';
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { connect, dialects, type Connected } from './connect.js';
import { servePayments } from './payment-service.js';
import { clientOf, eventOf, orderRequest, paymentsOver } from '../orders/support.js';

type Server = 'postgres' | 'mysql';

/** True for bytes of a client that are a statement: a Parse or Query message, or COM_QUERY. */
const isStatement: Readonly<Record<Server, (bytes: Buffer) => boolean>> = {
  postgres: (bytes) => bytes[0] === 0x50 || bytes[0] === 0x51,
  mysql: (bytes) => bytes[3] === 0 && bytes[4] === 0x03,
};

/** A proxy before a database, which loses the answer of one statement and cuts its connection. */
async function losingProxy(server: Server, url: string) {
  const { hostname, port } = new URL(url);
  let left = Infinity;
  let count = 0;
  const proxy = createServer((client) => {
    const database = connectSocket(Number(port), hostname);
    let isLosing = false;
    client.on('data', (bytes) => {
      if (isStatement[server](bytes)) {
        count += 1;
        left -= 1;
        isLosing = left === 0;
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      // The statement has run: this is its answer.
      if (isLosing) client.destroy();
      else client.write(bytes);
    });
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const)
      socket.on('error', () => undefined).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = new URL(url);
  address.port = String((proxy.address() as AddressInfo).port);
  return {
    url: address.href,
    /** Loses the answer of the n-th statement from now on. */
    loseAfter: (statements: number) => {
      left = statements;
      count = 0;
    },
    /** How many statements there were since then. */
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

const service = await servePayments();
afterAll(() => service[Symbol.asyncDispose]());

const servers = dialects.filter((dialect): dialect is Server => dialect !== 'sqlite');

describe.each(servers)('a connection to %s that is cut', (server) => {
  const direct = connect(server, inject(server === 'postgres' ? 'postgresUrl' : 'mysqlUrl'));
  afterAll(() => direct[Symbol.asyncDispose]());

  /**
   * An order from the click to a shipment in the transaction of its notification, which is delivered until it succeeds.
   */
  async function life(database: Connected, orderId: string, table: string) {
    const client = clientOf(service.url);
    const payments = await paymentsOver(database, { client, table, onPaid: () => undefined });
    const view = await payments.start(orderId, orderRequest());
    const deliver = () =>
      database.transaction(async (query) => {
        const { firstPaid } = await payments.handleEvent(eventOf(`${orderId}-1`), { query });
        if (firstPaid) await query(`INSERT INTO lost_shipments (order_id) VALUES ('${orderId}')`, []);
      });
    let deliveries = 1;
    // As the service does: until it succeeds.
    while (
      !(await deliver().then(
        () => true,
        () => false,
      )) &&
      deliveries < 5
    )
      deliveries += 1;
    await payments.sweep();
    return { view, deliveries, payments };
  }

  test('after any statement, COMMIT among them, loses nothing and does nothing twice', async () => {
    await using proxy = await losingProxy(server, inject(server === 'postgres' ? 'postgresUrl' : 'mysqlUrl'));
    await using database = connect(server, proxy.url);
    const table = 'orders_lost';
    await direct.query('CREATE TABLE lost_shipments (order_id varchar(200) NOT NULL)', []);
    await life(direct, 'whole', table);
    const schemaStatements = (await paymentsOver(direct, { client: clientOf(service.url), table })).schema
      .length;

    proxy.loseAfter(Infinity);
    await life(database, 'counted', table);
    const statements = proxy.count();
    expect(statements).toBeGreaterThan(12);
    let repeated = 0;
    for (let cut = schemaStatements + 1; cut <= statements; cut += 1) {
      const orderId = `cut-${server}-${String(cut)}`;
      proxy.loseAfter(cut);
      const { view, deliveries } = await life(database, orderId, table);
      if (deliveries > 1) repeated += 1;
      expect(view).toMatchObject({ state: 'started', paymentUrl: `https://pay.example/${orderId}-1` });
      expect(service.arrived.filter((reference) => reference === `${orderId}-1`)).toHaveLength(1);
      expect(
        await direct.query(`SELECT order_id FROM lost_shipments WHERE order_id = '${orderId}'`, []),
      ).toHaveLength(1);
    }
    expect(repeated).toBeGreaterThan(4);
    expect(service.violations).toEqual([]);
    console.log(
      `${server}: the answers of ${String(statements - schemaStatements)} statements were lost, one at a time`,
    );
  });
});
