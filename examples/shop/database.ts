/** The orders of the shop, in SQLite. The module `orders` keeps their payments in a separate table. */
import type { CheckedPaymentRequest } from 'installment-payments';
import Database from 'libsql';

const schema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    placedAt INTEGER NOT NULL
  ) STRICT;
`;

/** The payment request of an order. Each of its payments has its own reference. */
export type ShopRequest = Omit<CheckedPaymentRequest, 'referenceId'>;

export interface Order {
  readonly id: string;
  readonly request: ShopRequest;
  readonly placedAt: number;
}

export type ShopDatabase = ReturnType<typeof openDatabase>;

/** @param path - The database file, such as `shop.db`, which several processes can use, or `:memory:`. */
export function openDatabase(path: string) {
  // The time for which a statement waits for another process that writes.
  const database = new Database(path, { timeout: 5_000 });
  database.exec(schema);
  return {
    close: () => database.close(),
    exec: (sql: string) => database.exec(sql),

    /** Runs one statement for the module `orders`. */
    query: (sql: string, values: readonly (string | number | null)[]): Promise<unknown> => {
      const statement = database.prepare(sql);
      return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
    },

    /** Stores an order. The same ID again, as after a double click, changes nothing. */
    place({ id, request, placedAt }: Order): void {
      const sql = 'INSERT INTO orders (id, request, placedAt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
      database.prepare(sql).run([id, JSON.stringify(request), placedAt]);
    },

    order(id: string): Order | undefined {
      const row = database.prepare('SELECT * FROM orders WHERE id = ?').get([id]) as
        | { id: string; request: string; placedAt: number }
        | undefined;
      return row && { ...row, request: JSON.parse(row.request) as ShopRequest };
    },
  };
}
