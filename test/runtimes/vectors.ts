// Runs in each runtime, as ESM and as CommonJS: signs every golden vector.
import { readFileSync } from 'node:fs';
import {
  invoiceCanonicalString,
  signInvoice,
  signPayment,
  type SignedInvoiceFields,
} from 'installment-payments';

interface Vector {
  readonly name: string;
  readonly secretKey: string;
  readonly signature: string;
  readonly body?: string;
  readonly fields?: SignedInvoiceFields;
  readonly canonical?: string;
}

const vectors = JSON.parse(readFileSync('signing.json', 'utf8')) as Readonly<Record<string, unknown>>;
const all = ['rfc4231', 'payment', 'invoice'].flatMap((group) => vectors[group] as readonly Vector[]);

const wrong = all.filter(({ secretKey, signature, body, fields, canonical }) =>
  fields
    ? invoiceCanonicalString(fields) !== canonical || signInvoice(fields, secretKey) !== signature
    : signPayment(body ?? '', secretKey) !== signature,
);
if (wrong.length > 0) throw new Error(`signed wrongly: ${wrong.map(({ name }) => name).join(', ')}`);
console.log(`${String(all.length)} vectors`);
