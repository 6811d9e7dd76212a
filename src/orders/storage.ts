/** An order's row, without its version. Times are milliseconds since 1970. */
export interface OrderRow {
  /** The key, derived from the orderId: unique, at most 60 ASCII characters, compared byte by byte. */
  readonly key: string;
  /** The shop's own ID, for people and joins. No function finds a row by it. */
  readonly orderId: string;
  /**
   * Identifies this write and its `data`, at most 64 ASCII characters. A read compares it to see whether the write took
   * effect.
   */
  readonly token: string;
  /** The time at which `sweep` has something to do; null if there is nothing to do. */
  readonly dueAt: number | null;
  /** The time since which the order has waited for your staff; null if it does not wait. */
  readonly reviewAt: number | null;
  /** The time at which the row was written. */
  readonly changedAt: number;
  /** JSON text, stored byte for byte. An order of 200 items needs less than 50 kB. */
  readonly data: string;
}

/** A row as it was read. */
export type StoredOrder = Pick<OrderRow, 'token' | 'dueAt' | 'reviewAt' | 'data'> & {
  readonly version: number;
};

/** A position in a list that is ordered by a time and by key. The next page begins after it. */
export interface Position {
  /** The time that the list is ordered by. */
  readonly at: number;
  /** The key of the row, compared byte by byte. */
  readonly key: string;
}

/** A row of a list. */
export type ListedOrder = Position & Pick<OrderRow, 'orderId' | 'data'>;

/**
 * A storage of orders. A read must see every earlier write, so it goes to the primary database. A write that fails can
 * have taken effect, or can take effect a moment later. The guide to databases links to an example in memory.
 */
export interface OrderStorage {
  /**
   * Reads the row with this key, and the time by a clock that all machines share. `restores` is the data of the row
   * with the key `*`: a storage that reads it in the same statement saves a second read.
   */
  read(key: string): Promise<{
    readonly now: number;
    readonly row?: StoredOrder | undefined;
    readonly restores?: string | undefined;
  }>;
  /** Stores a row with version 1, unless a row with its key exists. */
  insert(row: OrderRow): Promise<void>;
  /** Replaces the row with this key and version, and adds 1 to its version. Does nothing if there is no such row. */
  replace(row: OrderRow, version: number): Promise<void>;
  /** Changes only these two times of the row with this key and version, because its data can be damaged. */
  postpone(key: string, version: number, dueAt: number, reviewAt: number): Promise<void>;
  /** Lists rows whose `dueAt` is `now` or earlier, ordered by `dueAt` and key, from after the position. */
  due(now: number, after: Position, limit: number): Promise<Position[]>;
  /** Lists rows that wait for your staff, ordered by `reviewAt` and key, from after the position. */
  inReview(after: Position, limit: number): Promise<ListedOrder[]>;
  /** Lists rows ordered by `changedAt` and key, from after the position. */
  changed(after: Position, limit: number): Promise<ListedOrder[]>;
  /** Returns the earliest `dueAt` and `reviewAt` of all rows, and the number of rows that wait for your staff. */
  health(): Promise<{
    readonly oldestDue: number | null;
    readonly oldestReview: number | null;
    readonly inReview: number;
  }>;
}
