import type { Operation } from '../../protocol/endpoints.js';
import type { AnyResultStatus } from '../../protocol/result-status.js';
import type { Diagnosis } from '../diagnosis/types.js';
import type { FaultPhase, MockFault } from '../controls/faults.js';

/** A file of a request, without its bytes. */
export interface JournalFile {
  /** Name of the form field. */
  readonly field: string;
  /** Name of the file, as declared by the sender. */
  readonly name: string;
  /** As declared by the sender. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** One request that reached the mock. Secrets are not in it, and signatures only in the diagnosis of one
 * that was refused; customer data is. */
export interface JournalEntry {
  /** 1 for the first request since the mock was made or reset. */
  readonly id: number;
  /** When it arrived, by the mock's clock. */
  readonly at: Date;
  /** Absent for a path that is none of the service's. */
  readonly operation?: Operation;
  /** HTTP method. */
  readonly method: string;
  /** Path of the URL. */
  readonly path: string;
  /** Those worth showing, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** As the request had it. */
  readonly referenceId?: string;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey?: string;
  /** As the notification of a receipt had it. */
  readonly lenderTransactionCode?: string;
  /** As the notification had it. */
  readonly requestId?: string;
  /** The body of a JSON request as text, cut at 16 KiB. */
  readonly body?: string;
  /** The textual fields of a multipart request, each cut at 16 KiB in all. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The files of a multipart request. */
  readonly files?: readonly JournalFile[];
  /** Size of the body in bytes, once it has been read. */
  readonly bodyBytes?: number;
  /** The status that it was answered with. */
  readonly resultStatus?: AnyResultStatus;
  /** The text that it was answered with. */
  readonly resultMsg?: string;
  /** HTTP status of the answer; absent where none was given. */
  readonly httpStatus?: number;
  /** True when the answer is the stored one of an earlier request with the same key. */
  readonly replay: boolean;
  /** True when the answer came from `respondWith` or a `trigger:` reference. */
  readonly scripted: boolean;
  /** What went wrong on the way, as injected. */
  readonly fault?: MockFault;
  /** Whether that was before or after the service acted. */
  readonly faultPhase?: FaultPhase;
  /** Why the signature was refused. */
  readonly diagnosis?: Diagnosis;
  /** What went wrong inside the mock, or that the sender went away. */
  readonly error?: string;
  /** Milliseconds until it was answered. */
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
