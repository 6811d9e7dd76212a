import { hmacSha256 } from '../../protocol/signature.js';
import { explained, missing, unexplained, type Expectation } from './explanation.js';
import { formSpace } from './form-space.js';
import { jsonSpace } from './json-space.js';
import { Search, type SearchSpace } from './search.js';
import { fullSearch } from './work-pool.js';
import { secretStages } from './secret-space.js';
import type { Diagnosis, RefusedForm, RefusedJson, RefusedRequest } from './types.js';
import { readSignature } from './writings.js';

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(body: RefusedJson, refused: RefusedRequest): Diagnosis {
  // Bytes that are no text are shown as what a reader would make of them.
  const text = body.text ?? Buffer.from(body.bytes).toString();
  const encoding = refused.signatureEncoding ?? 'hex';
  const signature = hmacSha256(body.bytes, refused.merchant.secretKey, encoding);
  const space = () => jsonSpace(body, text, refused);
  return diagnose({ text, signature, encoding, what: 'the body' }, refused, space);
}

/** Finds out why the signature of an upload was refused; `canonical` is what should have been signed. */
export function diagnoseForm(form: RefusedForm, canonical: string, refused: RefusedRequest): Diagnosis {
  // An upload's signature is documented as hex.
  const signature = hmacSha256(canonical, refused.merchant.secretKey);
  const space = () => formSpace(form, canonical, refused);
  return diagnose(
    { text: canonical, signature, encoding: 'hex', what: 'the canonical string' },
    refused,
    space,
  );
}

type TextSpace = Pick<SearchSpace, 'text' | 'textStages'> & { readonly referenceId: string | undefined };

function diagnose(expectation: Expectation, refused: RefusedRequest, spaceOf: () => TextSpace): Diagnosis {
  const { signature, merchant } = refused;
  if (signature === undefined || signature === '') return missing(expectation);
  const candidates = readSignature(signature, expectation.encoding);
  if (candidates.length === 0) return unexplained(expectation, signature);
  const { referenceId, ...space } = spaceOf();
  const limit = refused.pool?.limit() ?? fullSearch;
  const secret = Buffer.from(merchant.secretKey);
  const stages = secretStages(refused, referenceId);
  const search = new Search({ ...space, secret, secretStages: stages, candidates }, limit);
  const finding = search.run();
  refused.pool?.spend(search.spent);
  return finding
    ? explained(expectation, signature, finding, merchant)
    : unexplained(expectation, signature, limit < fullSearch);
}
