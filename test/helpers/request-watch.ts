import { expectedSignature, type ArrivedRequest, type SigningSwitches } from './wire-reader.js';

/** The secrets with which tests sign. A suite with another secret adds it. */
export const knownSecrets = new Set(['demo-secret', 'khoá-bí-mật', 'canary-secret-key-58d1']);

const variants: readonly SigningSwitches[] = [{}, { signatureEncoding: 'base64' }, { absentFields: 'omit' }];

let problems: string[] = [];

/** Records a request that is wrongly signed for the second reader. The test during which it arrived fails. */
export function noteWrongSignature(where: string, { headers }: ArrivedRequest): void {
  problems.push(
    `${where}: the signature ${headers['signature'] ?? ''} of a request with the content type ` +
      `${headers['content-type'] ?? ''} differs from the signature that test/helpers/wire-reader.ts computes; ` +
      'if the test uses another secret, add it to knownSecrets',
  );
}

/** Checks the signature of a request that arrived at a server of the tests, if it has one. */
export function watchRequest(where: string, request: ArrivedRequest & { readonly path: string }): void {
  const signature = request.headers['signature'];
  // A lender signs only if it has agreed that with the service.
  if (signature === undefined || request.path.startsWith('/lender/')) return;
  const isRight = [...knownSecrets].some((secret) =>
    variants.some((switches) => expectedSignature(request, secret, switches) === signature),
  );
  if (!isRight) noteWrongSignature(where, request);
}

/** The requests that were recorded since the last call. */
export function takeProblems(): string[] {
  const taken = problems;
  problems = [];
  return taken;
}
