export { createJob } from '../queue/create-job.js';
export type { JobOutcome } from '../queue/job-history.js';
export type { CheckedJob, JobData, JobResult, NewJob } from '../queue/job-types.js';
export { createProcessor } from './create-processor.js';
export type { JobProcessor } from './create-processor.js';
export { enqueue } from './enqueue.js';
export type { EnqueuedJob } from './enqueue.js';
export { jobOutcome } from './job-outcome.js';
export type { ProcessorOptions } from './job-types.js';
export { workerOptions } from './worker-options.js';

// Errors
export { ValidationError } from '../errors/errors.js';
