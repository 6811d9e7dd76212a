export { createJob } from '../queue/create-job.js';
export type { JobOutcome } from '../queue/job-history.js';
export type { CheckedJob, JobData, JobResult, NewJob } from '../queue/job-types.js';
export { createProcessor, type JobProcessor, type ProcessorOptions } from './create-processor.js';
export { enqueue, type EnqueuedJob } from './enqueue.js';
export { jobOutcome } from './job-outcome.js';
export { workerOptions } from './worker-options.js';
export { ValidationError } from '../errors/errors.js';
