import { expect, test } from 'vitest';
import * as z from 'zod';
import { documentedFields, type DocumentedField } from '../../scripts/openapi/documentation.js';
import { invoiceUploadSchema, paymentRequestSchema } from '../../src/entries/index.js';
import {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../../src/entries/lender.js';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly items?: ObjectSchema;
  readonly required?: readonly string[];
}

// A date that may be a Date is opaque to JSON Schema, which therefore does not know that it is required.
const unseen = new Set(['requestingDatetime', 'receivedDatetime', 'allocationDatetime']);

/** Each field by its path, and whether it may be left out. */
type Optional = Readonly<Record<string, boolean>>;

function ofInterface(
  fields: readonly DocumentedField[],
  isInSchema: (path: string) => boolean,
  at = '',
): Optional {
  return Object.assign(
    {},
    ...fields
      .filter(({ name }) => !unseen.has(name))
      .map(({ name, isOptional, fields: inner }): Optional => {
        const path = `${at}${name}`;
        // The kinds of a file have fields of their own, which no object on the wire has.
        return {
          [path]: isOptional,
          ...(isInSchema(`${path}.`) && ofInterface(inner, isInSchema, `${path}.`)),
        };
      }),
  ) as Optional;
}

function ofSchema({ properties, items, required = [] }: ObjectSchema, at = ''): Optional {
  if (items) return ofSchema(items, at);
  const entries = Object.entries(properties ?? {}).filter(([name]) => !unseen.has(name));
  return Object.assign(
    {},
    ...entries.map(([name, inner]) => ({
      [`${at}${name}`]: !required.includes(name),
      ...ofSchema(inner, `${at}${name}.`),
    })),
  ) as Optional;
}

test.each([
  ['PaymentRequest', paymentRequestSchema],
  ['InvoiceUpload', invoiceUploadSchema],
  ['PaymentReceiptNotification', paymentReceiptNotificationSchema],
  ['RepaymentAllocationNotification', repaymentAllocationNotificationSchema],
] as const)('%s and its schema have the same fields, and the same of them required', (name, schema) => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;
  const expected = ofSchema(json);
  expect(Object.keys(expected).length).toBeGreaterThan(5);
  const isInSchema = (path: string) => Object.keys(expected).some((known) => known.startsWith(path));
  expect(ofInterface(documentedFields(name), isInSchema)).toEqual(expected);
});
