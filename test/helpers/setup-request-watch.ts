import { afterEach, vi } from 'vitest';
import { expectedSignature } from './wire-reader.js';
import { noteWrongSignature, takeProblems } from './request-watch.js';

// This watches every mock in the process of a test, whatever adapter it uses. A request that it accepts must also be
// valid for a reader that shares no code with it.
vi.mock(import('../../src/mock/service/dispatch.js'), async (original) => {
  const module = await original();
  const dispatch: typeof module.dispatch = async (request, mock, resetSignal) => {
    let body: Buffer | undefined;
    const readBody = async (limit: number) => (body = await request.readBody(limit));
    const delivery = await module.dispatch(
      {
        ...request,
        header: (name) => request.header(name),
        toRequest: (bytes) => request.toRequest(bytes),
        readBody,
      },
      mock,
      resetSignal,
    );
    const merchant = mock.merchants.get(request.header('client-id') ?? '');
    const signature = request.header('signature');
    if (!body || !merchant || signature === undefined || delivery.kind !== 'response') return delivery;
    const isAccepted = delivery.response.body.includes('"resultStatus":"APPROVED"');
    const arrived = { headers: { signature, 'content-type': request.header('content-type') }, body };
    // An upload's signature is hex in upper or lower case.
    const isUpload = request.path.endsWith('/upload-invoice');
    const written = (text = '') => (isUpload ? text.toLowerCase() : text);
    const isRight = merchant
      .credentials()
      .secretKeys.some((key) => written(expectedSignature(arrived, key, mock.wire)) === written(signature));
    if (isAccepted && !isRight) noteWrongSignature('the mock accepted a request', arrived);
    return delivery;
  };
  return { ...module, dispatch };
});

afterEach(() => {
  const problems = takeProblems();
  if (problems.length > 0) throw new Error(problems.join('\n'));
});
