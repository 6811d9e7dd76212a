import { valueOf } from '../../protocol/records.js';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { explained, missing, unexplained, type Expectation } from './explanation.js';
import { formSpace } from './form-space.js';
import { jsonSpace } from './json-space.js';
import { Search, type SearchSpace } from './search.js';
import { secretStages } from './secret-space.js';
import type { Diagnosis, RefusedForm, RefusedRequest } from './types.js';
import { readSignature } from './writings.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(bytes: Uint8Array, refused: RefusedRequest): Diagnosis {
  const sent = valueOf(() => utf8.decode(bytes));
  // Bytes that are no text are shown as what a reader would make of them.
  const text = sent ?? Buffer.from(bytes).toString();
  const encoding = refused.signatureEncoding ?? 'hex';
  const signature = hmacSha256(bytes, refused.merchant.secretKey, encoding);
  const space = () => jsonSpace({ bytes, ...(sent !== undefined && { text: sent }) }, text, refused);
  return diagnose({ text, signature, encoding, what: 'the body' }, refused, space);
}

/** Finds out why the signature of an upload was refused. */
export function diagnoseForm(form: RefusedForm, refused: RefusedRequest): Diagnosis {
  const canonical = invoiceCanonicalString(form.fields, { absentFields: refused.absentFields ?? 'empty' });
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
  const secret = Buffer.from(merchant.secretKey);
  const stages = secretStages(refused, referenceId);
  const search = new Search({ ...space, secret, secretStages: stages, candidates });
  const finding = search.run();
  return finding ? explained(expectation, signature, finding, merchant) : unexplained(expectation, signature);
}
