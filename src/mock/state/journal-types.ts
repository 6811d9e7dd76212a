import type { Operation } from '../../protocol/endpoints.js';
import type { AnyResultStatus } from '../../protocol/result-statuses.js';
import type { Diagnosis } from './diagnosis.js';
import type { FaultPhase, MockFault } from '../common/faults.js';

/** A file of a request, without its bytes. */
export interface JournalFile {
  /** The name of the form field. */
  readonly field: string;
  /** The name of the file, as declared by the sender. */
  readonly name: string;
  /** The media type of the file, as declared by the sender. */
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
  /** The SHA-256 digest in lower-case hex. */
  readonly sha256: string;
}

/** A response in the journal. */
export interface JournalResponse {
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, cut at 16 KiB. */
  readonly body: string;
  /** The size of the body in bytes. */
  readonly bodyBytes: number;
}

/**
 * A request that reached the mock. An entry contains customer data but no secret, and a signature only in the diagnosis
 * of a refused signature.
 */
export interface JournalEntry {
  /** The number of the request since the mock was created or reset; the first is 1. */
  readonly id: number;
  /** The time of arrival, by the mock's clock. */
  readonly at: Date;
  /** The operation; absent for a custom operation and for an unknown path. */
  readonly operation?: Operation;
  /** True for a request to a custom operation, which a test has registered with `handle`. */
  readonly own?: true;
  /** The HTTP method. */
  readonly method: string;
  /** The path of the URL, without the query. */
  readonly path: string;
  /** The headers that the journal keeps (an allow-list), with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `merchantId`, as sent by a merchant. */
  readonly merchantId?: string;
  /** The `referenceId`, as sent by a merchant. */
  readonly referenceId?: string;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey?: string;
  /** The `lenderTransactionCode`, as sent with a receipt. */
  readonly lenderTransactionCode?: string;
  /** The `requestId`, as sent by a lender. */
  readonly requestId?: string;
  /** The contract of a lender's notification. */
  readonly contractNumber?: string;
  /** The status of a receipt, as sent. */
  readonly receivedStatus?: string;
  /** The amount in VND, as sent: of a payment, of a receipt, or the sum of an allocation. */
  readonly amount?: number;
  /** The body of a JSON request as text, cut at 16 KiB. */
  readonly body?: string;
  /** The SHA-256 digest of the whole body in lower-case hex, if `body` is cut. */
  readonly bodySha256?: string;
  /** The text fields of a multipart request, cut at 16 KiB together. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The files of a multipart request. */
  readonly files?: readonly JournalFile[];
  /**
   * The fields of a merchant's request that the mock does not support, such as `items[].sku`, at most 20. The mock
   * accepts them.
   */
  readonly unknownFields?: readonly string[];
  /** A sentence for each odd value of a request that the mock accepts, although a merchant rarely intends it. */
  readonly warnings?: readonly string[];
  /** The size of the body in bytes, once it has been read. */
  readonly bodyBytes?: number;
  /** The resultStatus of the response. */
  readonly resultStatus?: AnyResultStatus;
  /** The resultMsg of the response. */
  readonly resultMsg?: string;
  /** The HTTP status of the response; absent if a fault came before the service acted. */
  readonly httpStatus?: number;
  /**
   * The response of the service. If `faultPhase` is `'after'`, the sender did not receive it, or received only a
   * part.
   */
  readonly response?: JournalResponse;
  /** True if the service created a payment, stored an invoice or recorded a notification because of this request. */
  readonly acted: boolean;
  /**
   * What happened to the response. `'sent'`: it was sent whole, although the connection might have closed meanwhile.
   * `'lost'`: a fault lost all or part of it. `'abandoned'`: the sender had closed the connection before the response.
   * Absent until the response is due.
   */
  readonly answer?: 'sent' | 'lost' | 'abandoned';
  /** True if the response is the stored response of an earlier request with the same key. */
  readonly replay: boolean;
  /** True if the response came from `respondWith` or a `trigger:` reference. */
  readonly scripted: boolean;
  /** The fault of the request: an injected fault, or a fault of the scenario's network. */
  readonly fault?: MockFault;
  /** Whether the fault came before or after the service acted. */
  readonly faultPhase?: FaultPhase;
  /** True if the signature was refused. `diagnosis` explains why. */
  readonly hasDiagnosis?: true;
  /**
   * Why the signature was refused. The explanation is computed when the property is read for the first time, which
   * takes up to about 0.1 s. The property is not enumerable, so JSON, spread, `structuredClone` and inspection of an
   * entry leave the property out.
   */
  readonly diagnosis?: Diagnosis;
  /** A failure inside the mock, or the note that the sender closed the connection. */
  readonly error?: string;
  /** The time when the service had decided, by the mock's clock. */
  readonly completedAt?: Date;
  /** The milliseconds until the response. */
  readonly durationMs?: number;
  /** True once the service has decided, even if a fault keeps the connection open. */
  readonly completed: boolean;
}

/** The fields that an entry must have, compared deeply, or a predicate. */
export type JournalMatch = PartialDeep<JournalEntry> | ((entry: JournalEntry) => boolean);

type PartialDeep<T> = T extends Date
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: PartialDeep<T[Key]> }
    : T;

/** The requests that reached the mock, oldest first. */
export interface MockJournal {
  /** Returns all entries that are kept. */
  all(): readonly JournalEntry[];
  /** Returns the entry with an ID. */
  get(id: number): JournalEntry | undefined;
  /** Returns the first entry that matches. */
  find(match: JournalMatch): JournalEntry | undefined;
  /** Returns the entries that match. */
  filter(match: JournalMatch): readonly JournalEntry[];
  /**
   * Resolves to the first entry that matches, as soon as it exists. An object matches only completed requests, unless
   * it has `completed: false`. A predicate is called when an entry arrives and whenever it changes.
   *
   * @param options - `timeoutMs`: the longest wait in milliseconds. Default 2000.
   * @throws Error that lists the requests that arrived, on a timeout or when the mock is reset.
   */
  waitFor(match: JournalMatch, options?: { readonly timeoutMs?: number | undefined }): Promise<JournalEntry>;
}
