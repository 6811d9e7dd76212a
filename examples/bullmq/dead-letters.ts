/** The jobs that a person has to look at, and what to do with each. */
import type { Job, Queue } from 'bullmq';
import { jobOutcome, type JobOutcome } from 'installment-payments/bullmq';

const advice: Readonly<Record<JobOutcome, string>> = {
  accepted: 'done',
  pending: 'wait',
  not_sent: 'nothing was sent: remove the cause and retry the job',
  rejected: 'the service refused: correct the request and add it as a new job',
  unknown: 'the service may have acted: look it up there before anything else',
};

export async function printDeadLetters(queue: Queue): Promise<void> {
  const failed: Job[] = await queue.getFailed();
  for (const job of failed) {
    const [summary = ''] = job.failedReason.split(': ');
    console.log(
      `${String(job.id)}\n  ${summary}, runs: ${job.attemptsStarted}\n  ${advice[jobOutcome(job)]}`,
    );
  }
}
