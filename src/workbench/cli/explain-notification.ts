import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findScheme, type Captured } from '../notification/find-scheme.js';
import { handlerCode, describeScheme } from '../notification/print-scheme.js';
import { templateOf } from '../notification/print-template.js';
import { decodeUtf16, jsonIn } from '../../values/encodings.js';
import { text, type Command } from './command.js';
import { fileIn, fileNote, readInput, secretEnvOption, signingFrom } from './explain-input.js';
import { CliError, fileError, type CliIo } from './io.js';
import { printable } from '../../values/texts.js';
import { withoutFinalBreak } from './signed-file.js';

/** Parses a file that contains one header per line, such as `Name: value`. */
export function headersIn(content: string): Captured['headers'] {
  // Text editors and shells of Windows can write a byte order mark.
  const lines = content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line, index) => {
      const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new CliError(`Line ${index + 1} of --headers does not have the form Name: value`);
      return [name.toLowerCase(), value] as const;
    }),
  );
}

/**
 * Explains the signature of a webhook, with a handler and a template for the mock. Returns undefined if no scheme
 * matches.
 */
export function explainNotification(
  captured: Captured,
  secretKey: string,
  variable: string,
): string | undefined {
  const scheme = findScheme(captured, secretKey);
  if (!scheme) return undefined;
  const body = jsonIn(captured.body);
  const { secretKeyEncoding, keyPrefix } = scheme;
  const needsKeySettings = secretKeyEncoding !== 'utf8' || keyPrefix !== '';
  return [
    `The signature is explained: ${printable(describeScheme(scheme))}`,
    '\nA handler that accepts the webhook:\n',
    handlerCode(scheme, variable),
    '\nA template with which mock and rehearse sign in the same way (--webhook-body FILE). The members of its body are guesses:\n',
    JSON.stringify(templateOf(scheme, body), undefined, 2),
    ...(needsKeySettings
      ? [
          `\nThe mock needs wire.secretKeyEncoding '${secretKeyEncoding}' to decode the key${keyPrefix === '' ? '' : `, and the key without ${keyPrefix}`}.`,
        ]
      : []),
  ].join('\n');
}

const explainNotificationOptions = {
  headers: text('FILE', 'The headers of the webhook, one per line, as Name: value'),
  ...secretEnvOption,
} satisfies Command['options'];

const notExplained =
  'No known signature scheme matches. Check that the file contains the exact bytes of the body and that you used the key for webhooks. The service might also sign the URL.';

/** Explains a captured webhook. @returns the exit code */
async function runExplainNotification(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: explainNotificationOptions,
    allowPositionals: true,
  });
  const file = fileIn('explain notification', positionals);
  const { headers: headersFile } = values;
  if (headersFile === undefined)
    throw new CliError('--headers is missing: pass the file with the headers of the webhook');
  const { secretKey } = signingFrom(values, io);
  const { bytes, wasUtf16 } = await readInput(file, io);
  if (bytes.length === 0) throw new CliError(`The file ${printable(file)} is empty`);
  const headers = await readFile(headersFile).catch((error: unknown) => {
    throw fileError('--headers: cannot read', headersFile, error);
  });
  // PowerShell, which writes UTF-16, also adds a line break at the end.
  const body = wasUtf16 ? (withoutFinalBreak(bytes) ?? bytes) : bytes;
  const captured = { body, headers: headersIn((decodeUtf16(headers) ?? headers).toString()) };
  const explanation = explainNotification(captured, secretKey, values['secret-env'] ?? '');
  io.out(printable(explanation ?? notExplained, '\n'));
  return explanation === undefined ? 1 : 0;
}

export const explainNotificationCommand: Command = {
  name: 'explain notification',
  summary: 'Finds how a captured webhook is signed, and prints a handler that accepts it',
  usage: ['explain notification FILE --headers FILE --secret-env NAME'],
  options: explainNotificationOptions,
  notes: `FILE contains the exact body of a webhook that you have captured. ${fileNote} The command finds the
header or field of the signature, its encoding and prefix, whether a timestamp is signed, and whether the body or its sorted fields are
signed. It prints a handler that accepts the webhook, and a template with which the mock signs the same way. It sends nothing.

Example:

  installment-payments explain notification body.json --headers headers.txt \\
    --secret-env INSTALLMENT_SECRET_KEY

In PowerShell, write a backtick instead of the backslash at the end of a line.

Exit code: 0, or 1 for wrong usage and if no known scheme matches.`,
  run: runExplainNotification,
};
