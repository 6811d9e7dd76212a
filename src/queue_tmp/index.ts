export { createJob } from './create-job.js';
export { createProcessor } from './create-processor.js';
export type { JobProcessor } from './create-processor.js';
export { enqueue } from './enqueue.js';
export type { EnqueuedJob, JobQueue } from './enqueue.js';
export { jobOutcome } from './job-outcome.js';
export type { FinishedJob, JobOutcome } from './job-outcome.js';
export type {
  AllocationJob,
  CheckedJob,
  InvoiceJob,
  JobArguments,
  JobData,
  JobResult,
  LenderCalls,
  MerchantCalls,
  NewJob,
  PaymentJob,
  ProcessedJob,
  ProcessorOptions,
  ReceiptJob,
} from './job-types.js';
export { workerOptions } from './worker-options.js';

// Errors
export { ConfigurationError, ValidationError } from '../errors/errors.js';
