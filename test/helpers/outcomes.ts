import { expect } from 'vitest';
import {
  ValidationError,
  type InstallmentClientOptions,
  type ValidationIssue,
} from '../../src/entries/index.js';
import { approvedInvoice, approvedPayment, demoClient, rejection } from './samples.js';
import { scriptedFetch, sentBytes, sentParts, unreachable } from './scripted-fetch.js';
import type { FormPart } from './parse-multipart.js';

type Operation = 'initiatePayment' | 'uploadInvoice';

/** Calls an operation with input that the types would refuse, as a JavaScript caller can. */
export async function call(
  operation: Operation,
  request: unknown,
  clientOptions: Partial<InstallmentClientOptions> = {},
  options?: unknown,
): Promise<unknown> {
  const client = demoClient(clientOptions);
  const method = client[operation].bind(client) as (request: unknown, options?: unknown) => Promise<unknown>;
  return method(request, options);
}

/** The error of a request that breaks a rule. The test fails if any byte was sent for it. */
export async function refusal(
  operation: Operation,
  request: unknown,
  clientOptions: Partial<InstallmentClientOptions> = {},
  options?: unknown,
): Promise<ValidationError> {
  const { fetch, requests } = unreachable();
  const error = await rejection(call(operation, request, { ...clientOptions, fetch }, options));
  expect(error).toBeInstanceOf(ValidationError);
  expect(requests).toHaveLength(0);
  return error as ValidationError;
}

/** An issue in short: `items[0].price INVALID_REQUEST`. */
export function inShort({ path, resultStatus }: ValidationIssue): string {
  const where = path.map((key) => (typeof key === 'number' ? `[${String(key)}]` : `.${key}`)).join('');
  return `${where.replace(/^\./, '')} ${resultStatus}`.trim();
}

/** The broken rules of a request, in short and in order. */
export async function brokenRules(
  operation: Operation,
  request: unknown,
  clientOptions: Partial<InstallmentClientOptions> = {},
  options?: unknown,
): Promise<string[]> {
  const { issues } = await refusal(operation, request, clientOptions, options);
  return issues.map(inShort);
}

/** The JSON that is sent for a payment request. */
export async function wireOf(
  request: unknown,
  clientOptions: Partial<InstallmentClientOptions> = {},
): Promise<Record<string, unknown>> {
  const { referenceId, merchantId = 'DEMO-MERCHANT' } = Object(request) as Record<string, unknown>;
  const answer = approvedPayment({ referenceId, merchantId });
  const { fetch, requests } = scriptedFetch(() => Response.json(answer));
  await call('initiatePayment', request, { ...clientOptions, fetch });
  const [sent] = requests;
  if (!sent || requests.length !== 1) throw new Error('one request was expected');
  return JSON.parse((await sentBytes(sent)).toString()) as Record<string, unknown>;
}

/** The parts that are sent for an upload. */
export async function partsOf(
  request: unknown,
  clientOptions: Partial<InstallmentClientOptions> = {},
): Promise<FormPart[]> {
  const { referenceId } = Object(request) as { referenceId?: string };
  const { fetch, requests } = scriptedFetch(() => Response.json(approvedInvoice({ referenceId })));
  await call('uploadInvoice', request, { ...clientOptions, fetch });
  const [sent] = requests;
  if (!sent || requests.length !== 1) throw new Error('one request was expected');
  return sentParts(sent);
}

/** The text fields that are sent for an upload. */
export async function fieldsOf(
  request: unknown,
  clientOptions: Partial<InstallmentClientOptions> = {},
): Promise<Record<string, string>> {
  const parts = await partsOf(request, clientOptions);
  return Object.fromEntries(
    parts.filter(({ name }) => name !== 'file').map(({ name, bytes }) => [name, bytes.toString()]),
  );
}
