import type { Operation } from '../protocol/endpoints.js';
import type { AnyResultStatus } from '../protocol/result-status.js';
import type { Diagnosis } from './diagnosis.js';
import type { FaultPhase, MockFault } from './faults.js';

/** A file of a request, without its bytes. */
export interface JournalFile {
  /** Name of the form field. */
  readonly field: string;
  readonly name: string;
  /** As declared by the sender. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** One request that reached the mock. Secrets and signatures are not in it; customer data is. */
export interface JournalEntry {
  /** 1 for the first request since the mock was made or reset. */
  readonly id: number;
  readonly at: Date;
  /** Absent for a path that is none of the service's. */
  readonly operation?: Operation;
  readonly method: string;
  readonly path: string;
  /** Those worth showing, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly referenceId?: string;
  readonly idempotencyKey?: string;
  readonly lenderTransactionCode?: string;
  readonly requestId?: string;
  /** The body of a JSON request as text, cut at 16 KiB. */
  readonly body?: string;
  /** The textual fields of a multipart request, each cut at 16 KiB in all. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: readonly JournalFile[];
  /** Size of the body in bytes, once it has been read. */
  readonly bodyBytes?: number;
  readonly resultStatus?: AnyResultStatus;
  readonly resultMsg?: string;
  readonly httpStatus?: number;
  /** True when the answer is the stored one of an earlier request with the same key. */
  readonly replay: boolean;
  /** True when the answer came from `respondWith` or a `trigger:` reference. */
  readonly scripted: boolean;
  readonly fault?: MockFault;
  readonly faultPhase?: FaultPhase;
  /** Why the signature was refused. */
  readonly diagnosis?: Diagnosis;
  /** What went wrong inside the mock, or that the sender went away. */
  readonly error?: string;
  readonly durationMs?: number;
  /** False until the service has decided; a fault that pends does not hold it back. */
  readonly completed: boolean;
}

/** Fields that an entry must have, compared deeply, or a function that says whether it matches. */
export type JournalMatch = PartialDeep<JournalEntry> | ((entry: JournalEntry) => boolean);

type PartialDeep<T> = T extends Date
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: PartialDeep<T[Key]> }
    : T;
