import { parseArgs } from 'node:util';
import { textOr, type Command } from './command.js';
import {
  absentFieldsOption,
  fileIn,
  fileNote,
  readInput,
  secretEncodingOption,
  secretEnvOption,
  signingFrom,
} from './explain-input.js';
import type { CliIo } from './io.js';
import { signedInvoice, signedPayment, type SignedFile, type Signing } from './signed-file.js';

const paymentOptions = {
  ...secretEnvOption,
  ...secretEncodingOption,
  'signature-encoding': textOr(
    'hex',
    'ENCODING',
    'Encoding of the signature: hex, hex-upper, base64 or base64url',
  ),
} satisfies Command['options'];

const invoiceOptions = {
  ...secretEnvOption,
  ...secretEncodingOption,
  'signature-encoding': textOr('hex', 'hex|hex-upper', 'Encoding of the signature'),
  ...absentFieldsOption,
} satisfies Command['options'];

/** The warnings about a signed file, one line each. */
export function warningLines(warnings: readonly string[], wasUtf16: boolean): string[] {
  const utf16 = 'the file is UTF-16, as PowerShell writes it: its text is signed as UTF-8 here.';
  const all = wasUtf16 ? [utf16, ...warnings] : warnings;
  return all.length === 0 ? [] : [`\n${all.map((warning) => `Warning: ${warning}`).join('\n')}`];
}

/** Prints the signed text of a file, and the signature. @returns the exit code */
async function printSigned(
  file: string,
  signing: Signing,
  sign: (bytes: Buffer, signing: Signing) => SignedFile,
  io: CliIo,
): Promise<number> {
  const { bytes, wasUtf16 } = await readInput(file, io);
  const { signed, signature, warnings } = sign(bytes, signing);
  io.out(`${signed}\n\nSignature: ${signature}`);
  for (const line of warningLines(warnings, wasUtf16)) io.out(line);
  return 0;
}

export const explainPaymentCommand: Command = {
  name: 'explain payment',
  summary: 'Shows the bytes that are signed for a payment, and their signature',
  usage: ['explain payment FILE --secret-env NAME [OPTIONS]'],
  options: paymentOptions,
  notes: `FILE contains the exact body of the request. ${fileNote}

Example:

  export INSTALLMENT_SECRET_KEY=demo-secret
  printf %s '{"referenceId":"ORDER-1"}' > body.json
  installment-payments explain payment body.json --secret-env INSTALLMENT_SECRET_KEY

In PowerShell, the first two lines are:

  $env:INSTALLMENT_SECRET_KEY = 'demo-secret'
  Set-Content body.json '{"referenceId":"ORDER-1"}' -NoNewline

Exit code: 0, or 1 for wrong usage.`,
  async run(args, io) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: paymentOptions,
      allowPositionals: true,
    });
    const file = fileIn('explain payment', positionals);
    return printSigned(file, signingFrom(values, io), signedPayment, io);
  },
};

export const explainInvoiceCommand: Command = {
  name: 'explain invoice',
  summary: 'Shows the canonical string that is signed for an upload, and its signature',
  usage: ['explain invoice FILE --secret-env NAME [OPTIONS]'],
  options: invoiceOptions,
  notes: `FILE contains a JSON object with the text fields of the upload:

  { "merchantId": "DEMO-MERCHANT", "referenceId": "ORDER-1" }

${fileNote}

Example:

  installment-payments explain invoice fields.json --secret-env INSTALLMENT_SECRET_KEY

Exit code: 0, or 1 for wrong usage.`,
  async run(args, io) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: invoiceOptions,
      allowPositionals: true,
    });
    const file = fileIn('explain invoice', positionals);
    return printSigned(file, signingFrom(values, io), signedInvoice, io);
  },
};
