/** Bytes in memory. */
export type InvoiceBytes = ArrayBufferView | ArrayBuffer;

/** A source of bytes in pieces: a web stream, a Node stream, an async generator. */
export type InvoiceByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file on disk, by path or `file:` URL. */
export interface InvoicePath {
  /** A path as `fs` accepts it, relative to the working directory of the process, or a `file:` URL. */
  path: string | URL;
}

/** A source of bytes, with the name and type to send. */
export interface NamedInvoiceFile {
  /** The source of the bytes. */
  data: Blob | InvoiceBytes | InvoiceByteStream | InvoicePath;
  /**
   * The name of the file. Its base name is sent. @default the name of the `File` or path, or `invoice` with the
   * extension of the content
   */
  filename?: string | undefined;
  /** The media type. It must match the content of the file. The type that is sent is detected from the content. */
  contentType?: string | undefined;
}

/**
 * The `file` of an upload: a `Blob` or `File`, bytes, a stream of bytes, `{ path }`, or `{ data, filename }` to set the
 * file name. A string is refused, because it could be a path or the content. A stream is always closed when the call
 * ends.
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
 * The request of `uploadInvoice` (specification: Invoice upload request). `file` or `fileUrl` is required; if both are
 * sent, the service uses the file.
 */
export interface InvoiceUpload {
  /** Merchant ID issued by the service. @default the client's `merchantId` */
  merchantId?: string | undefined;
  /** The `referenceId` that the payment was initiated with. */
  referenceId: string;
  /** Payment transaction ID, if available. */
  paymentTransId?: string | undefined;
  /**
   * The store where the payment was processed; not empty. Required for in-store payments: only the service can check
   * this.
   * @default the client's `storeId`
   */
  storeId?: string | undefined;
  /** Invoice number of the merchant or point of sale. */
  invoiceNumber?: string | undefined;
  /** Date of the invoice: a `Date`, or a string in the form `yyyy-MM-ddTHH:mm:ssZ`, in UTC. */
  invoiceDate?: Date | string | undefined;
  /** A jpg, png, pdf or xml file of at most 5 MB (here 5 x 1024 x 1024 bytes). */
  file?: InvoiceFileInput | undefined;
  /** Public or signed https URL of a jpg, png or pdf file. Ignored if there is a `file`. */
  fileUrl?: string | undefined;
  /** Notes about the invoice. */
  description?: string | undefined;
  /** Extra data of the merchant: a string that parses as JSON, or an object that is written as JSON. */
  extraData?: string | object | undefined;
}

/**
 * A checked upload, from {@link invoiceUploadSchema}. `file` is unchanged. `merchantId` and `storeId` can be missing:
 * the client adds its defaults before the check.
 */
export type CheckedInvoiceUpload = Omit<InvoiceUpload, 'invoiceDate' | 'extraData'> & {
  /** Date of the invoice in the form `yyyy-MM-ddTHH:mm:ssZ`, in UTC. */
  invoiceDate?: string | undefined;
  /** Extra data of the merchant, as a JSON string. */
  extraData?: string | undefined;
};

/**
 * The service's response to an approved upload (specification: Invoice upload response, which does not say which fields
 * are required). Other fields of the response are kept, as in a `PaymentResult`.
 */
export interface Invoice {
  /** The `referenceId` that was sent. */
  referenceId?: string;
  /** Invoice file ID. */
  invoiceId?: string;
  /** Payment transaction ID, if one was sent or matched. */
  paymentTransId?: string;
  /** Time of the upload, ISO 8601 in UTC. */
  uploadedAt?: string;
  /** The only status of success; any other status is an error. */
  resultStatus: 'APPROVED';
  /** Result message of the service. */
  resultMsg?: string;
}
