import { valueOf } from '../protocol/records.js';
import { signInvoice, signPayment } from '../protocol/signature.js';
import { diagnoseForm, diagnoseJson } from '../mock/diagnosis/diagnose.js';
import type { Diagnosis, RefusedRequest } from '../mock/diagnosis/types.js';
import { visible } from './io.js';

type Fields = Readonly<Record<string, string>>;

/** Explains whether a signature fits a body or the fields of an upload, and if not, why. */
export function explainSignature(signed: Buffer | Fields, received: string, secretKey: string): string {
  const isPayment = Buffer.isBuffer(signed);
  const expected = isPayment ? signPayment(signed, secretKey) : signInvoice(signed, secretKey);
  if (received === expected) return 'The signature is correct.';
  return inWords(isPayment ? ofPayment(signed, received, secretKey) : ofInvoice(signed, received, secretKey));
}

function refused(received: string, secretKey: string, merchantId: unknown): RefusedRequest {
  const merchant = { secretKey, merchantId: typeof merchantId === 'string' ? merchantId : undefined };
  return { merchant, others: [], signature: received };
}

function ofPayment(bytes: Buffer, received: string, secretKey: string): Diagnosis {
  const value = valueOf(() => JSON.parse(bytes.toString()) as unknown);
  const merchantId: unknown = value instanceof Object && 'merchantId' in value ? value.merchantId : undefined;
  return diagnoseJson(bytes, refused(received, secretKey, merchantId));
}

function ofInvoice(fields: Fields, received: string, secretKey: string): Diagnosis {
  const form = { bytes: Buffer.alloc(0), fields, files: [] };
  return diagnoseForm(form, refused(received, secretKey, fields['merchantId']));
}

function inWords({ cause, message, fix, compared, expected, received, firstDifference }: Diagnosis): string {
  const [wanted, found] =
    compared === 'signed text' ? ['Should have been signed', 'Was signed'] : ['Expected', 'Received'];
  return [
    `The signature is wrong: ${cause}\n`,
    message,
    `\nWhat to do: ${fix}\n`,
    ...(firstDifference ? [`First difference: after ${firstDifference.byte} bytes`] : []),
    `${wanted}: ${visible(expected, '\n\t')}`,
    `${found}: ${visible(received, '\n\t')}`,
  ].join('\n');
}
