/** Estimates the number of bytes that plain data needs in memory. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 16 + Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value).reduce((sum: number, each) => sum + 8 + bytesOf(each), 32);
}

/** The default of the option `keptBytesLimit`. */
export const defaultKeptBytes = 64 * 1024 * 1024;

interface Kept {
  bytes: number;
  readonly drop: () => void;
}

/** The memory that all records of a mock share. The oldest records are dropped first, whatever their kind. */
export class KeptBytes {
  /** The records, oldest first. */
  readonly #records = new Map<object, Kept>();
  #total = 0;

  constructor(private readonly limit = defaultKeptBytes) {}

  /** Counts a record, and drops the oldest records while the total is above the limit. The new record is kept. */
  keep(record: object, bytes: number, drop: () => void): void {
    this.#records.set(record, { bytes, drop });
    this.#total += bytes;
    this.#makeRoom();
  }

  /** Counts more bytes of a record. */
  grow(record: object, bytes: number): void {
    const kept = this.#records.get(record);
    if (!kept) return;
    kept.bytes += bytes;
    this.#total += bytes;
    this.#makeRoom();
  }

  /** Stops counting a record that is dropped. */
  release(record: object): void {
    this.#total -= this.#records.get(record)?.bytes ?? 0;
    this.#records.delete(record);
  }

  reset(): void {
    this.#records.clear();
    this.#total = 0;
  }

  #makeRoom(): void {
    for (const [record, { drop }] of this.#records) {
      if (this.#total <= this.limit || this.#records.size === 1) return;
      this.release(record);
      drop();
    }
  }
}
