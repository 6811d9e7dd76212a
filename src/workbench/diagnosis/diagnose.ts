import { decodeUtf8 } from '../../values/encodings.js';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { hmacSha256, secretKeyObject, uploadEncoding } from '../../protocol/signature.js';
import { digests } from './digests.js';
import { explained, missing, unexplained, type Expectation } from './explanation.js';
import { wrongKeys } from './keys.js';
import { readSignature } from './notations.js';
import { search } from './search.js';
import { paymentTexts } from './signed/payment-texts.js';
import type { TextsWith } from './signed/signed-texts.js';
import { uploadTexts } from './signed/upload-texts.js';
import type { Diagnosis, RefusedForm, RefusedRequest } from './types.js';

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

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(bytes: Uint8Array, refused: RefusedRequest): Diagnosis {
  const { signatureEncoding: encoding = 'hex', secretKeyEncoding, absentFields = 'empty' } = refused;
  const text = decodeUtf8(bytes) ?? Buffer.from(bytes).toString();
  const signature = hmacSha256(bytes, keyOf(refused), encoding);
  const expectation = {
    operation: 'payment',
    encoding,
    secretKeyEncoding,
    absentFields,
    text,
    signature,
  } as const;
  return diagnose(expectation, refused, () => paymentTexts(bytes, refused));
}

/** Finds out why the signature of an upload was refused. */
export function diagnoseForm(form: RefusedForm, refused: RefusedRequest): Diagnosis {
  const { absentFields = 'empty', secretKeyEncoding } = refused;
  const encoding = uploadEncoding(refused.signatureEncoding ?? 'hex');
  const text = invoiceCanonicalString(form.fields, { absentFields });
  const signature = hmacSha256(text, keyOf(refused), encoding);
  const expectation = {
    operation: 'upload',
    encoding,
    secretKeyEncoding,
    absentFields,
    text,
    signature,
  } as const;
  return diagnose(expectation, refused, () => uploadTexts(form, refused));
}

function keyOf({ merchant, secretKeyEncoding }: RefusedRequest) {
  return secretKeyObject(merchant.secretKeys[0], secretKeyEncoding);
}

function diagnose(expectation: Expectation, refused: RefusedRequest, textsOf: () => TextsWith): Diagnosis {
  const { signature, merchant, secretKeyEncoding } = refused;
  if (signature === undefined || signature === '') return missing(expectation);
  const readings = readSignature(signature, expectation);
  if (readings.length === 0) return unexplained(expectation, signature);
  const { secretKeys } = merchant;
  const match = search({
    texts: textsOf(),
    secretKeys,
    secretKeyEncoding,
    keys: wrongKeys(refused),
    digests,
    readings,
  });
  return match ? explained(expectation, signature, match, secretKeys) : unexplained(expectation, signature);
}
