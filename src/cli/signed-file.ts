import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CliError, fileError, visible, type CliIo } from './io.js';

/** Contents that cannot have been signed, each with the alternative. */
const mistaken: readonly (readonly [
  isMistaken: (bytes: Buffer, start: string) => boolean,
  problem: string,
])[] = [
  [
    isUtf16,
    'is UTF-16, which PowerShell and some editors write: save it as UTF-8 without a byte order mark, as it is sent',
  ],
  [
    (_bytes, start) => /^(?:[A-Z]+ \S+ HTTP\/\d|HTTP\/\d)/.test(start),
    'is a whole HTTP message: give its body alone, which is everything after the first empty line',
  ],
  [
    (_bytes, start) => /^(?:[$#>] *)?curl(?:\.exe)?\s/.test(start),
    'is a curl command: give the body alone, which is the text of its --data option',
  ],
];

function isUtf16(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 4).toString('latin1');
  return /^(?:\xff\xfe|\xfe\xff)/.test(start) || /^(?:[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/.test(start);
}

/** The content of the file that was signed; `-` is standard input. @throws CliError for a file that cannot be the signed one */
export async function readSignedFile(file: string, { input }: CliIo): Promise<Buffer> {
  const name = file === '-' ? 'Standard input' : `The file ${visible(file)}`;
  let bytes: Buffer;
  try {
    bytes = await (file === '-' ? buffer(input) : readFile(file));
  } catch (error) {
    throw fileError('Cannot read', file, error);
  }
  const start = bytes
    .subarray(0, 512)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  const [, problem] = mistaken.find(([isMistaken]) => isMistaken(bytes, start)) ?? [];
  if (problem !== undefined) throw new CliError(`${name} ${problem}`);
  return bytes;
}
