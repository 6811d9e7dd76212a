import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { flag, oneOf, text, textOr, type Command } from './command.js';
import type { Diagnosis } from '../../mock/observation.js';
import { legendOfMarks, whiteSpaceMarks } from '../diagnosis/marks.js';
import { decodeUtf16 } from '../../values/encodings.js';
import { explainNotification, headersIn } from './explain-notification.js';
import { CliError, fileError, type CliIo } from './io.js';
import { printable } from '../../values/texts.js';
import { secretKeyEncodings, secretKeyProblem, type SecretKeyEncoding } from '../../validation/secret-key.js';
import { signatureEncodings } from '../../protocol/signature.js';
import { signedInvoice, signedPayment, withoutFinalBreak, type Signing } from './signed-file.js';

const options = {
  'secret-env': text(
    'NAME',
    'The environment variable that holds the secret key. The arguments of a process can be seen by others, so the key itself is not one of them',
  ),
  headers: text('FILE', 'The headers of the notification, one Name: value a line (explain notification)'),
  received: text('SIGNATURE', 'The signature that was refused (explain signature)'),
  invoice: flag('FILE has the fields of an upload (explain signature)'),
  'secret-encoding': textOr('utf8', 'ENCODING', 'How the secret key is written: utf8, hex or base64'),
  'signature-encoding': textOr(
    'hex',
    'ENCODING',
    'How the signature of a payment is written: hex, hex-upper, base64 or base64url; the signature of an upload is hex, in upper case with hex-upper',
  ),
  'absent-fields': textOr(
    'empty',
    'empty|omit',
    'How the canonical string of an upload shows a field that is not sent',
  ),
} satisfies Command['options'];

const notes = `FILE is the exact body of a payment, or a JSON object with the textual fields of an upload, such as
{ "merchantId": "DEMO-MERCHANT", "referenceId": "ORDER-1" }; - reads standard input.

Examples:

  export INSTALLMENT_SECRET_KEY=demo-secret
  printf %s '{"referenceId":"ORDER-1"}' > body.json
  installment-payments explain payment body.json --secret-env INSTALLMENT_SECRET_KEY
  installment-payments explain signature body.json --received 2c26b46b... --secret-env INSTALLMENT_SECRET_KEY
  installment-payments explain notification body.json --headers headers.txt --secret-env INSTALLMENT_SECRET_KEY

explain notification takes the exact body and the headers of a delivery that you have captured, and finds how it is signed: which
header or field, encoding and prefix, with a timestamp or not, over the body or its sorted fields. It prints a handler that
accepts it, and the template with which the mock sends the same. It sends nothing.

Exit code: 0, 1 for wrong usage and for a notification that no scheme explains, and 2 for a signature that is wrong.`;

const wrongSignature = 2;
const notExplained =
  'No known signature scheme matches. Check that the file has the exact bytes of the body and that you used the key for webhooks. The service may also sign the URL.';

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [kind, file, ...others] = positionals;
  const isKnown = ['payment', 'invoice', 'signature', 'notification'].includes(kind ?? '');
  if (!isKnown || file === undefined || others.length > 0) {
    throw new CliError('explain takes payment, invoice, signature or notification, and one FILE');
  }
  const { received } = values;
  if ((kind === 'notification') !== (values.headers !== undefined))
    throw new CliError('explain notification and --headers FILE belong together');
  if (kind !== 'signature' && (received !== undefined || values.invoice)) {
    throw new CliError('--received and --invoice belong to explain signature');
  }
  const isInvoice = kind === 'invoice' || values.invoice;
  const secretKeyEncoding = oneOf('secret-encoding', values['secret-encoding'], secretKeyEncodings);
  const signing: Signing = {
    signatureEncoding: oneOf('signature-encoding', values['signature-encoding'], signatureEncodings),
    secretKeyEncoding,
    absentFields: oneOf('absent-fields', values['absent-fields'], ['empty', 'omit']),
    secretKey: secretFrom(values['secret-env'], secretKeyEncoding, io),
  };
  if (kind === 'signature' && !received) {
    throw new CliError('--received is missing: give the signature that was refused');
  }
  const written = await (file === '-' ? buffer(io.input) : readFile(file)).catch((error: unknown) => {
    throw fileError('Cannot read', file, error);
  });
  const decoded = decodeUtf16(written);
  const bytes = decoded ?? written;
  if (values.headers !== undefined) {
    const headers = await readFile(values.headers).catch((error: unknown) => {
      throw fileError('--headers: cannot read', values.headers ?? '', error);
    });
    // PowerShell, which writes UTF-16, also ends the last line.
    const body = decoded ? (withoutFinalBreak(decoded) ?? decoded) : bytes;
    const captured = { body, headers: headersIn((decodeUtf16(headers) ?? headers).toString()) };
    const text = explainNotification(captured, signing.secretKey, values['secret-env'] ?? '');
    io.out(printable(text ?? notExplained, '\n'));
    return text === undefined ? 1 : 0;
  }
  if (bytes.length === 0 && kind !== 'payment') throw new CliError(`The file ${printable(file)} is empty`);
  const { signed, signature, warnings, diagnose } = (isInvoice ? signedInvoice : signedPayment)(
    bytes,
    signing,
  );
  // The specification has the signature of an upload in hex, of either case.
  const isCorrect = isInvoice ? signature.toLowerCase() === received?.toLowerCase() : signature === received;
  if (received === undefined) io.out(`${signed}\n\nSignature: ${signature}`);
  else io.out(isCorrect ? 'The signature is correct.' : inWords(diagnose(received)));
  const utf16 = 'the file is UTF-16, as PowerShell writes it: its text is signed as UTF-8 here.';
  const all = decoded ? [utf16, ...warnings] : warnings;
  if (all.length > 0) io.out(`\n${all.map((warning) => `Warning: ${warning}`).join('\n')}`);
  return received === undefined || isCorrect ? 0 : wrongSignature;
}

/** A text with marks for its line breaks and tabs, and for the spaces at the ends of its lines. */
function marked(text: string): string {
  const spaces = text.replaceAll(/^ +| +$/gm, (found) => '·'.repeat(found.length));
  const all = spaces.replaceAll(/[\r\t]/g, (mark) => whiteSpaceMarks[mark] ?? mark);
  return printable(all.replaceAll('\n', '¶\n'), '\n');
}

function inWords({ cause, message, fix, expected, received, firstDifference }: Diagnosis): string {
  const texts = firstDifference
    ? [
        `First difference: after ${firstDifference.byte} bytes (${legendOfMarks})`,
        `Should have been signed: ${marked(expected)}`,
        `Was signed: ${marked(received)}`,
      ]
    : [`Expected: ${printable(expected, '\n\t')}`, `Received: ${printable(received, '\n\t')}`];
  return [`The signature is wrong: ${cause}\n`, message, `\nWhat to do: ${fix}\n`, ...texts].join('\n');
}

const nameRule =
  '--secret-env takes the name of an environment variable, such as INSTALLMENT_SECRET_KEY, and not the secret key itself';

function secretFrom(name: string | undefined, encoding: SecretKeyEncoding, { env }: CliIo): string {
  if (!name) throw new CliError('--secret-env is missing: name the variable that holds the secret');
  // The text may be the secret itself, so it is not repeated.
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new CliError(nameRule);
  // Not what every object inherits.
  const secretKey = Object.hasOwn(env, name) ? env[name] : undefined;
  const problem = secretKey && secretKeyProblem(secretKey, encoding);
  if (problem) throw new CliError(`The environment variable ${name} ${problem}`);
  if (secretKey) return secretKey;
  throw new CliError(`The environment variable ${name} is not set, or is empty: ${nameRule}`);
}

export const explain: Command = {
  name: 'explain',
  summary: 'Shows how a request or a notification is signed, or why a signature is wrong',
  usage: [
    'explain payment FILE --secret-env NAME',
    'explain invoice FILE --secret-env NAME',
    'explain signature FILE --received SIGNATURE --secret-env NAME [--invoice]',
    'explain notification FILE --headers FILE --secret-env NAME',
  ],
  options,
  notes,
  run,
};
