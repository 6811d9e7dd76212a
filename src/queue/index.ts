export { createJob } from './create-job.js';
export { createSender } from './create-sender.js';
export { JobFailure } from './job-failure.js';
export { jobOutcome } from './job-history.js';
export type { JobOutcome } from './job-history.js';
export type {
  AllocationJob,
  CheckedJob,
  InvoiceJob,
  JobArguments,
  JobData,
  JobHistory,
  JobResult,
  JobStore,
  NewJob,
  PaymentJob,
  ReceiptJob,
  SenderOptions,
} from './job-types.js';
