import {
  isAnswered,
  isRefused,
  responseText,
  type Answered,
  type Attempt,
  type Form,
  type ProbeRequest,
  type Transcript,
} from './transcript.js';

/** A form of the signature that the service accepts, with the two attempts that show it. */
export interface Accepted {
  readonly form: Form;
  readonly evidence: readonly [right: Answered, control: Answered];
}

const formFields = ['signatureEncoding', 'secretKeyEncoding', 'writing', 'offset', 'absentFields'] as const;

function formOf(request: ProbeRequest): Form {
  const { signatureEncoding, secretKeyEncoding, writing, offset, absentFields } = request;
  return { signatureEncoding, secretKeyEncoding, writing, offset, absentFields };
}

/** True for two requests with the same operation, the same content and the same parts of a form. */
function isSame(left: ProbeRequest, right: ProbeRequest, names: readonly (keyof Form)[]): boolean {
  const { operation, content } = left;
  return (
    operation === right.operation &&
    content === right.content &&
    names.every((name) => left[name] === right[name])
  );
}

/**
 * Returns the controls of a request: requests with a wrong signature. If the request is accepted, its response differs
 * from all responses to its controls. The controls are:
 *
 * - all such requests in the same notation, because a service might refuse an unknown notation with a different status
 * - the first such request in any notation, because a check before the signature, such as the check for duplicates,
 *   might change the responses to later requests
 */
function controlsOf({ request }: Attempt, transcript: Transcript): Answered[] {
  const wrong = transcript
    .filter(isAnswered)
    .filter(({ request: { sender } }) => sender === 'wrong signature');
  const sameNotation = wrong.filter((each) =>
    isSame(each.request, request, ['signatureEncoding', 'writing', 'offset']),
  );
  const first = wrong.find((each) => isSame(each.request, request, ['offset']));
  return sameNotation.length > 0 && first ? [...sameNotation, first] : [];
}

/**
 * The first form in which a request was accepted: its response does not refuse the signature, and differs from the
 * responses to its controls.
 */
export function acceptedForm(
  transcript: Transcript,
  operation: ProbeRequest['operation'] = 'initiatePayment',
): Accepted | undefined {
  for (const right of transcript.filter(isAnswered)) {
    const isOwn = right.request.operation === operation && right.request.sender === 'right';
    if (!isOwn || isAboutSignature(right)) continue;
    const controls = controlsOf(right, transcript);
    const [control] = controls;
    const differs = controls.every((each) => responseText(each.response) !== responseText(right.response));
    if (control && differs) return { form: formOf(right.request), evidence: [right, control] };
  }
  return undefined;
}

/** True for a response that refuses the signature. */
export function isAboutSignature({ response: { httpStatus, resultStatus } }: Answered): boolean {
  return (
    resultStatus === 'INVALID_SIGNATURE' || (resultStatus === undefined && [401, 403].includes(httpStatus))
  );
}

/**
 * The attempt whose indented order was refused like an order with a wrong signature, although a different writing was
 * accepted.
 */
export function refusedIndented(
  transcript: Transcript,
  { form, evidence: [, control] }: Accepted,
): Attempt | undefined {
  return transcript
    .filter(isRefused)
    .find(
      ({ request, response }) =>
        request.writing === 'indented' &&
        request.sender === 'right' &&
        formFields.every((name) => name === 'writing' || request[name] === form[name]) &&
        responseText(response) === responseText(control.response),
    );
}
