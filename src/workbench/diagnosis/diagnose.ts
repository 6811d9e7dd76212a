import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { hmacSha256, uploadEncoding } from '../../protocol/signature.js';
import { secretKeyObject } from '../../validation/secret-key.js';
import { explained, diagnosisOf, unexplained, unsigned } from './explanation.js';
import { isPlaceholder, readSignature, type ExpectedNotation } from './notations.js';
import { Search, type Candidates } from './search.js';
import { withoutSecrets } from '../../values/secrets.js';
import { signingsOf } from './signings.js';
import type { Text } from './candidates/candidate.js';
import { paymentCandidates } from './candidates/payment-candidates.js';
import { uploadCandidates } from './candidates/upload-candidates.js';
import type { Diagnosis, RefusedForm, RefusedRequest } from '../../mock/observation.js';

/*
 * An HMAC cannot be inverted. So this module repeats the mistakes that merchants make until the signature matches.
 * There are four lists of mistakes, with a row for each mistake:
 *
 * 1. mistakes in the text that was signed (candidates/): the same data in the form of another library, or another text
 * 2. mistakes in the key (keys.ts)
 * 3. mistakes in the digest (signings.ts)
 * 4. mistakes in the notation of the signature (notations.ts). They are not repeated: the notation is removed from the
 *    received signature.
 *
 * search.ts tries one row, then two rows of different lists, and ends at a limit of work. A new mistake is a new row,
 * with its sentence in sentences.json and its fix in fixes.json.
 */

/** The beginning of a form that a library made from the data: merchantId=…, amount%5Bvalue%5D=… */
const form = /^[\w%.[\]-]+=/;

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(bytes: Uint8Array, refused: RefusedRequest): Diagnosis {
  const { signatureEncoding: encoding = 'hex' } = refused;
  const candidates = paymentCandidates(bytes, refused);
  return diagnose({ operation: 'payment', encoding }, bytes, candidates, refused);
}

/** Finds out why the signature of an upload was refused. */
export function diagnoseForm(upload: RefusedForm, refused: RefusedRequest): Diagnosis {
  const encoding = uploadEncoding(refused.signatureEncoding ?? 'hex');
  const signed = invoiceCanonicalString(upload.fields, refused);
  const candidates = uploadCandidates(upload, refused);
  return diagnose({ operation: 'upload', encoding }, signed, candidates, refused);
}

function diagnose(
  notation: ExpectedNotation,
  signed: Text,
  candidates: Candidates,
  refused: RefusedRequest,
): Diagnosis {
  const { signature: received = '', merchant, others, secretKeyEncoding, absentFields } = refused;
  const key = secretKeyObject(merchant.secretKeys[0], secretKeyEncoding);
  const text = Buffer.from(signed).toString();
  const secretKeys = [merchant, ...others].flatMap((each) => each.secretKeys);
  const signature = hmacSha256(signed, key, notation.encoding);
  const expectation = { ...notation, secretKeyEncoding, absentFields, text, signature, secretKeys };
  if (received === '' || isPlaceholder(received)) return unsigned(expectation, received);
  const masked = withoutSecrets(received, secretKeys);
  const readings = readSignature(received, notation);
  const found = new Search(candidates, signingsOf(refused), readings).run();
  if (found) return explained(expectation, masked, found);
  if (masked !== received) return diagnosisOf(expectation, masked, 'secret-as-signature');
  if (isPlaceholder(text)) return diagnosisOf(expectation, received, 'body-placeholder.sent', text);
  if (notation.operation === 'payment' && form.test(text))
    return diagnosisOf(expectation, received, 'body-form');
  return unexplained(expectation, received);
}
