import { pageLimitMs, type OrderPage } from '../mock/face.js';
import { reasonOf } from '../values/reason-of.js';
import { toUrl } from '../protocol/urls.js';
import { CliError } from './io.js';

const shownCharacters = 24;

/** A regular expression of the command line. */
function pattern(option: string, text: string, example: string): RegExp {
  try {
    return new RegExp(text, 'i');
  } catch {
    throw new CliError(`--${option} must be a regular expression, such as ${example}`);
  }
}

/** Asks the merchant's own page for an order. */
export function orderPage(template: string, paidText: string, onceText: string | undefined): OrderPage {
  if (!template.includes('{ref}') || !/^https?:\/\//.test(template) || !toUrl(template)) {
    throw new CliError(
      "--order-url must be an http or https URL with {ref} in it, such as 'http://127.0.0.1:3000/orders/{ref}'",
    );
  }
  const paid = pattern('paid', paidText, '\\bpaid\\b');
  const once = onceText === undefined ? undefined : pattern('once', onceText, 'shipped: (\\d+)');
  return async (referenceId) => {
    const url = template.replaceAll('{ref}', encodeURIComponent(referenceId));
    const { ok, status, text } = await read(url);
    const answered = `GET ${url} responded with HTTP ${status}`;
    if (!ok) {
      const hint = '{ref} in --order-url is the reference of the attempt, as the service knows it';
      return { paid: false, problem: `${answered}; ${hint}` };
    }
    const captured = /\d+/.exec(once?.exec(text)?.slice(1).join(' ') ?? '')?.[0];
    const count = captured === undefined ? undefined : Number(captured);
    const match = paid.exec(text);
    if (!match) return { paid: false, count, seen: `${answered}, and --paid matches nothing in it` };
    const around = text.slice(Math.max(0, match.index - shownCharacters)).slice(0, 2 * shownCharacters);
    const where = around.replaceAll(/\s+/g, ' ').trim();
    return { paid: true, count, seen: `${answered}, and --paid matches "${match[0]}" in: ${where}` };
  };
}

async function read(url: string): Promise<{ ok: boolean; status: number; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(pageLimitMs) });
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new Error(`GET ${url}: ${reasonOf(cause)}`, { cause: error });
  }
}
