import * as z from 'zod';
import { maxFileBytes } from '../../protocol/file-types.js';
import { invoiceUploadWireSchema } from '../../protocol/invoice.js';
import {
  paymentReceiptWireSchema,
  repaymentAllocationWireSchema,
} from '../../protocol/lender-notification.js';
import { money, positiveInteger, wholeNumber } from '../../protocol/numbers.js';
import {
  email,
  paymentRequestWireSchema,
  phoneNumberShape,
  referenceId,
  referenceIdShape,
} from '../../protocol/payment.js';
import { resultStatuses } from '../../protocol/result-status.js';
import type { MerchantOperation } from '../../protocol/endpoints.js';
import { dayShape, lenderShape, requestShape, utcShape } from '../../protocol/timestamps.js';

/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const patternOf = (shape: RegExp) => ({ pattern: shape.source });

/** What a check of a shared schema says, in the words of JSON Schema: zod cannot look into a function. */
const checked = new Map<z.core.$ZodType, JsonSchema>([
  [referenceId, patternOf(referenceIdShape)],
  [positiveInteger, { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }],
  [wholeNumber, { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }],
  [money, { minimum: 0 }],
  // The pattern of the check is no regular expression under the u flag, which validators of JSON Schema use.
  [email, { format: 'email', pattern: undefined }],
]);

const redirectRule = 'An absolute URL of any scheme but javascript:, data: and vbscript:.';

/** The same for checks of one field, and what a schema cannot say at all. */
const ofFields: Readonly<Record<string, JsonSchema>> = {
  merchantId: { description: 'Merchant ID issued by the service.' },
  storeId: { description: 'Store that processes the payment; an upload for an in-store payment needs it.' },
  platformId: { description: 'Platform or third party that processes the order.' },
  paymentMethod: { description: 'Where the customer pays: in an app, at a point of sale, on the web.' },
  lang: { default: 'en', description: 'Language of the pages that the customer sees.' },
  quantity: { description: 'How many units.' },
  price: { description: 'Price of a single unit in VND.' },
  serviceApplicationId: {
    description: 'Identifier of the application at the service, whose own name for it may differ.',
  },
  lenderTransactionCode: { description: 'Unique code of the lender: the idempotency key of a receipt.' },
  phoneNumber: { ...patternOf(phoneNumberShape), description: 'Usually 10 or 11 digits.' },
  dateOfBirth: { ...patternOf(dayShape), description: 'DD-MM-YYYY, a real calendar day.' },
  value: { description: 'VND has no decimals: whole đồng.' },
  totalAmount: { description: 'price x quantity, exactly.' },
  transExpiredTime: { description: 'In milliseconds.' },
  successRedirectUrl: { description: `Where the customer goes after paying. ${redirectRule}` },
  unSuccessRedirectUrl: { description: `Where the customer goes otherwise. ${redirectRule}` },
  invoiceDate: { ...patternOf(utcShape), description: 'UTC.' },
  fileUrl: {
    description: 'An https URL of a jpg, png or pdf. When a file is sent too, the file counts.',
  },
  extraData: {
    description: 'Anything that the merchant wants to find again; for an invoice, text that parses as JSON.',
  },
  requestingDatetime: patternOf(lenderShape),
  receivedDatetime: patternOf(lenderShape),
  allocationDatetime: patternOf(lenderShape),
  reversalReason: { description: 'Required when receivedStatus is REVERSED.' },
  allocatedTotal: { description: 'allocatedPrincipal + allocatedServiceFee + allocatedPenalty, exactly.' },
};

/** A JSON Schema with what is known of each field by its name. */
function withFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFields);
  if (typeof schema !== 'object' || schema === null) return schema;
  const known = Object.entries(schema).map(([key, value]: [string, unknown]) => [key, withFields(value)]);
  const { properties, ...rest } = Object.fromEntries(known) as Record<string, JsonSchema | undefined>;
  if (!properties) return rest;
  const described = Object.entries(properties).map(([name, field]) => [
    name,
    { ...(field as JsonSchema), ...ofFields[name] },
  ]);
  return { ...rest, properties: Object.fromEntries(described) as JsonSchema };
}

/** A schema of the wire as JSON Schema. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    override({ zodSchema, jsonSchema }) {
      Object.assign(jsonSchema, checked.get(zodSchema));
    },
  });
  return withFields(json) as JsonSchema;
}

const text = { type: 'string' } as const;

function resultStatusOf(operation: MerchantOperation): JsonSchema {
  return {
    ...text,
    description: 'What became of the request.',
    examples: Object.keys(resultStatuses[operation]),
  };
}

function uploadSchema(): JsonSchema {
  const { properties, ...rest } = jsonSchemaOf(invoiceUploadWireSchema);
  const file = {
    ...text,
    contentMediaType: 'application/octet-stream',
    maxLength: maxFileBytes,
    description: 'A jpg, png, pdf or xml file of at most 5 MB.',
  };
  const oneOfBoth = [{ required: ['file'] }, { required: ['fileUrl'] }];
  return { ...rest, properties: { ...(properties as object), file }, anyOf: oneOfBoth };
}

/** The schemas of all bodies, by name. */
export function bodySchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    PaymentRequest: jsonSchemaOf(paymentRequestWireSchema),
    Payment: {
      type: 'object',
      description: 'The answer to an initiate request.',
      properties: {
        merchantId: text,
        referenceId: text,
        responseTime: { ...text, ...patternOf(requestShape) },
        resultStatus: resultStatusOf('initiatePayment'),
        resultMsg: text,
        paymentUrl: { ...text, description: 'Where to send the customer.' },
        qrData: { ...text, description: 'The content of a QR code that leads to the same payment.' },
      },
      required: ['resultStatus'],
      if: { properties: { resultStatus: { const: 'APPROVED' } } },
      then: { properties: { paymentUrl: { ...text, minLength: 1 } }, required: ['paymentUrl'] },
    },
    InvoiceUpload: uploadSchema(),
    Invoice: {
      type: 'object',
      description: 'The answer to an upload.',
      properties: {
        referenceId: text,
        invoiceId: text,
        paymentTransId: text,
        uploadedAt: { ...text, format: 'date-time' },
        resultStatus: resultStatusOf('uploadInvoice'),
        resultMsg: text,
      },
      required: ['resultStatus'],
    },
    PaymentReceiptNotification: {
      ...jsonSchemaOf(paymentReceiptWireSchema),
      if: { properties: { receivedStatus: { const: 'REVERSED' } } },
      then: {
        properties: { reversalReason: { type: 'string', minLength: 1 } },
        required: ['reversalReason'],
      },
    },
    RepaymentAllocationNotification: jsonSchemaOf(repaymentAllocationWireSchema),
    Acknowledgement: { description: 'The common response of lender notifications is not documented.' },
  };
}
