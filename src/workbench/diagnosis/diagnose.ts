import { decodeUtf8 } from '../../values/encodings.js';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { hmacSha256, secretKeyObject, uploadEncoding } from '../../protocol/signature.js';
import { explained, missing, placeholder, unexplained, type Expectation } from './explanation.js';
import { isPlaceholder, readSignature, type Reading } from './notations.js';
import { search, waysOf, type Match } from './search.js';
import { paymentTexts } from './signed/payment-texts.js';
import { uploadTexts } from './signed/upload-texts.js';
import type { Diagnosis, RefusedForm, RefusedRequest } from '../../mock/common/diagnosis.js';

/*
 * An HMAC cannot be inverted. So the mistakes that merchants make are made again until the signature comes out. There are
 * four lists of rows:
 *
 * 1. what was signed (signed/): the same data as another library writes it, or another text;
 * 2. the key (keys.ts);
 * 3. the digest (digests.ts);
 * 4. the notation of the signature (notations.ts), which is peeled from what was received instead of tried.
 *
 * search.ts tries one row, then two of different lists, and so on, in bounded work. Another mistake is another row.
 */

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(bytes: Uint8Array, refused: RefusedRequest): Diagnosis {
  const { signatureEncoding: encoding = 'hex', secretKeyEncoding, absentFields = 'empty' } = refused;
  const text = decodeUtf8(bytes) ?? Buffer.from(bytes).toString();
  const signature = hmacSha256(bytes, keyOf(refused), encoding);
  const expectation = { encoding, secretKeyEncoding, absentFields, text, signature };
  return diagnose({ operation: 'payment', ...expectation }, refused, (readings) =>
    search(paymentTexts(bytes, refused), waysOf(refused), readings),
  );
}

/** Finds out why the signature of an upload was refused. */
export function diagnoseForm(form: RefusedForm, refused: RefusedRequest): Diagnosis {
  const { signatureEncoding = 'hex', secretKeyEncoding, absentFields = 'empty' } = refused;
  const encoding = uploadEncoding(signatureEncoding);
  const text = invoiceCanonicalString(form.fields, { absentFields });
  const signature = hmacSha256(text, keyOf(refused), encoding);
  const expectation = { encoding, secretKeyEncoding, absentFields, text, signature };
  return diagnose({ operation: 'upload', ...expectation }, refused, (readings) =>
    search(uploadTexts(form, refused), waysOf(refused), readings),
  );
}

function keyOf({ merchant, secretKeyEncoding }: RefusedRequest) {
  return secretKeyObject(merchant.secretKeys[0], secretKeyEncoding);
}

function diagnose(
  expectation: Expectation,
  { signature, merchant }: RefusedRequest,
  find: (readings: readonly Reading[]) => Match | undefined,
): Diagnosis {
  if (signature === undefined || signature === '') return missing(expectation);
  if (isPlaceholder(signature)) return placeholder(expectation, signature);
  const readings = readSignature(signature, expectation);
  const match = readings.length > 0 ? find(readings) : undefined;
  return match
    ? explained(expectation, signature, match, merchant.secretKeys)
    : unexplained(expectation, signature);
}
