import { isAnswered, isLink, isRefused, type Attempt, type Transcript } from './transcript.js';

/** Something that a probe has created, or might have created. */
export interface Created {
  readonly referenceId: string;
  /** False if the response was lost, or does not say whether anything was created. */
  readonly isCertain: boolean;
}

/** Lists everything that the requests of a probe might have created, even requests that should create nothing. */
export function createdIn(transcript: Transcript): { payments: Created[]; invoices: Created[] } {
  const byReference = (
    operation: Attempt['request']['operation'],
    isCertain: (attempt: Attempt) => boolean,
  ) => {
    // A whole request can create something. An incomplete request counts only if its response shows that it has created
    // something. Refused and rate-limited requests create nothing.
    const creating = transcript.filter((each) => {
      const { request, response } = each;
      const canCreate = request.operation === operation && (request.content === 'whole' || isCertain(each));
      return canCreate && !isRefused(each) && response?.httpStatus !== 429;
    });
    const references = [...new Set(creating.map(({ request }) => request.referenceId))];
    return references.map((referenceId) => ({
      referenceId,
      isCertain: creating.some((each) => each.request.referenceId === referenceId && isCertain(each)),
    }));
  };
  const isApproved = (attempt: Attempt) =>
    isAnswered(attempt) && attempt.response.resultStatus === 'APPROVED';
  return {
    payments: byReference('initiatePayment', isLink),
    invoices: byReference('uploadInvoice', isApproved),
  };
}
