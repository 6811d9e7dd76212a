import * as z from 'zod';
import type { InstallmentClient } from '../client.js';
import type { LenderClient } from '../lender/lender-client.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { isRecord } from '../protocol/records.js';
import type { ProcessedJob } from './job-types.js';

/** Options of `createProcessor`. At least one client is needed. */
export interface ProcessorOptions {
  /** Sends payments and invoices. */
  readonly client?: Pick<InstallmentClient, 'initiatePayment' | 'uploadInvoice'> | undefined;
  /** Sends the notifications of a lender. */
  readonly lender?: Pick<LenderClient, 'notifyPaymentReceipt' | 'notifyRepaymentAllocation'> | undefined;
  /**
   * Loads the file of an upload by what {@link createJob} was given as `file`. If it rejects, nothing is sent and the
   * job is tried again, unless its error is named `UnrecoverableError`, as BullMQ's is.
   */
  readonly loadFile?:
    ((file: unknown, job: ProcessedJob) => InvoiceFileInput | Promise<InvoiceFileInput>) | undefined;
}

/** What the options are checked against. */
export const processorRules = z
  .strictObject(
    {
      client: z.custom<NonNullable<ProcessorOptions['client']>>(isRecord, 'must be a client').optional(),
      lender: z.custom<NonNullable<ProcessorOptions['lender']>>(isRecord, 'must be a client').optional(),
      loadFile: z
        .custom<NonNullable<ProcessorOptions['loadFile']>>(
          (value) => typeof value === 'function',
          'must be a function',
        )
        .optional(),
    },
    'must be an object',
  )
  .refine(({ client, lender }) => client !== undefined || lender !== undefined, {
    path: ['client'],
    message: 'is required when there is no lender: pass one of them',
  });
