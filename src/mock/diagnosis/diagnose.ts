import { decodeUtf8 } from '../../values/encodings.js';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { knownHeaders } from '../../protocol/headers.js';
import { hmacSha256 } from '../../protocol/signature.js';
import type { IncomingRequest } from '../common/exchange.js';
import { wrongDigests } from './digests.js';
import { absentFieldsDecision, keyDecision, notationDecision } from './decisions.js';
import { explained, missing, unexplained, type Expectation } from './explanation.js';
import { wrongKeys } from './keys.js';
import { readSignature } from './notations.js';
import { search } from './search.js';
import { paymentTexts } from './signed/payment-texts.js';
import type { TextsWith } from './signed/signed-texts.js';
import { uploadTexts } from './signed/upload-texts.js';
import type { Diagnosis, RefusedForm, RefusedRequest, SignedAlong } from './types.js';

/*
 * An HMAC cannot be inverted. So the mistakes that merchants make are made again until the signature comes out. There are
 * four lists of rows:
 *
 * 1. what was signed (signed/): the same data as another library writes it, or another text;
 * 2. the key (keys.ts);
 * 3. the digest (digests.ts);
 * 4. the notation of the signature (notations.ts), which is peeled from what was received instead of tried.
 *
 * search.ts tries one row, then two of different lists, and so on. Another mistake is another row.
 */

/** The parts of a request that may have been signed too, as plain data: the request itself holds on to a connection. */
export function signedAlong(request: Pick<IncomingRequest, 'method' | 'path' | 'header'>): SignedAlong {
  return {
    method: request.method,
    path: request.path,
    requestTime: request.header(knownHeaders.requestTime.name),
    idempotencyKey: request.header(knownHeaders.idempotencyKey.name),
  };
}

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(bytes: Uint8Array, refused: RefusedRequest): Diagnosis {
  const encoding = refused.signatureEncoding ?? 'hex';
  const expectation: Expectation = {
    operation: 'payment',
    text: decodeUtf8(bytes) ?? Buffer.from(bytes).toString(),
    signature: hmacSha256(bytes, refused.merchant.secretKey, encoding),
    encoding,
    decisions: [keyDecision, notationDecision(encoding)],
  };
  return diagnose(expectation, refused, () => paymentTexts(bytes, refused));
}

/** Finds out why the signature of an upload was refused. */
export function diagnoseForm(form: RefusedForm, refused: RefusedRequest): Diagnosis {
  const { absentFields = 'empty' } = refused;
  const text = invoiceCanonicalString(form.fields, { absentFields });
  const expectation: Expectation = {
    operation: 'upload',
    text,
    signature: hmacSha256(text, refused.merchant.secretKey),
    encoding: 'hex',
    decisions: [keyDecision, absentFieldsDecision(absentFields)],
  };
  return diagnose(expectation, refused, () => uploadTexts(form, refused));
}

function diagnose(expectation: Expectation, refused: RefusedRequest, textsOf: () => TextsWith): Diagnosis {
  const { signature, merchant } = refused;
  if (signature === undefined || signature === '') return missing(expectation);
  const readings = readSignature(signature, expectation);
  if (readings.length === 0) return unexplained(expectation, signature);
  const { secretKey } = merchant;
  const finding = search({
    texts: textsOf(),
    secretKey,
    keys: wrongKeys(refused),
    digests: wrongDigests,
    readings,
  });
  return finding
    ? explained(expectation, signature, finding, secretKey)
    : unexplained(expectation, signature);
}
