import { createHash } from 'node:crypto';
import { isRecord } from '../values/untrusted-values.js';
import type { JobData, NewJob } from './job-types.js';

/** The same text for the same content, whatever the order of its names. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** Fields of a notification that createJob fills in, so that they are the same in every run. */
export const generatedFields = ['requestId', 'requestingDatetime'] as const;

/**
 * The ID of a job, from what its maker gave: `generated` names the fields that were filled in. BullMQ refuses IDs with a
 * colon, which a referenceId may have, and IDs that are whole numbers.
 */
export function jobId(
  operation: NewJob['operation'],
  { request, file, account, additionalFields }: JobData,
  generated: readonly string[] = [],
): string {
  const given = Object.fromEntries(Object.entries(request).filter(([name]) => !generated.includes(name)));
  // A person finds the job by it.
  const named = given['referenceId'] ?? given['lenderTransactionCode'] ?? given['contractNumber'];
  const reference = encodeURIComponent(String(named)).slice(0, 100);
  const content = canonicalText({ given, file, account, additionalFields });
  return `${operation}.${reference}.${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
}

/** Whether a job has the ID of its data. A copy of a job has another one, and the history of none. */
export function hasOwnId(id: string, operation: NewJob['operation'], data: JobData): boolean {
  const [first, second] = generatedFields;
  // The data does not tell which of them were given.
  const possible = [[first, second], [first], [second], []];
  return possible.some((generated) => jobId(operation, data, generated) === id);
}
