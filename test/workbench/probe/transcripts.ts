import type {
  Attempt,
  ProbeRequest,
  ProbeResponse,
  Transcript,
} from '../../../src/workbench/probe/judge/transcript.js';

/** An attempt, by its difference from a whole order with a valid signature and a lost response. */
export interface Written extends Partial<Omit<ProbeRequest, 'inPair'>> {
  /** `200 APPROVED 1 1`: the HTTP status, the resultStatus or -, and the numbers of the link and its page. */
  readonly got?: string;
  readonly inPair?: boolean;
  readonly at?: number;
  readonly took?: number;
}

function responseOf(got: string): ProbeResponse {
  const [httpStatus, resultStatus = '-', link, page] = got.split(' ');
  return {
    httpStatus: Number(httpStatus),
    ...(resultStatus !== '-' && { resultStatus }),
    ...(link !== undefined && { link: Number(link) }),
    ...(page !== undefined && { page: Number(page) }),
    fields: [],
    headers: {},
  };
}

/** A transcript as a probe keeps it. By default, an attempt is sent 10 ms after the attempt before it. */
export function transcript(...written: readonly Written[]): Transcript {
  return written.map(({ got, inPair, at, took = 5, ...request }, index): Attempt => {
    const sentAtMs = at ?? index * 10;
    return {
      number: index + 1,
      request: {
        operation: 'initiatePayment',
        content: 'whole',
        sender: 'right',
        referenceId: 'PROBE-1',
        signatureEncoding: 'hex',
        secretKeyEncoding: 'utf8',
        writing: 'compact',
        offset: '+07:00',
        absentFields: 'empty',
        ...request,
        ...(inPair === true && { inPair }),
      },
      sentAtMs,
      endedAtMs: sentAtMs + took,
      ...(got === undefined ? { lost: 'ECONNRESET' } : { response: responseOf(got) }),
    };
  });
}

/** The attempts for one payment: the same request with these responses; undefined for a lost response. */
export function payment(...responses: readonly (string | undefined)[]): Written[] {
  return responses.map((got) => ({ idempotencyKey: 'key-1', ...(got !== undefined && { got }) }));
}
