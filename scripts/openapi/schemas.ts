import * as z from 'zod/mini';
import { refusedUrlExtensions } from '../../src/protocol/file-types.js';
import { maxFileBytes } from '../../src/protocol/limits.js';
import { invoiceUploadWireSchema } from '../../src/protocol/invoice-schema.js';
import {
  paymentReceiptWireSchema,
  repaymentAllocationWireSchema,
} from '../../src/protocol/lender-schemas.js';
import { assumptions, type AssumptionName } from '../assumptions.js';
import { paymentRequestWireSchema } from '../../src/protocol/payment-schema.js';
import { resultStatuses } from '../../src/protocol/result-statuses.js';
import type { MerchantOperation } from '../../src/protocol/endpoints.js';
import { requestForm } from '../../src/protocol/timestamps.js';
import { documentedFields, type DocumentedField } from './documentation.js';

/** A JSON Schema in the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** Marks what the specification does not state, with the sentences of the table of assumptions. */
export function assumed(...names: readonly AssumptionName[]): JsonSchema {
  const marked = names.map((name) => {
    const { question, assumption } = assumptions[name];
    return { question, assumption };
  });
  return { 'x-assumption': marked };
}

/** A pattern for a word in upper or lower case, because JSON Schema has no flags. */
const anyCase = (word: string) => word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

/** The pattern of an https URL whose path does not end in a refused extension. */
const fileUrlPattern = `^${anyCase('https')}://(?![^?#]*/[^?#]*\\.(?:${refusedUrlExtensions.map(anyCase).join('|')})(?:[?#]|$))/*[^/?#]`;

/** The pattern of a JSON text. It checks only the beginning and the end of objects and arrays. */
const jsonPattern = String.raw`^[ \t\n\r]*(?:\{[\s\S]*\}|\[[\s\S]*\]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+\-]?\d+)?|true|false|null)[ \t\n\r]*$`;

/**
 * The rules of a field that JSON Schema cannot express, and which of them are assumptions, by the path of the field.
 */
const more: Readonly<Record<string, JsonSchema>> = {
  'PaymentRequest.lang': { default: 'en' },
  'PaymentRequest.amount.value': assumed('amounts', 'amountAndItems'),
  'PaymentRequest.items': assumed('emptyItems'),
  'PaymentRequest.items.price': assumed('prices', 'amounts'),
  'PaymentRequest.items.totalAmount': assumed('totals'),
  'PaymentRequest.customer.firstName': assumed('names'),
  'PaymentRequest.customer.lastName': assumed('names'),
  'PaymentRequest.customer.dateOfBirth': assumed('calendar'),
  'PaymentRequest.customer.phoneNumber': assumed('phoneNumber'),
  'PaymentRequest.customer.email': assumed('email'),
  'PaymentRequest.successRedirectUrl': assumed('redirectUrls', 'redirects'),
  'PaymentRequest.unSuccessRedirectUrl': assumed('redirectUrls', 'redirects'),
  'PaymentRequest.transExpiredTime': assumed('transExpiredTime'),
  'Payment.responseTime': { pattern: requestForm.shape.source, ...assumed('requestTimeZone') },
  'InvoiceUpload.invoiceDate': assumed('calendar'),
  'InvoiceUpload.extraData': { contentMediaType: 'application/json', pattern: jsonPattern },
  'InvoiceUpload.paymentTransId': assumed('paymentTransId'),
  'InvoiceUpload.storeId': assumed('inStore', 'uploadStore'),
  'InvoiceUpload.fileUrl': assumed('xmlByUrl'),
  'InvoiceUpload.file': {
    contentMediaType: 'application/octet-stream',
    minLength: 1,
    maxLength: maxFileBytes,
    ...assumed('fileSize', 'fileContent'),
  },
  'Invoice.uploadedAt': { format: 'date-time' },
  'PaymentReceiptNotification.serviceApplicationId': assumed('applicationIdField'),
  'PaymentReceiptNotification.receivedDatetime': assumed('calendar'),
  'PaymentReceiptNotification.reversalReason': assumed('reversalReasons'),
  'RepaymentAllocationNotification.serviceApplicationId': assumed('applicationIdField'),
  'RepaymentAllocationNotification.repaymentTransactions.bankTransactionSequenceId': assumed('bankSequence'),
  'RepaymentAllocationNotification.repaymentTransactions.allocationDatetime': assumed('calendar'),
  'RepaymentAllocationNotification.repaymentTransactions.allocatedTotal': assumed('totals'),
};

/** A schema whose fields have the descriptions of their interface. */
function described(schema: JsonSchema, fields: readonly DocumentedField[], path: string): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const field = fields.find((each) => each.name === name);
    if (!field?.description) throw new Error(`${path}.${name} has no documentation`);
    const here = `${path}.${name}`;
    const inner = property.items
      ? { ...property, items: described(property.items, field.fields, here) }
      : described(property, field.fields, here);
    const notEmpty = property['minLength'] === undefined ? {} : assumed('emptyTexts');
    return [name, { ...inner, description: field.description, ...notEmpty, ...more[here] }] as const;
  });
  return { ...schema, ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) };
}

/**
 * Converts a schema of the wire to JSON Schema. A request can have fields that only the provider's documentation
 * shows.
 */
function jsonSchemaOf(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
  return json as JsonSchema;
}

/** A notification, described by the TSDoc of its type. */
function notificationSchema(name: string, schema: z.ZodMiniType, typeName: string): JsonSchema {
  return {
    ...described(jsonSchemaOf(schema), documentedFields(typeName), name),
  };
}

/** A response. Only its type is known: its fields are strings, each with its TSDoc. */
function answerSchema(typeName: string, operation: MerchantOperation): JsonSchema {
  const fields = documentedFields(typeName);
  const properties = Object.fromEntries(fields.map(({ name }) => [name, { type: 'string' }]));
  const schema = described({ type: 'object', properties, required: ['resultStatus'] }, fields, typeName);
  const resultStatus = {
    type: 'string',
    description: 'The result of the request.',
    examples: Object.keys(resultStatuses[operation]),
    ...assumed('unknownStatus'),
  };
  return { ...schema, properties: { ...schema.properties, resultStatus } };
}

const approvedPaymentFields = ['merchantId', 'referenceId', 'responseTime', 'resultMsg', 'paymentUrl'];

function uploadSchema(): JsonSchema {
  const file = { type: 'string' };
  const textual = jsonSchemaOf(invoiceUploadWireSchema);
  const json = { ...textual, properties: { ...textual.properties, file } };
  return {
    ...described(json, documentedFields('CheckedInvoiceUpload'), 'InvoiceUpload'),
    // The URL of an upload that has a file is ignored.
    anyOf: [
      { properties: { file: { type: 'string' } }, required: ['file'] },
      {
        required: ['fileUrl'],
        properties: { fileUrl: { type: 'string', pattern: fileUrlPattern } },
      },
    ],
    ...assumed('uploadFields', 'nullFields', 'unknownFields'),
  };
}

/** The schemas of all bodies, by name. */
export function bodySchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    PaymentRequest: {
      ...described(
        jsonSchemaOf(paymentRequestWireSchema),
        documentedFields('PaymentRequestWire'),
        'PaymentRequest',
      ),
      ...assumed('nullFields', 'unknownFields'),
    },
    Payment: {
      ...answerSchema('Payment', 'initiatePayment'),
      description: 'The response to an initiate request.',
      if: { properties: { resultStatus: { const: 'APPROVED' } } },
      then: {
        properties: {
          ...Object.fromEntries(approvedPaymentFields.map((name) => [name, { type: 'string' }])),
          paymentUrl: { type: 'string', minLength: 1 },
        },
        required: approvedPaymentFields,
      },
      ...assumed('responseFields'),
    },
    InvoiceUpload: uploadSchema(),
    Invoice: {
      ...answerSchema('Invoice', 'uploadInvoice'),
      description: 'The response to an upload.',
      ...assumed('responseFields'),
    },
    PaymentReceiptNotification: {
      ...notificationSchema('PaymentReceiptNotification', paymentReceiptWireSchema, 'PaymentReceiptWire'),
      if: { properties: { receivedStatus: { const: 'REVERSED' } } },
      then: {
        properties: { reversalReason: { type: 'string', minLength: 1 } },
        required: ['reversalReason'],
      },
      ...assumed('lenderFields', 'nullFields', 'prices', 'amounts', 'unknownFields'),
    },
    RepaymentAllocationNotification: {
      ...notificationSchema(
        'RepaymentAllocationNotification',
        repaymentAllocationWireSchema,
        'RepaymentAllocationWire',
      ),
      ...assumed('lenderFields', 'nullFields', 'prices', 'amounts', 'unknownFields'),
    },
    Acknowledgement: {
      description: 'The shape of the common response of lender notifications is not documented.',
      ...assumed('lenderAnswer'),
    },
  };
}
