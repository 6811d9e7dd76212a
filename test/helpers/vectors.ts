import { readFileSync } from 'node:fs';
import type { SignedInvoiceFields } from '../../src/entries/index.js';

interface PaymentVector {
  readonly name: string;
  readonly secretKey: string;
  readonly body: string;
  readonly signature: string;
  /** The same digest in base64. */
  readonly base64: string;
}

interface InvoiceVector {
  readonly name: string;
  readonly secretKey: string;
  readonly fields: SignedInvoiceFields;
  readonly canonical: string;
  readonly signature: string;
  /** The same digest, if fields that are not sent are left out. */
  readonly omitted: { readonly canonical: string; readonly signature: string };
}

interface Vectors {
  readonly rfc4231: readonly PaymentVector[];
  readonly payment: readonly PaymentVector[];
  readonly invoice: readonly InvoiceVector[];
}

/** Golden vectors, computed with the openssl command line. They are frozen: no script writes them. */
export const vectors = JSON.parse(
  readFileSync(new URL('../vectors/signing.json', import.meta.url), 'utf8'),
) as Vectors;
