export { createJob } from './create-job.js';
export { createSender } from './create-sender.js';
export { JobFailure } from './job-failure.js';
export { jobOutcome, type JobOutcome } from './job-history.js';
export type {
  CheckedJob,
  JobArguments,
  JobData,
  JobHistory,
  JobResult,
  JobStore,
  NewJob,
  SenderOptions,
} from './job-types.js';
export { ValidationError } from '../errors/errors.js';
