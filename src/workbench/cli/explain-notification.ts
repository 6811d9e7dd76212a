import { findScheme, type Captured } from '../notification/find-scheme.js';
import { handlerCode, schemeInWords } from '../notification/print-scheme.js';
import { templateOf } from '../notification/print-template.js';
import { decodeUtf8 } from '../../values/encodings.js';
import { tryParseJson } from '../../values/untrusted-values.js';
import { CliError } from './io.js';
import { printable } from '../../values/texts.js';

/** The headers of a file with one `Name: value` a line. */
export function headersIn(content: string): Captured['headers'] {
  // A text editor or a shell of Windows may begin a file with a mark.
  const lines = content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line, index) => {
      const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new CliError(`--headers: line ${index + 1} is not of the form Name: value`);
      return [name.toLowerCase(), value] as const;
    }),
  );
}

/** How a notification was signed, a handler for it and a template of the mock; undefined where no scheme explains it. */
export function explainNotification(
  captured: Captured,
  secretKey: string,
  variable: string,
): string | undefined {
  const scheme = findScheme(captured, secretKey);
  if (!scheme) return undefined;
  const body = tryParseJson(decodeUtf8(captured.body) ?? '');
  const { secretKeyEncoding, keyPrefix } = scheme;
  const isOtherKey = secretKeyEncoding !== 'utf8' || keyPrefix !== '';
  return [
    `The signature is explained: ${printable(schemeInWords(scheme))}`,
    '\nA handler that accepts it:\n',
    handlerCode(scheme, variable),
    '\nThe template with which the mock sends the same (--webhook-body FILE); the members of its body are guesses:\n',
    JSON.stringify(templateOf(scheme, body), undefined, 2),
    ...(isOtherKey
      ? [
          `\nThe mock decodes the key with wire.secretKeyEncoding '${secretKeyEncoding}'${keyPrefix === '' ? '' : `; it takes it without ${keyPrefix}`}.`,
        ]
      : []),
  ].join('\n');
}
