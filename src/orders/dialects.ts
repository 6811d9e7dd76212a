/** The SQL dialect of a database. `'mysql'` is for MariaDB too. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite';

export const dialectNames = ['postgres', 'mysql', 'sqlite'] as const satisfies readonly Dialect[];

/** The parts of the statements that differ between the dialects. */
export interface DialectSyntax {
  /** The clock of the database, in milliseconds since 1970. */
  readonly clock: string;
  readonly types: { readonly id: string; readonly key: string; readonly text: string; readonly time: string };
  /** The last part of an INSERT that does nothing if the row exists. */
  readonly orIgnore: string;
  /** The last part of a SELECT that locks its row, for a transaction of the caller. */
  readonly lock: string;
  /**
   * The condition for the rows after a position, in the order of a column and `order_key`. The condition is written so
   * that the database reads one range of an index. `afterValues` returns the values of the placeholders.
   */
  readonly isAfter: (column: string) => string;
  readonly afterValues: (at: number, key: string) => (string | number)[];
}

const rowComparison = {
  isAfter: (column: string) => `(${column}, order_key) > (?, ?)`,
  afterValues: (at: number, key: string) => [at, key],
};

export const dialects: Readonly<Record<Dialect, DialectSyntax>> = {
  postgres: {
    clock: 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)',
    // Text is sorted by bytes, so that an index stays valid if the locale of the system changes.
    types: { id: 'text COLLATE "C"', key: 'text COLLATE "C"', text: 'text', time: 'bigint' },
    orIgnore: 'ON CONFLICT DO NOTHING',
    lock: ' FOR UPDATE',
    ...rowComparison,
  },
  mysql: {
    // The time is in UTC, because a local time occurs twice when the clocks go back.
    clock: "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000",
    types: {
      // The ID is stored as bytes, because MySQL ignores case and trailing spaces when it compares text.
      id: 'varbinary(720)',
      key: 'varchar(64) CHARACTER SET ascii COLLATE ascii_bin',
      text: 'mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
      time: 'bigint',
    },
    orIgnore: 'ON DUPLICATE KEY UPDATE version = version',
    lock: ' FOR UPDATE',
    // MySQL does not use an index for a comparison of rows.
    isAfter: (column) => `(${column} > ? OR ${column} = ? AND order_key > ?)`,
    afterValues: (at, key) => [at, at, key],
  },
  sqlite: {
    clock: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    types: { id: 'text', key: 'text', text: 'text', time: 'integer' },
    orIgnore: 'ON CONFLICT DO NOTHING',
    // SQLite needs no lock of a row: a transaction that writes locks the whole database.
    lock: '',
    ...rowComparison,
  },
};
