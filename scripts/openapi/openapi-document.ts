import { signedInvoiceFields } from '../../src/protocol/canonical-string.js';
import {
  endpoints,
  isMerchantOperation,
  operations,
  type Endpoint,
  type MerchantOperation,
  type Operation,
} from '../../src/protocol/endpoints.js';
import { knownHeaders } from '../../src/protocol/headers.js';
import { bodySchemas, assumed, type JsonSchema } from './schemas.js';
import { resultStatuses } from '../../src/protocol/result-statuses.js';
import { fileTypes } from '../../src/protocol/file-types.js';
import { maxInvoices } from '../../src/protocol/limits.js';
import { requestForm } from '../../src/protocol/timestamps.js';

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const content = (mediaType: string, schema: string): JsonSchema => ({
  [mediaType]: { schema: refTo(schema) },
});

/** The result statuses of an operation as a table in Markdown. */
function statusTable(operation: MerchantOperation): string {
  const rows = Object.entries(resultStatuses[operation]).map(
    ([status, { meaning, action }]) => `| ${status} | ${meaning} | ${action} |`,
  );
  return ['| resultStatus | meaning | what to do |', '| --- | --- | --- |', ...rows].join('\n');
}

interface Described {
  readonly summary: string;
  readonly description: string;
  readonly request: string;
  readonly answer: string;
  readonly assumptions: JsonSchema;
}

const merchantAnswer = 'The HTTP status of a response with a result is not documented.';

const described: Readonly<Record<Operation, Described>> = {
  initiatePayment: {
    summary: 'Create an installment payment',
    description: `The Signature is an HMAC-SHA256 of the exact body; its encoding is not documented. ${merchantAnswer}\n\n${statusTable('initiatePayment')}`,
    request: 'PaymentRequest',
    answer: 'Payment',
    assumptions: assumed(
      'signatureEncoding',
      'signedText',
      'httpStatus',
      'refusals',
      'checkOrder',
      'statusOfOther',
      'rateLimits',
      'responseDelay',
    ),
  },
  uploadInvoice: {
    summary: 'Upload an invoice of a payment',
    description:
      `Only after the payment is confirmed or notified. At most ${maxInvoices} for each referenceId. The Signature is an HMAC-SHA256, written as a hex string, of the textual fields as name=value ` +
      `pairs joined by &, in this order: ${signedInvoiceFields.join(', ')}. ${merchantAnswer}\n\n${statusTable('uploadInvoice')}`,
    request: 'InvoiceUpload',
    answer: 'Invoice',
    assumptions: assumed(
      'signatureEncoding',
      'signedText',
      'absentFields',
      'httpStatus',
      'checkOrder',
      'statusOfOther',
      'rateLimits',
      'responseDelay',
      'uploadOutcome',
      'earlyUpload',
      'repeatedUpload',
    ),
  },
  paymentReceipt: {
    summary: 'Report a payment to the lender',
    description: 'Also sent when the receipt is reversed. lenderTransactionCode is the idempotency key.',
    request: 'PaymentReceiptNotification',
    answer: 'Acknowledgement',
    assumptions: assumed('lenderAuthentication', 'lenderAnswer', 'reversals', 'transactionCodes'),
  },
  repaymentAllocation: {
    summary: 'Report how received amounts were allocated',
    description: 'One notification can contain several installments.',
    request: 'RepaymentAllocationNotification',
    answer: 'Acknowledgement',
    assumptions: assumed(
      'lenderAuthentication',
      'lenderAnswer',
      'repeatedUpload',
      'repeatedAllocation',
      'scheduleNotification',
    ),
  },
};

const headerParameters = {
  requestTime: {
    name: knownHeaders.requestTime.name,
    in: 'header',
    required: true,
    description: 'YYYY-MM-DD hh:mm:ss, 24 hours.',
    schema: { type: 'string', pattern: requestForm.shape.source },
    ...assumed('requestTimeZone', 'requestTimeAge'),
  },
  idempotencyKey: {
    name: knownHeaders.idempotencyKey.name,
    in: 'header',
    description: 'Recommended for safe retries: the same for every repeat of a request.',
    schema: { type: 'string' },
    ...assumed('repeatedKey', 'reusedKey'),
  },
} as const;

/** The body of a request; an operation can have none. */
function requestBody({ contentType }: Endpoint, schemaName: string): JsonSchema {
  if (contentType === undefined) return {};
  const file = { contentType: Object.keys(fileTypes).join(', ') };
  const encoding = contentType === 'multipart/form-data' && { encoding: { file } };
  const schema = refTo(schemaName);
  return { requestBody: { required: true, content: { [contentType]: { schema, ...encoding } } } };
}

/** The headers that are parameters. The client and the signature are security schemes. */
function headersOf(operation: Operation) {
  const names = Object.keys(headerParameters) as (keyof typeof headerParameters)[];
  return names.filter((name) => knownHeaders[name].operations.some((each) => each === operation));
}

function operationOf(operation: Operation): JsonSchema {
  const { summary, description, request, answer, assumptions } = described[operation];
  const isMerchants = isMerchantOperation(operation);
  const headers = headersOf(operation);
  const response = (text: string) => ({ description: text, content: content('application/json', answer) });
  return {
    operationId: operation,
    tags: [isMerchants ? 'Merchant' : 'Lender'],
    summary,
    description,
    ...assumptions,
    ...(!isMerchants && { security: [] }),
    ...(headers.length > 0 && {
      parameters: headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    }),
    ...requestBody(endpoints[operation], request),
    responses: {
      200: response(isMerchants ? 'A result.' : 'The notification counts as accepted (assumed).'),
      '4XX': response(
        isMerchants
          ? 'A result, if it has a resultStatus.'
          : 'It counts as a refusal (assumed), except 407, 408, 409, 421, 425 and 429.',
      ),
      '5XX': {
        description: isMerchants
          ? 'It does not show whether the service acted, unless its body has a resultStatus.'
          : 'It does not show whether the service acted.',
      },
    },
  };
}

/**
 * The four operations as an OpenAPI 3.1 document, made from the schemas of the wire and the table of result statuses.
 */
export function openApiDocument(version: string): JsonSchema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Installment payments',
      version,
      summary:
        'The requests of a merchant that create installment payments, and the notifications of a lender about them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{baseUrl}',
        variables: {
          baseUrl: {
            default: 'http://127.0.0.1:4010',
            description: 'The service or its sandbox; the default is the mock.',
          },
        },
        ...assumed('addresses'),
      },
    ],
    tags: [
      { name: 'Merchant', description: 'Sent by a merchant.' },
      { name: 'Lender', description: 'Sent by the lender that finances the installments.' },
    ],
    ...assumed(
      'operationsNotShown',
      'paymentNotification',
      'notificationDelivery',
      'paymentStates',
      'responseDelay',
    ),
    security: [{ clientId: [], signature: [] }],
    paths: Object.fromEntries(
      operations.map((operation) => {
        const { method, path } = endpoints[operation];
        return [path, { [method.toLowerCase()]: operationOf(operation) }];
      }),
    ),
    components: {
      schemas: bodySchemas(),
      parameters: headerParameters,
      securitySchemes: {
        clientId: { type: 'apiKey', in: 'header', name: knownHeaders.clientId.name },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: knownHeaders.signature.name,
          description: 'HMAC-SHA256.',
        },
      },
    },
  };
}
