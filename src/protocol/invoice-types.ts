/**
 * Shapes of the upload operation (specification: Invoice upload request, Invoice upload response).
 */

/** Bytes in memory. */
export type InvoiceBytes = ArrayBufferView | ArrayBuffer;

/** Anything that yields bytes piece by piece: a web stream, a Node stream, an async generator. */
export type InvoiceByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file on disk, by path or `file:` URL. */
export interface InvoicePath {
  /** A path as `fs` takes it, from the working directory of the process, or a `file:` URL. */
  path: string | URL;
}

/** Any source of bytes, with the name and type that go over the wire. */
export interface NamedInvoiceFile {
  /** Where the bytes come from. */
  data: Blob | InvoiceBytes | InvoiceByteStream | InvoicePath;
  /** Its base name is sent. @default the name of the `File` or path, else `invoice` and the extension of the content */
  filename?: string | undefined;
  /** Checked against the content, which decides. */
  contentType?: string | undefined;
}

/**
 * What `file` of an upload may be: a `Blob` or `File`, bytes, a stream of bytes, `{ path }`, or `{ data, filename }`
 * around any of them. A bare text is refused: it could be a path, or the content. A stream that is handed over is
 * closed however the call ends, also where another field is refused.
 *
 * @example
 * ```ts
 * import type { InvoiceFileInput } from 'installment-payments';
 *
 * const fromDisk: InvoiceFileInput = { path: './invoice.pdf' };
 * const fromMemory: InvoiceFileInput = { data: new Uint8Array(1024), filename: 'invoice.pdf' };
 * ```
 */
export type InvoiceFileInput = Blob | InvoiceBytes | InvoiceByteStream | InvoicePath | NamedInvoiceFile;

/**
 * What `uploadInvoice` takes (specification: Invoice upload request): `file`, `fileUrl` or both, of which the service
 * then uses the file.
 *
 * @example
 * ```ts
 * import type { InvoiceUpload } from 'installment-payments';
 *
 * const upload: InvoiceUpload = {
 *   referenceId: 'ORDER:2026-0001',
 *   invoiceNumber: 'INV-1',
 *   invoiceDate: new Date(),
 *   file: { path: './invoice.pdf' },
 * };
 * ```
 */
export interface InvoiceUpload {
  /** Merchant ID issued by the service. @default the client's `merchantId` */
  merchantId?: string | undefined;
  /** The `referenceId` that the payment was initiated with. */
  referenceId: string;
  /** Payment transaction ID, if available. */
  paymentTransId?: string | undefined;
  /**
   * Store where the payment was processed. An in-store payment needs it; the client cannot know which payments are,
   * so the service judges. @default the client's `storeId`
   */
  storeId?: string | undefined;
  /** Number of the invoice at the merchant or the point of sale. */
  invoiceNumber?: string | undefined;
  /** A `Date`, or `yyyy-MM-ddTHH:mm:ssZ` in UTC. */
  invoiceDate?: Date | string | undefined;
  /** A jpg, png, pdf or xml file of 1 byte to 5 MB (5 x 1024 x 1024 bytes). */
  file?: InvoiceFileInput | undefined;
  /** A public or signed https URL of a jpg, png or pdf. */
  fileUrl?: string | undefined;
  /** More about the invoice. */
  description?: string | undefined;
  /** Anything the merchant wants to find again: text that parses as JSON, or an object that becomes such text. */
  extraData?: string | object | undefined;
}

/** An upload whose default is in place: what {@link invoiceUploadSchema} takes. */
export type CompleteInvoiceUpload = Omit<InvoiceUpload, 'merchantId'> & {
  /** Merchant ID issued by the service. */
  merchantId: string;
};

/** The fields of an upload as they go over the wire; `file` is still as it was given. */
export type InvoiceUploadWire = Omit<CompleteInvoiceUpload, 'invoiceDate' | 'extraData'> & {
  /** `yyyy-MM-ddTHH:mm:ssZ`, in UTC. */
  invoiceDate?: string | undefined;
  /** Text that parses as JSON. */
  extraData?: string | undefined;
};

/**
 * What the service answers an upload that it stored (specification: Invoice upload response). Which fields are always
 * there is not documented.
 */
export interface Invoice {
  /** The `referenceId` that was sent. */
  referenceId?: string;
  /** ID of the stored file. */
  invoiceId?: string;
  /** The payment transaction, if one was given or matched. */
  paymentTransId?: string;
  /** ISO 8601, UTC. */
  uploadedAt?: string;
  /** The one status of success; every other one is an error. */
  resultStatus: 'APPROVED';
  /** The service's own text. */
  resultMsg?: string;
  /** Fields that the specification does not know are kept. */
  [field: string]: unknown;
}
