import { decodeUtf8 } from '../../values/encodings.js';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { knownHeaders } from '../../protocol/headers.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { readSignature } from './digest/read-signature.js';
import { explained, missing, unexplained, type Expectation } from './explanation.js';
import type { Candidates } from './ingredient.js';
import { keyStagesOf } from './key.js';
import { paymentCandidates } from './payment/candidate-texts.js';
import { Search } from './search.js';
import type { IncomingRequest } from '../common/delivery.js';
import type { Diagnosis, RefusedForm, RefusedRequest, SignedAlong } from './types.js';
import { uploadCandidates } from './upload/candidate-texts.js';

/*
 * An HMAC cannot be inverted. So the mistakes that callers make are made again, alone and together, until the signature
 * comes out. The words of this folder:
 *
 * draft       what may have been signed: a tree (JSON, or the fields of an upload), the text of it, or bytes
 * key         what may have been the key of the HMAC
 * ingredient  one mistake: a change of a draft or a key, how rare it is, what differs and what to do. A row of a table
 * stage       ingredients of one kind, of which at most one is made; the stages are passed in their order
 * variation   a draft or a key with up to three ingredients in it
 * hashing     a wrong way of making a digest of a draft and a key
 * reading     a digest that the received signature may stand for, with the layers of writing around it
 * cost        of a combination: the sum of its rarities; the cheapest combination that fits a reading is the explanation
 * work        what a search may do, counted and not timed, so that the same request always has the same diagnosis
 *
 * Another mistake is another row: in payment/ or upload/ for the parts of a body, in text/ for the text of either, in
 * key.ts for the key, in digest/ for hashings and layers. tree/ has what they share. A new id is declared in types.ts,
 * its fix is in fixes.json, and rows.test.ts needs a sample that shows it.
 */

/** The parts of a request that may have been signed too, as plain data: the request itself holds on to a connection. */
export function signedAlong(request: Pick<IncomingRequest, 'method' | 'path' | 'header'>): SignedAlong {
  return {
    method: request.method,
    path: request.path,
    requestTime: request.header(knownHeaders.requestTime.name),
    idempotencyKey: request.header(knownHeaders.idempotencyKey.name),
    contentType: request.header(knownHeaders.contentType.name),
  };
}

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(bytes: Uint8Array, refused: RefusedRequest): Diagnosis {
  const sent = decodeUtf8(bytes);
  const encoding = refused.signatureEncoding ?? 'hex';
  const signature = hmacSha256(bytes, refused.merchant.secretKey, encoding);
  const text = sent ?? Buffer.from(bytes).toString();
  return diagnose({ text, signature, encoding, what: 'the body' }, refused, () =>
    paymentCandidates(bytes, sent, refused),
  );
}

/** Finds out why the signature of an upload was refused. */
export function diagnoseForm(form: RefusedForm, refused: RefusedRequest): Diagnosis {
  const text = invoiceCanonicalString(form.fields, { absentFields: refused.absentFields ?? 'empty' });
  // An upload's signature is documented as hex.
  const signature = hmacSha256(text, refused.merchant.secretKey);
  return diagnose({ text, signature, encoding: 'hex', what: 'the canonical string' }, refused, () =>
    uploadCandidates(form, text, refused),
  );
}

function diagnose(
  expectation: Expectation,
  refused: RefusedRequest,
  candidates: () => Candidates,
): Diagnosis {
  const { signature, merchant } = refused;
  if (signature === undefined || signature === '') return missing(expectation);
  const readings = readSignature(signature, expectation.encoding);
  if (readings.length === 0) return unexplained(expectation, signature);
  const { referenceId, draft, stages } = candidates();
  const key = Buffer.from(merchant.secretKey);
  const keyStages = keyStagesOf(refused, referenceId);
  const finding = new Search({ draft, stages, key, keyStages, readings }).run();
  return finding ? explained(expectation, signature, finding, merchant) : unexplained(expectation, signature);
}
