import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { valueOf } from '../protocol/records.js';
import { isJson } from '../protocol/json-text.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../protocol/canonical-string.js';
import { signInvoice, signPayment } from '../protocol/signature.js';
import { explainSignature } from './explain-signature.js';
import { CliError, codeOf, visible, type CliIo } from './io.js';

const options = {
  'secret-env': { type: 'string' },
  received: { type: 'string' },
  invoice: { type: 'boolean' },
} as const;

/** The signed text of a request, its signature, and warnings about likely mistakes. */
interface Explanation {
  readonly about: string;
  readonly text: string;
  readonly signature: string;
  readonly warnings: readonly string[];
}

/** The `explain` command. */
export async function explain(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [kind, file, ...others] = positionals;
  const isKnown = kind === 'payment' || kind === 'invoice' || kind === 'signature';
  if (!isKnown || file === undefined || others.length > 0) {
    throw new CliError('explain takes payment or invoice or signature, and one FILE');
  }
  const { received, invoice = false } = values;
  if (kind !== 'signature' && (received !== undefined || invoice)) {
    throw new CliError('--received and --invoice belong to explain signature');
  }
  const secretKey = secretFrom(values['secret-env'], io);
  if (kind === 'signature') {
    if (!received) throw new CliError('--received is missing: give the signature that was refused');
    const body = await contentOf(file, io);
    io.out(explainSignature(invoice ? fieldsOf(decode(body)) : body, received, secretKey));
    return 0;
  }
  const bytes = await contentOf(file, io);
  const explanation =
    kind === 'payment' ? explainPayment(bytes, secretKey) : explainInvoice(bytes, secretKey);
  const warnings = [...explanation.warnings, ...secretWarnings(secretKey)];
  io.out(`${explanation.about}:\n\n${explanation.text}\n`);
  io.out(`Signature: ${explanation.signature}`);
  if (warnings.length > 0) io.out(`\n${warnings.map((warning) => `Warning: ${warning}`).join('\n')}`);
  return 0;
}

/** The secret comes from the environment, because the arguments of a process are visible to others. */
function secretFrom(name: string | undefined, { env }: CliIo): string {
  if (!name) throw new CliError('--secret-env is missing: name the variable that holds the secret');
  const secretKey = env[name];
  if (!secretKey) throw new CliError(`The environment variable ${visible(name)} is not set, or is empty`);
  return secretKey;
}

/** The content of a file; `-` is standard input. */
async function contentOf(file: string, { input }: CliIo): Promise<Buffer> {
  if (file === '-') return buffer(input);
  try {
    return await readFile(file);
  } catch (error) {
    throw new CliError(`Cannot read ${visible(file)} (${codeOf(error) ?? 'unknown'})`);
  }
}

function decode(bytes: Buffer): string | undefined {
  return valueOf(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

function explainPayment(bytes: Buffer, secretKey: string): Explanation {
  const text = decode(bytes);
  const warnings = text === undefined ? ['the body is not UTF-8.'] : bodyWarnings(text);
  return {
    about: `Signed bytes (${String(bytes.length)}, exactly as in the file)`,
    text: visible(text ?? bytes.toString('latin1'), '\n\t'),
    signature: signPayment(bytes, secretKey),
    warnings,
  };
}

const byteOrderMark = '\uFEFF';

function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

function bodyWarnings(text: string): string[] {
  const found = textWarnings('the body', text);
  if (text.startsWith(byteOrderMark)) {
    found.push('the body begins with a byte order mark, which is signed too: save the file without it.');
  }
  if (!isJson(withoutMark(text))) found.push('the body is not JSON.');
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

const fieldsSchema = z.record(z.string(), z.string());

function explainInvoice(bytes: Buffer, secretKey: string): Explanation {
  const text = decode(bytes);
  const fields = fieldsOf(text);
  const warnings = Object.entries(fields).flatMap(([name, value]) => fieldWarnings(name, value));
  if (text?.startsWith(byteOrderMark)) {
    warnings.push('the file begins with a byte order mark, which is not part of a field and is not signed.');
  }
  return {
    about: 'Canonical string',
    text: visible(invoiceCanonicalString(fields), '\n\t'),
    signature: signInvoice(fields, secretKey),
    warnings,
  };
}

function fieldsOf(text: string | undefined): Record<string, string> {
  const json = withoutMark(text ?? '');
  if (!isJson(json)) throw new CliError('The file is not JSON in UTF-8');
  const parsed = fieldsSchema.safeParse(JSON.parse(json));
  if (!parsed.success) throw new CliError('The file must contain a JSON object whose values are strings');
  return parsed.data;
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
