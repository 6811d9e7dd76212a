import type { Ingredient, Rarity, Stage } from './draft.js';
import { secretIngredient, type Secret } from './secret.js';

const trimFix =
  'Store and use the secret key without white space at its ends. Shell: printf %s "$SECRET" > file. PHP, Java, .NET: trim what is read from a file. Python: .strip(). Kubernetes: echo -n before base64.';

function padded(rarity: Rarity, what: string, change: (secret: string) => string): Ingredient<Secret> {
  return secretIngredient(
    'secret-trimmed',
    rarity,
    `The secret key was used with ${what}.`,
    trimFix,
    (secret) => change(secret.toString()),
  );
}

function quoted(quote: string): Ingredient<Secret> {
  return secretIngredient(
    'secret-quoted',
    quote === '`' ? 3 : 2,
    `The secret key was used with ${quote} around it.`,
    'Remove the quotation marks. Docker and many .env readers take them as part of the value.',
    (secret) => `${quote}${secret.toString()}${quote}`,
  );
}

/** What stands around the secret key. */
export const secretPaddingStage: Stage<Secret> = [
  padded(2, 'a line feed at its end', (secret) => `${secret}\n`),
  padded(2, 'CR LF at its end', (secret) => `${secret}\r\n`),
  secretIngredient(
    'secret-trimmed',
    2,
    'The secret key was used without the white space at its ends.',
    trimFix,
    (secret) => secret.toString().replaceAll(/^[ \t\r\n\f\v\0]+|[ \t\r\n\f\v\0]+$/g, ''),
  ),
  padded(2, 'a space at its end', (secret) => `${secret} `),
  padded(2, 'a space before it', (secret) => ` ${secret}`),
  padded(3, 'a tab at its end', (secret) => `${secret}\t`),
  padded(3, 'a tab before it', (secret) => `\t${secret}`),
  padded(3, 'a carriage return at its end', (secret) => `${secret}\r`),
  padded(4, 'two line feeds at its end', (secret) => `${secret}\n\n`),
  padded(4, 'a line feed before it', (secret) => `\n${secret}`),
  padded(4, 'a space at each end', (secret) => ` ${secret} `),
  padded(4, 'a no-break space at its end', (secret) => `${secret}\u00a0`),
  padded(4, 'a zero-width space at its end', (secret) => `${secret}\u200b`),
  quoted('"'),
  quoted("'"),
  quoted('`'),
  secretIngredient(
    'secret-quoted',
    3,
    'The secret key was used without the quotation marks around it.',
    'Use the secret key exactly as it was issued.',
    (secret) => secret.toString().replace(/^(["'])(.*)\1$/s, '$2'),
  ),
  secretIngredient(
    'secret-quoted',
    4,
    'The secret key was used with < and > around it.',
    'Remove the angle brackets of the documentation.',
    (secret) => `<${secret.toString()}>`,
  ),
  secretIngredient(
    'secret-quoted',
    4,
    "The secret key was used with Python's b'' around it.",
    'Python: secret.encode(), not str(secret_bytes).',
    (secret) => `b'${secret.toString()}'`,
  ),
  secretIngredient(
    'secret-byte-order-mark',
    3,
    'The secret key was used with a byte order mark (U+FEFF) before it.',
    'Save the file with the secret key as UTF-8 without BOM; Python: utf-8-sig.',
    (secret) => `\uFEFF${secret.toString()}`,
  ),
  ...[':', ';', ',', '=', '&', '.'].map((mark) =>
    secretIngredient(
      'secret-extended',
      mark === '&' ? 3 : 4,
      `The secret key was used with ${mark} at its end.`,
      'Use the secret key alone, with nothing added to it.',
      (secret) => `${secret.toString()}${mark}`,
    ),
  ),
];
