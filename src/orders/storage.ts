/** An order's row, without its version. Times are milliseconds since 1970. */
export interface OrderRow {
  /** Made of the orderId; 60 characters of ASCII at most. It is unique, and compared byte by byte. */
  readonly key: string;
  /** For people and joins. No function looks a row up by it. */
  readonly orderId: string;
  /** Of this write: a read tells by it whether the write took effect. */
  readonly token: string;
  /** When `sweep` has something to do; null where it has not. */
  readonly dueAt: number | null;
  /** Since when it waits for a person; null where it does not. */
  readonly reviewAt: number | null;
  /** When it was written. */
  readonly changedAt: number;
  /** JSON text, kept byte for byte. An order of 200 items has less than 50 kB. */
  readonly data: string;
}

/** A row as it was read. */
export type StoredOrder = Pick<OrderRow, 'token' | 'dueAt' | 'data'> & { readonly version: number };

/** A place in a list: the next page begins behind it. */
export interface Position {
  /** The time that the list is ordered by. */
  readonly at: number;
  /** Of the row. */
  readonly key: string;
}

/**
 * Where orders are kept: six functions. Reads see every write that was made before them, so they go to the primary. A write
 * that fails may have taken effect, or take effect a moment later. The guide of orders has one in memory.
 */
export interface OrderStorage {
  /** The row with this key, and the time by the clock that all machines share. */
  read(key: string): Promise<{ readonly now: number; readonly row?: StoredOrder | undefined }>;
  /** Stores a row with version 1, unless there is one with its key. */
  insert(row: OrderRow): Promise<void>;
  /** Replaces the row with this key and version, and makes its version one higher. Nothing where there is no such row. */
  replace(row: OrderRow, version: number): Promise<void>;
  /** The keys of rows whose `dueAt` is `now` or earlier, the earliest first. */
  due(now: number, limit: number): Promise<string[]>;
  /** Rows that wait for a person, ordered by `reviewAt` and key, behind `after`. */
  inReview(after: Position, limit: number): Promise<(Position & Pick<OrderRow, 'data'>)[]>;
  /** Rows ordered by `changedAt` and key, behind `after`. */
  changed(after: Position, limit: number): Promise<(Position & Pick<OrderRow, 'data'>)[]>;
}
