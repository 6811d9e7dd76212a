import { parseArgs } from 'node:util';
import { byteOrderMark, decodeUtf8, withoutMark } from '../values/encodings.js';
import { isJson } from '../protocol/json-text.js';
import { isRecord, jsonIn } from '../values/untrusted-values.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../protocol/canonical-string.js';
import { hmacSha256, signInvoice } from '../protocol/signature.js';
import { flag, oneOf, text, textOr, texts, type Command } from './command.js';
import {
  explainInvoiceSignature,
  explainPaymentSignature,
  withoutFinalBreak,
  type Switches,
} from './explain-signature.js';
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
    const { isCorrect, text } = isInvoice
      ? explainInvoiceSignature(
          fieldsOf(decodeUtf8(bytes)),
          { received: received ?? '', secretKey, headers },
          switches,
        )
      : explainPaymentSignature(bytes, { received: received ?? '', secretKey, headers }, switches);
    io.out(text);
    return isCorrect ? 0 : wrongSignature;
  }
  const explanation = isInvoice
    ? explainInvoice(bytes, secretKey, switches)
    : explainPayment(bytes, secretKey, switches);
  const warnings = [...explanation.warnings, ...secretWarnings(secretKey)];
  io.out(`${explanation.about}:\n\n${shown(explanation.text)}\n`);
  io.out(`Signature: ${explanation.signature}`);
  if (warnings.length > 0) io.out(`\n${warnings.map((warning) => `Warning: ${warning}`).join('\n')}`);
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

function secretFrom(name: string | undefined, { env }: CliIo): string {
  if (!name) throw new CliError('--secret-env is missing: name the variable that holds the secret');
  // The text may be the secret itself, so it is not repeated.
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new CliError(
      '--secret-env takes the name of an environment variable, such as INSTALLMENT_SECRET_KEY, and not the secret key itself',
    );
  }
  // Not what every object inherits.
  const secretKey = Object.hasOwn(env, name) ? env[name] : undefined;
  if (secretKey) return secretKey;
  throw new CliError(
    `The environment variable ${name} is not set, or is empty: --secret-env takes the name of a variable, such as INSTALLMENT_SECRET_KEY, and not the secret key itself`,
  );
}

/** The length of a long order; more would only fill the terminal. */
const shownCharacters = 64 * 1024;

/** The start of a text, with every character that a terminal would interpret escaped. */
function shown(text: string): string {
  const start = visible(text.slice(0, shownCharacters), '\n\t');
  const left = text.length - shownCharacters;
  return left > 0 ? `${start}… (${left} more characters)` : start;
}

/** The signed text of a request, its signature, and warnings about likely mistakes. */
function explainPayment(bytes: Buffer, secretKey: string, { signatureEncoding }: Switches) {
  const text = decodeUtf8(bytes);
  const sign = (signed: Buffer) => hmacSha256(signed, secretKey, signatureEncoding);
  const body = withoutFinalBreak(bytes);
  return {
    about: `Signed bytes (${String(bytes.length)}, exactly as in the file)`,
    text: text ?? bytes.subarray(0, shownCharacters + 1).toString('latin1'),
    signature: sign(bytes),
    warnings: [
      ...(text === undefined ? ['the body is not UTF-8.'] : bodyWarnings(text)),
      ...(body ? [`without the line break at its end the signature is ${sign(body)}.`] : []),
    ],
  };
}

function bodyWarnings(text: string): string[] {
  if (text === '') return ['the file is empty: this is the signature of nothing.'];
  const found = textWarnings('the body', text);
  if (text.startsWith(byteOrderMark)) {
    found.push('the body begins with a byte order mark, which is signed too: save the file without it.');
  }
  const value = jsonIn(withoutMark(text));
  if (value === undefined) found.push('the body is not JSON.');
  else if (typeof value === 'string' && isJson(value)) {
    found.push(
      'the body is JSON encoded twice: a string that holds the JSON. Python (requests): data=body, not json=body.',
    );
  } else if (!isRecord(value)) found.push('the body is not a JSON object.');
  return found;
}

/** Warnings about likely differences between the text that is signed and the text that is sent. */
function textWarnings(what: string, text: string): string[] {
  const found: string[] = [];
  if (text.normalize('NFC') !== text) {
    found.push(`${what} is not NFC: signing and sending must use the same form.`);
  }
  if (/[\r\n]$/.test(text)) found.push(`${what} has a trailing line break, which is signed too.`);
  if (text.includes('\r\n')) found.push(`${what} has CR LF line breaks, which must be sent as they are.`);
  return found;
}

function explainInvoice(bytes: Buffer, secretKey: string, switches: Switches) {
  const text = decodeUtf8(bytes);
  const fields = fieldsOf(text);
  const warnings = Object.entries(fields).flatMap(([name, value]) => fieldWarnings(name, value));
  if (text?.startsWith(byteOrderMark)) {
    warnings.push('the file begins with a byte order mark, which is not part of a field and is not signed.');
  }
  return {
    about: 'Canonical string',
    text: invoiceCanonicalString(fields, switches),
    signature: signInvoice(fields, secretKey, switches),
    warnings,
  };
}

function fieldsOf(text: string | undefined): Record<string, string> {
  const value = jsonIn(withoutMark(text ?? ''));
  if (value === undefined) throw new CliError('The file is not JSON in UTF-8');
  if (!isRecord(value)) throw new CliError('The file must contain a JSON object whose values are strings');
  const wrong = Object.entries(value).flatMap(([name, field]) =>
    typeof field === 'string' ? [] : [`${visible(name.slice(0, 60))} is ${kindOf(field)}`],
  );
  if (wrong.length === 0) return value as Record<string, string>;
  throw new CliError(
    `The file must contain the fields as strings, as a form sends them: ${wrong.slice(0, 8).join(', ')}`,
  );
}

/** A value of JSON that is not a string, in words, such as `a number: write "12"`. */
function kindOf(value: unknown): string {
  if (value === null) return 'null: leave it out';
  if (typeof value !== 'object') return `a ${typeof value}: write ${JSON.stringify(JSON.stringify(value))}`;
  return `${Array.isArray(value) ? 'an array' : 'an object'}: write it as a string of JSON`;
}

function fieldWarnings(name: string, value: string): string[] {
  const what = visible(name);
  if (!signedInvoiceFields.some((signed) => signed === name)) {
    return [`${what} is not part of the signature.`];
  }
  const found = textWarnings(what, value);
  if (/[&=]/.test(value)) {
    found.push(`${what} contains a separator (& or =), which is signed without escaping.`);
  }
  if (!value.isWellFormed()) found.push(`${what} contains half of a surrogate pair, which cannot be sent.`);
  return found;
}

function secretWarnings(secretKey: string): string[] {
  return secretKey.trim() === secretKey ? [] : ['the secret key has white space at its beginning or end.'];
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
