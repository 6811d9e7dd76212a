/** An order's row, without its version. Times are milliseconds since 1970. */
export interface OrderRow {
  /** Made of the orderId; 60 characters of ASCII at most. It is unique, and compared byte by byte. */
  readonly key: string;
  /** The shop's own ID, for people and joins. No function looks a row up by it. */
  readonly orderId: string;
  /** Identifies this write and its `data`; 64 characters of ASCII at most. A read tells by it whether the write took effect. */
  readonly token: string;
  /** When `sweep` has something to do; null if it has not. */
  readonly dueAt: number | null;
  /** Since when the order waits for your staff; null if it does not. */
  readonly reviewAt: number | null;
  /** When the row was written. */
  readonly changedAt: number;
  /** JSON text, kept byte for byte. An order of 200 items has less than 50 kB. */
  readonly data: string;
}

/** A row as it was read. */
export type StoredOrder = Pick<OrderRow, 'token' | 'dueAt' | 'reviewAt' | 'data'> & {
  readonly version: number;
};

/** A place in a list that is ordered by a time and by key: the next page begins behind it. */
export interface Position {
  /** The time that the list is ordered by. */
  readonly at: number;
  /** The key of the row, compared byte by byte. */
  readonly key: string;
}

/** A row of a list. */
export type ListedOrder = Position & Pick<OrderRow, 'orderId' | 'data'>;

/**
 * The functions with which orders are kept. Reads see every write that was made before them, so they go to the primary. A write
 * that fails may have taken effect, or take effect a moment later. The guide of orders has a storage in memory as an example.
 */
export interface OrderStorage {
  /**
   * The row with this key, and the time by the clock that all machines share. `restores` is the data of the row with the key `*`: a
   * storage that reads it with the same statement spares a second one.
   */
  read(key: string): Promise<{
    readonly now: number;
    readonly row?: StoredOrder | undefined;
    readonly restores?: string | undefined;
  }>;
  /** Stores a row with version 1, unless there is one with its key. */
  insert(row: OrderRow): Promise<void>;
  /** Replaces the row with this key and version, and makes its version one higher. Does nothing if there is no such row. */
  replace(row: OrderRow, version: number): Promise<void>;
  /** Changes these two times of the row with this key and version, and nothing else of it: its data may be damaged. */
  postpone(key: string, version: number, dueAt: number, reviewAt: number): Promise<void>;
  /** Rows whose `dueAt` is `now` or earlier, ordered by `dueAt` and key, behind `after`. */
  due(now: number, after: Position, limit: number): Promise<Position[]>;
  /** Rows that wait for your staff, ordered by `reviewAt` and key, behind `after`. */
  inReview(after: Position, limit: number): Promise<ListedOrder[]>;
  /** Rows ordered by `changedAt` and key, behind `after`. */
  changed(after: Position, limit: number): Promise<ListedOrder[]>;
  /** The earliest `dueAt` and `reviewAt` of all rows, and how many rows wait for your staff. */
  health(): Promise<{
    readonly oldestDue: number | null;
    readonly oldestReview: number | null;
    readonly inReview: number;
  }>;
}
