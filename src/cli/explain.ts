import { parseArgs } from 'node:util';
import { decodeUtf8 } from '../values/encodings.js';
import { flag, oneOf, text, textOr, texts, type Command } from './command.js';
import { explainInvoice, explainPayment, fieldsOf } from './explain-request.js';
import { explainInvoiceSignature, explainPaymentSignature, type Switches } from './explain-signature.js';
import { CliError, visible, type CliIo } from './io.js';
import { readSignedFile } from './signed-file.js';

const options = {
  'secret-env': text(
    'NAME',
    'The environment variable that holds the secret key. The arguments of a process can be seen by others, so the key itself is not one of them',
  ),
  received: text('SIGNATURE', 'The signature that was refused (explain signature)'),
  header: texts(
    "'NAME: VALUE'",
    'A header of the refused request, such as its Client-Id or Request-Time, which may have been signed too (explain signature)',
  ),
  invoice: flag('FILE has the fields of an upload (explain signature)'),
  'signature-encoding': textOr(
    'hex',
    'hex|base64',
    'How the signature of a payment is written; the signature of an upload is always hex',
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

Exit code: 0, 1 for wrong usage, and 2 for a signature that is wrong.`;

const wrongSignature = 2;

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [kind, file, ...others] = positionals;
  const isKnown = kind === 'payment' || kind === 'invoice' || kind === 'signature';
  if (!isKnown || file === undefined || others.length > 0) {
    throw new CliError('explain takes payment or invoice or signature, and one FILE');
  }
  const { received, header = [] } = values;
  if (kind !== 'signature' && (received !== undefined || values.invoice || header.length > 0)) {
    throw new CliError('--received, --header and --invoice belong to explain signature');
  }
  const headers = headersFrom(header);
  const isInvoice = kind === 'invoice' || values.invoice;
  const switches = switchesFrom(values, isInvoice);
  const secretKey = secretFrom(values['secret-env'], io);
  if (kind === 'signature' && !received) {
    throw new CliError('--received is missing: give the signature that was refused');
  }
  const bytes = await readSignedFile(file, io);
  if (bytes.length === 0 && kind !== 'payment') throw new CliError(`The file ${visible(file)} is empty`);
  if (kind === 'signature') {
    const refused = { received: received ?? '', secretKey, headers };
    const { isCorrect, text } = isInvoice
      ? explainInvoiceSignature(fieldsOf(decodeUtf8(bytes)), refused, switches)
      : explainPaymentSignature(bytes, refused, switches);
    io.out(text);
    return isCorrect ? 0 : wrongSignature;
  }
  io.out((isInvoice ? explainInvoice : explainPayment)(bytes, secretKey, switches));
  return 0;
}

function switchesFrom(
  values: { readonly 'signature-encoding': string; readonly 'absent-fields': string },
  isInvoice: boolean,
): Switches {
  const signatureEncoding = oneOf('signature-encoding', values['signature-encoding'], ['hex', 'base64']);
  const absentFields = oneOf('absent-fields', values['absent-fields'], ['empty', 'omit']);
  if (isInvoice && signatureEncoding !== 'hex') {
    throw new CliError('--signature-encoding is about payments: the signature of an upload is always hex');
  }
  if (!isInvoice && absentFields !== 'empty') {
    throw new CliError('--absent-fields is about uploads: a payment is signed as it is sent');
  }
  return { signatureEncoding, absentFields };
}

function headersFrom(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.map((line) => {
      const [, name, value] = /^([\w-]+):\s*(.*\S)\s*$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name.toLowerCase(), value];
      throw new CliError("--header takes a name and a value, such as 'Request-Time: 2026-11-20 10:04:05'");
    }),
  );
}

const nameRule =
  '--secret-env takes the name of an environment variable, such as INSTALLMENT_SECRET_KEY, and not the secret key itself';

function secretFrom(name: string | undefined, { env }: CliIo): string {
  if (!name) throw new CliError('--secret-env is missing: name the variable that holds the secret');
  // The text may be the secret itself, so it is not repeated.
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new CliError(nameRule);
  // Not what every object inherits.
  const secretKey = Object.hasOwn(env, name) ? env[name] : undefined;
  if (secretKey) return secretKey;
  throw new CliError(`The environment variable ${name} is not set, or is empty: ${nameRule}`);
}

export const explain: Command = {
  name: 'explain',
  summary: 'Shows how a request is signed, or why a signature is wrong',
  usage: [
    'explain payment FILE --secret-env NAME',
    'explain invoice FILE --secret-env NAME',
    'explain signature FILE --received SIGNATURE --secret-env NAME [--invoice]',
  ],
  options,
  hints: {
    secret:
      'the arguments of a process can be seen by others: put the secret key into an environment variable and name that variable with --secret-env',
  },
  notes,
  run,
};
