/** The row of an order, without its version. Times are milliseconds since 1970. */
export interface OrderRow {
  /** The key, derived from the orderId: unique, at most 60 ASCII characters, compared byte by byte. */
  readonly key: string;
  /** The ID of the order in your shop, for your staff and your own queries. No function finds a row by this ID. */
  readonly orderId: string;
  /**
   * The ID of this write and a digest of `data`: at most 64 ASCII characters. Later reads use the ID to check that the
   * write took effect, and the digest to check that `data` is as it was written.
   */
  readonly token: string;
  /** The time at which `sweep` has something to do; null if there is nothing to do. */
  readonly dueAt: number | null;
  /** The time since which the order has waited for your staff; null if it does not wait. */
  readonly reviewAt: number | null;
  /** The time at which the row was written. */
  readonly changedAt: number;
  /** The order as JSON text, stored byte for byte. An order with 200 items needs less than 50 kB. */
  readonly data: string;
}

/** A row as it was read. */
export type StoredOrder = Pick<OrderRow, 'token' | 'dueAt' | 'reviewAt' | 'data'> & {
  readonly version: number;
};

/** A position in a list that is ordered by a time and by the key. The next page begins after this position. */
export interface Position {
  /** The time that the list is ordered by. */
  readonly at: number;
  /** The key of the row, compared byte by byte. */
  readonly key: string;
}

/** A row of a list. */
export type ListedOrder = Position & Pick<OrderRow, 'orderId' | 'data'>;

/**
 * A custom storage of orders. A read must see every earlier write, so it must go to the primary database, not to a
 * replica. If a write fails, the row can have changed, or can change a moment later: the order module handles that. The
 * guide to databases links to an example that keeps the rows in memory.
 */
export interface OrderStorage {
  /**
   * Reads the row with this key, and the time of a clock that all machines share. `restores` is the data of the row
   * with the key `*`. If a storage does not return `restores`, the order module reads that row separately.
   */
  read(key: string): Promise<{
    readonly now: number;
    readonly row?: StoredOrder | undefined;
    readonly restores?: string | undefined;
  }>;
  /** Stores a row with version 1, unless a row with its key exists. */
  insert(row: OrderRow): Promise<void>;
  /** Replaces the row with this key and version, and adds 1 to the version. Does nothing if there is no such row. */
  replace(row: OrderRow, version: number): Promise<void>;
  /**
   * Changes only `dueAt` and `reviewAt` of the row with this key and version. The data can be damaged, and must stay as
   * it is.
   */
  postpone(key: string, version: number, dueAt: number, reviewAt: number): Promise<void>;
  /** Lists the rows whose `dueAt` is `now` or earlier, ordered by `dueAt` and key. The list begins after a position. */
  due(now: number, after: Position, limit: number): Promise<Position[]>;
  /** Lists the rows that have a `reviewAt`, ordered by `reviewAt` and key. The list begins after a position. */
  inReview(after: Position, limit: number): Promise<ListedOrder[]>;
  /** Lists all rows, ordered by `changedAt` and key. The list begins after a position. */
  changed(after: Position, limit: number): Promise<ListedOrder[]>;
  /** Returns the earliest `dueAt` and the earliest `reviewAt` of all rows, and the number of rows with a `reviewAt`. */
  health(): Promise<{
    readonly oldestDue: number | null;
    readonly oldestReview: number | null;
    readonly inReview: number;
  }>;
}
