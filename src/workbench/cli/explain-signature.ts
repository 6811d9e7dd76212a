import { parseArgs } from 'node:util';
import type { Diagnosis } from '../../mock/observation.js';
import { legendOfMarks, whiteSpaceMarks } from '../diagnosis/marks.js';
import { flag, text, textOr, type Command } from './command.js';
import {
  absentFieldsOption,
  fileIn,
  fileNote,
  readInput,
  secretEncodingOption,
  secretEnvOption,
  signingFrom,
} from './explain-input.js';
import { warningLines } from './explain-request.js';
import { CliError, type CliIo } from './io.js';
import { printable } from '../../values/texts.js';
import { signedInvoice, signedPayment } from './signed-file.js';

const explainSignatureOptions = {
  received: text('SIGNATURE', 'Signature header of the request that the service refused'),
  ...secretEnvOption,
  invoice: flag('FILE contains the text fields of an upload'),
  ...secretEncodingOption,
  'signature-encoding': textOr(
    'hex',
    'ENCODING',
    'Encoding of the expected signature: for a payment hex, hex-upper, base64 or base64url, for an upload hex or hex-upper',
  ),
  ...absentFieldsOption,
} satisfies Command['options'];

const wrongSignature = 2;

/** Explains a signature. @returns the exit code */
async function runExplainSignature(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: explainSignatureOptions,
    allowPositionals: true,
  });
  const { received, invoice: isInvoice } = values;
  const file = fileIn('explain signature', positionals);
  const signing = signingFrom(values, io);
  if (!received)
    throw new CliError(
      '--received is missing: pass the Signature header of the request that the service refused',
    );
  const { bytes, wasUtf16 } = await readInput(file, io);
  if (bytes.length === 0) throw new CliError(`The file ${printable(file)} is empty`);
  const { signature, warnings, diagnose } = (isInvoice ? signedInvoice : signedPayment)(bytes, signing);
  // The specification allows upper and lower case for the signature of an upload.
  const isCorrect = isInvoice ? signature.toLowerCase() === received.toLowerCase() : signature === received;
  io.out(isCorrect ? 'The signature is correct.' : diagnosisText(diagnose(received)));
  for (const line of warningLines(warnings, wasUtf16)) io.out(line);
  return isCorrect ? 0 : wrongSignature;
}

/** Returns a text with marks for its line breaks and tabs, and for the spaces at the ends of its lines. */
function marked(text: string): string {
  const spaces = text.replaceAll(/^ +| +$/gm, (found) => '·'.repeat(found.length));
  const all = spaces.replaceAll(/[\r\t]/g, (mark) => whiteSpaceMarks[mark] ?? mark);
  return printable(all.replaceAll('\n', '¶\n'), '\n');
}

function diagnosisText({ cause, message, fix, expected, received, firstDifference }: Diagnosis): string {
  const texts = firstDifference
    ? [
        `First difference: after ${firstDifference.byte} bytes (${legendOfMarks})`,
        `Should have been signed: ${marked(expected)}`,
        `Was signed: ${marked(received)}`,
      ]
    : [`Expected: ${printable(expected, '\n\t')}`, `Received: ${printable(received, '\n\t')}`];
  return [`The signature is wrong: ${cause}\n`, message, `\nWhat to do: ${fix}\n`, ...texts].join('\n');
}

export const explainSignatureCommand: Command = {
  name: 'explain signature',
  summary: 'Shows why a signature is wrong',
  usage: ['explain signature FILE --received SIGNATURE --secret-env NAME [OPTIONS]'],
  options: explainSignatureOptions,
  notes: `FILE contains the exact body of a payment, or with --invoice a JSON object with the text fields of an upload. ${fileNote}

Examples:

  installment-payments explain signature body.json --received 2c26b46b... \\
    --secret-env INSTALLMENT_SECRET_KEY
  installment-payments explain signature fields.json --invoice --received 2c26b46b... \\
    --secret-env INSTALLMENT_SECRET_KEY

In PowerShell, write a backtick instead of the backslash at the end of a line.

Exit code: 0 if the signature is correct, 2 if it is wrong, 1 for wrong usage.`,
  run: runExplainSignature,
};
