/** The SQL dialect of a database. `'mysql'` is for MariaDB too. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite';

export const dialectNames = ['postgres', 'mysql', 'sqlite'] as const satisfies readonly Dialect[];

/** The parts of the statements that differ between the dialects. */
export interface DialectWords {
  /** The clock of the database, in milliseconds since 1970. */
  readonly clock: string;
  readonly types: { readonly id: string; readonly key: string; readonly text: string; readonly time: string };
  /** The end of an INSERT that does nothing if the row is there. */
  readonly orIgnore: string;
  /** The end of a SELECT in the caller's transaction. */
  readonly lock: string;
  /**
   * The condition for the rows behind a position, in the order of a column and `order_key`. Its form lets the dialect
   * read one range of an index. `behindValues` returns the values of its placeholders.
   */
  readonly behind: (column: string) => string;
  readonly behindValues: (at: number, key: string) => (string | number)[];
}

const asRow = {
  behind: (column: string) => `(${column}, order_key) > (?, ?)`,
  behindValues: (at: number, key: string) => [at, key],
};

export const dialects: Readonly<Record<Dialect, DialectWords>> = {
  postgres: {
    clock: 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)',
    // Sorted by bytes, so that an index still works after the locale of the system has changed.
    types: { id: 'text COLLATE "C"', key: 'text COLLATE "C"', text: 'text', time: 'bigint' },
    orIgnore: 'ON CONFLICT DO NOTHING',
    lock: ' FOR UPDATE',
    ...asRow,
  },
  mysql: {
    // UTC, because a local time occurs twice when the clocks go back.
    clock: "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000",
    types: {
      // Bytes, because MySQL compares text without case and trailing spaces.
      id: 'varbinary(720)',
      key: 'varchar(64) CHARACTER SET ascii COLLATE ascii_bin',
      text: 'mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
      time: 'bigint',
    },
    orIgnore: 'ON DUPLICATE KEY UPDATE version = version',
    lock: ' FOR UPDATE',
    // MySQL does not read a range of an index to compare rows.
    behind: (column) => `(${column} > ? OR ${column} = ? AND order_key > ?)`,
    behindValues: (at, key) => [at, at, key],
  },
  sqlite: {
    clock: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    types: { id: 'text', key: 'text', text: 'text', time: 'integer' },
    orIgnore: 'ON CONFLICT DO NOTHING',
    // A transaction that writes locks the whole database.
    lock: '',
    ...asRow,
  },
};
