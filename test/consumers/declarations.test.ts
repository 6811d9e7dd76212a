import { join } from 'node:path';
import ts from 'typescript';
import { expect, inject, test } from 'vitest';

const { consumer } = inject('packed');
const file = join(consumer, 'declarations.mts');

// NestJS projects emit declarations, for which TypeScript must be able to import the name of each inferred type.
const source = `
import * as main from 'installment-payments';
import type { LenderClient, PaymentReceiptNotification } from 'installment-payments/lender';
import { createOrderPayments, type OrderPaymentsOptions } from 'installment-payments/orders';
import { createMockService } from 'installment-payments/mock';
import { createWebhookHandler } from 'installment-payments/webhooks';

export const client = new main.InstallmentClient();
export const initiate = (request: main.PaymentRequest) => client.initiatePayment(request);
export const upload = (request: main.InvoiceUpload) => client.uploadInvoice(request);
export const post = () => client.post('/v2/payments/status', {});
export const metadata = async (request: main.PaymentRequest) => (await initiate(request)).$metadata;
export const check = (request: unknown) => main.paymentRequestSchema.parse(request);
export const parts = ({ amount, items, customer, shipping, seller }: main.PaymentRequest) =>
  ({ amount, items, customer, shipping, seller });
export const record = (error: main.InstallmentError) => {
  const { code, operation, outcome, nextStep, $metadata } = error;
  return { code, operation, outcome, nextStep, $metadata, json: error.toJSON() };
};
export const refusal = ({ resultStatus, code }: main.ResultError) => ({ resultStatus, code });
export const issues = (error: main.ValidationError) => error.issues;
export const attempt = ({ outcome, phase, resultStatus }: main.Attempt) => ({ outcome, phase, resultStatus });
export const row = (status: keyof typeof main.resultStatuses.uploadInvoice) => main.resultStatuses.uploadInvoice[status];
export const notify = (lender: LenderClient, receipt: PaymentReceiptNotification) => lender.notifyPaymentReceipt(receipt);
export const payments = (options: OrderPaymentsOptions) => createOrderPayments(options);
export const order = (id: string) => payments({ client, onPaid: 'firstPaid' }).get(id);
export const waiting = () => payments({ client, onPaid: 'firstPaid' }).forReview();
export const webhook = createWebhookHandler({ onEvent: () => undefined });
export const mock = createMockService();
`;

test('a service that emits declarations can return the result of a call without annotations', () => {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
  };
  const disk = ts.createCompilerHost(options);
  const host = ts.createCompilerHost(options);
  host.fileExists = (path) => path === file || disk.fileExists(path);
  host.getSourceFile = (path, language) =>
    path === file ? ts.createSourceFile(path, source, language) : disk.getSourceFile(path, language);
  host.getCurrentDirectory = () => consumer;
  const program = ts.createProgram([file], options, host);
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.getDeclarationDiagnostics()];

  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
