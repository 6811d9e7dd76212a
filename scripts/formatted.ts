import { readFile } from 'node:fs/promises';
import { format, type FormatConfig } from 'oxfmt';

/** A generated text as `npm run format` leaves it, so that the committed file equals what is generated. */
export async function formatted(path: string, text: string): Promise<string> {
  const options = JSON.parse(await readFile('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(path, text, options);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  return code;
}
