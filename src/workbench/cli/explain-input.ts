import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { decodeUtf16 } from '../../values/encodings.js';
import { secretKeyEncodings, secretKeyProblem } from '../../validation/secret-key.js';
import { signatureEncodings } from '../../protocol/signature.js';
import { oneOf, text, textOr } from './command.js';
import { CliError, fileError, type CliIo } from './io.js';
import type { Signing } from './signed-file.js';

export const secretEnvOption = {
  'secret-env': text(
    'NAME',
    'Name of the environment variable that contains the secret key. The key itself is not an argument, because other users can see the arguments of a process',
  ),
};
export const secretEncodingOption = {
  'secret-encoding': textOr('utf8', 'ENCODING', 'Encoding of the secret key: utf8, hex or base64'),
};
export const absentFieldsOption = {
  'absent-fields': textOr(
    'empty',
    'empty|omit',
    'How the canonical string of an upload shows a field that is not sent',
  ),
};

/** The sentence of the help about standard input. */
export const fileNote = 'If FILE is -, the command reads standard input.';

/** Returns the FILE of a command line. @throws CliError if there is none, or more than one */
export function fileIn(command: string, positionals: readonly string[]): string {
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new CliError(`${command} needs one FILE`);
  return file;
}

/** Reads a file, or standard input. A text in UTF-16 is decoded, because it is signed as UTF-8. */
export async function readInput(file: string, io: CliIo): Promise<{ bytes: Buffer; wasUtf16: boolean }> {
  const written = await (file === '-' ? buffer(io.input) : readFile(file)).catch((error: unknown) => {
    throw fileError('Cannot read', file, error);
  });
  const decoded = decodeUtf16(written);
  return { bytes: decoded ?? written, wasUtf16: decoded !== undefined };
}

/** The secret key and the encodings of a command line. */
export function signingFrom(
  values: {
    readonly 'secret-env'?: string | undefined;
    readonly 'secret-encoding'?: string;
    readonly 'signature-encoding'?: string;
    readonly 'absent-fields'?: string;
  },
  io: CliIo,
): Signing {
  const secretKeyEncoding = oneOf('secret-encoding', values['secret-encoding'] ?? 'utf8', secretKeyEncodings);
  return {
    signatureEncoding: oneOf('signature-encoding', values['signature-encoding'] ?? 'hex', signatureEncodings),
    secretKeyEncoding,
    absentFields: oneOf('absent-fields', values['absent-fields'] ?? 'empty', ['empty', 'omit']),
    secretKey: secretFrom(values['secret-env'], secretKeyEncoding, io),
  };
}

const nameRule =
  '--secret-env needs the name of an environment variable, such as INSTALLMENT_SECRET_KEY, not the secret key itself';

function secretFrom(
  name: string | undefined,
  encoding: Signing['secretKeyEncoding'],
  { env }: CliIo,
): string {
  if (!name)
    throw new CliError('--secret-env is missing: name the environment variable that contains the secret key');
  // The text can be the secret itself, so no message repeats it.
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new CliError(nameRule);
  // Only an own property counts: every object inherits properties such as `constructor`.
  const secretKey = Object.hasOwn(env, name) ? env[name] : undefined;
  const problem = secretKey && secretKeyProblem(secretKey, encoding);
  if (problem) throw new CliError(`The environment variable ${name} ${problem}`);
  if (secretKey) return secretKey;
  throw new CliError(`The environment variable ${name} is not set, or is empty: ${nameRule}`);
}
