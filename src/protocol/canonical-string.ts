/** The signed fields of an invoice upload, in order (specification: Authentication, Upload invoice). */
export const signedInvoiceFields = [
  'merchantId',
  'referenceId',
  'paymentTransId',
  'storeId',
  'invoiceNumber',
  'invoiceDate',
  'description',
  'extraData',
] as const;

/** The text fields of an upload as they are sent. A field that is not sent is left out. */
export type SignedInvoiceFields = Readonly<
  Partial<Record<(typeof signedInvoiceFields)[number], string | undefined>>
>;

/**
 * How the canonical string shows a field that is not sent: with an empty value (`'empty'`), or not at all (`'omit'`).
 * The specification does not say which of the two is right.
 */
export type AbsentFields = 'empty' | 'omit';

/**
 * Builds the text that an invoice upload signs: `name=value` pairs joined with `&`, in the service's order. The values
 * are exactly as they are sent: not escaped, trimmed or normalised.
 *
 * @example
 * ```ts
 * import { invoiceCanonicalString } from 'installment-payments';
 *
 * invoiceCanonicalString({ referenceId: 'ORDER-1' });
 * // merchantId=&referenceId=ORDER-1&paymentTransId=&storeId=&invoiceNumber=&invoiceDate=&description=&extraData=
 * ```
 * @param fields - The text fields as they are sent; `file` and `fileUrl` are never part of the text.
 * @param options - `absentFields`: how a field that is not sent is shown. Default `'empty'`.
 * @see specification, Authentication: Upload invoice
 */
export function invoiceCanonicalString(
  fields: SignedInvoiceFields,
  { absentFields = 'empty' }: { readonly absentFields?: AbsentFields | undefined } = {},
): string {
  return signedInvoiceFields
    .filter((name) => absentFields === 'empty' || fields[name] !== undefined)
    .map((name) => `${name}=${fields[name] ?? ''}`)
    .join('&');
}
