/** The options of every job for BullMQ. Failed jobs are kept: a person looks at them. */
export const jobOptions = {
  attempts: 12,
  backoff: { type: 'installment-payments', delay: 5_000 },
  removeOnComplete: { age: 7 * 24 * 60 * 60 },
  removeOnFail: false,
  stackTraceLimit: 3,
};
