import { isAnswered, isLink, isRefused, type Attempt, type Transcript } from './transcript.js';

/** Something that a probe has created, or might have created. */
export interface Created {
  readonly referenceId: string;
  /** False if the response was lost, or does not say whether it was created. */
  readonly isCertain: boolean;
}

/** Lists everything that the requests of a probe might have created, even requests that should create nothing. */
export function createdIn(transcript: Transcript): { payments: Created[]; invoices: Created[] } {
  const byReference = (
    operation: Attempt['request']['operation'],
    isCertain: (attempt: Attempt) => boolean,
  ) => {
    // Whole requests count, and incomplete requests that were approved anyway. Refused and rate-limited requests
    // create nothing.
    const some = transcript.filter((each) => {
      const { request, response } = each;
      const isAsked = request.operation === operation && (request.content === 'whole' || isCertain(each));
      return isAsked && !isRefused(each) && response?.httpStatus !== 429;
    });
    const references = [...new Set(some.map(({ request }) => request.referenceId))];
    return references.map((referenceId) => ({
      referenceId,
      isCertain: some.some((each) => each.request.referenceId === referenceId && isCertain(each)),
    }));
  };
  const isApproved = (attempt: Attempt) =>
    isAnswered(attempt) && attempt.response.resultStatus === 'APPROVED';
  return {
    payments: byReference('initiatePayment', isLink),
    invoices: byReference('uploadInvoice', isApproved),
  };
}
