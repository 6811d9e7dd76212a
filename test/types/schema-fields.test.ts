import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { invoiceUploadSchema, paymentRequestSchema } from '../../src/index.js';
import type {
  InvoiceUpload,
  PaymentCustomer,
  PaymentItem,
  PaymentRequest,
  PaymentShipping,
} from '../../src/index.js';
import {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
  type PaymentReceiptNotification,
  type RepaymentAllocationNotification,
  type RepaymentTransaction,
} from '../../src/lender/index.js';
import type { PaymentAmount, PaymentSeller } from '../../src/protocol/payment-types.js';

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

/** The fields of an interface, each once: a list that lacks one, or has one too many, does not compile. */
function fields<T>(
  required: Record<Exclude<keyof T, OptionalKeys<T>>, true>,
  optional: Record<OptionalKeys<T>, true>,
) {
  return { required: Object.keys(required).sort(), optional: Object.keys(optional).sort() };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly items?: ObjectSchema;
  readonly required?: readonly string[];
}

/** The fields of a schema's input. */
function fieldsOf(schema: ObjectSchema | undefined) {
  const required = [...(schema?.required ?? [])].sort();
  const optional = Object.keys(schema?.properties ?? {}).filter((name) => !required.includes(name));
  return { required, optional: optional.sort() };
}

function inputOf(schema: z.core.$ZodType): ObjectSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;
}

const payment = inputOf(paymentRequestSchema);
const allocation = inputOf(repaymentAllocationNotificationSchema);

describe('an interface and its schema have the same fields, and the same of them required', () => {
  test('PaymentRequest', () => {
    expect(fieldsOf(payment)).toEqual(
      fields<PaymentRequest>(
        {
          referenceId: true,
          paymentMethod: true,
          description: true,
          successRedirectUrl: true,
          unSuccessRedirectUrl: true,
          amount: true,
          items: true,
          customer: true,
          shipping: true,
        },
        {
          merchantId: true,
          storeId: true,
          platformId: true,
          requestType: true,
          lang: true,
          extraData: true,
          terminalType: true,
          installment: true,
          seller: true,
          transExpiredTime: true,
          sendSms: true,
          sendEmail: true,
        },
      ),
    );
  });

  test('the parts of a PaymentRequest', () => {
    expect(fieldsOf(payment.properties?.['amount'])).toEqual(
      fields<PaymentAmount>({ value: true }, { currency: true }),
    );
    expect(fieldsOf(payment.properties?.['items']?.items)).toEqual(
      fields<PaymentItem>(
        { productId: true, productName: true, category: true, quantity: true, price: true },
        { currency: true, totalAmount: true, description: true, imageUrl: true },
      ),
    );
    expect(fieldsOf(payment.properties?.['customer'])).toEqual(
      fields<PaymentCustomer>(
        { phoneNumber: true, email: true, firstName: true, lastName: true },
        { rank: true, description: true, gender: true, dateOfBirth: true },
      ),
    );
    expect(fieldsOf(payment.properties?.['shipping'])).toEqual(
      fields<PaymentShipping>(
        { city: true, district: true, ward: true, street: true, houseNumber: true },
        { country: true, zipCode: true, streetNumber: true, houseExtension: true },
      ),
    );
    expect(fieldsOf(payment.properties?.['seller'])).toEqual(
      fields<PaymentSeller>({ id: true }, { email: true, name: true, address: true }),
    );
  });

  test('InvoiceUpload', () => {
    expect(fieldsOf(inputOf(invoiceUploadSchema))).toEqual(
      fields<InvoiceUpload>(
        { referenceId: true },
        {
          merchantId: true,
          paymentTransId: true,
          storeId: true,
          invoiceNumber: true,
          invoiceDate: true,
          file: true,
          fileUrl: true,
          description: true,
          extraData: true,
        },
      ),
    );
  });

  // A date that may be a Date is opaque to JSON Schema, which therefore does not know that it is required.
  const unseen = new Set(['requestingDatetime', 'receivedDatetime', 'allocationDatetime']);
  const seen = ({ required, optional }: ReturnType<typeof fieldsOf>) => ({
    required: required.filter((name) => !unseen.has(name)),
    optional: optional.filter((name) => !unseen.has(name)),
  });

  test('PaymentReceiptNotification', () => {
    expect(seen(fieldsOf(inputOf(paymentReceiptNotificationSchema)))).toEqual(
      seen(
        fields<PaymentReceiptNotification>(
          {
            contractNumber: true,
            lenderTransactionCode: true,
            receivedAmount: true,
            receivedDatetime: true,
            receivedStatus: true,
          },
          {
            requestId: true,
            serviceApplicationId: true,
            lenderCode: true,
            requestingDatetime: true,
            lenderReferenceId: true,
            bankTransactionSequenceId: true,
            reversalReason: true,
          },
        ),
      ),
    );
  });

  test('RepaymentAllocationNotification and its transactions', () => {
    expect(seen(fieldsOf(allocation))).toEqual(
      seen(
        fields<RepaymentAllocationNotification>(
          {
            contractNumber: true,
            repaymentTransactions: true,
          },
          {
            requestId: true,
            serviceApplicationId: true,
            lenderCode: true,
            requestingDatetime: true,
            lenderReferenceId: true,
            repaymentType: true,
          },
        ),
      ),
    );
    expect(seen(fieldsOf(allocation.properties?.['repaymentTransactions']?.items))).toEqual(
      seen(
        fields<RepaymentTransaction>(
          { lenderTransactionCode: true, allocationDatetime: true, installmentNumber: true },
          {
            bankTransactionSequenceId: true,
            installmentId: true,
            allocatedPrincipal: true,
            allocatedServiceFee: true,
            allocatedPenalty: true,
            allocatedTotal: true,
          },
        ),
      ),
    );
  });
});
