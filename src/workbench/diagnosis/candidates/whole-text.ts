import { byteOrderMark } from '../../../values/encodings.js';
import { tryParseJson } from '../../../values/untrusted-values.js';
import placeholders from '../placeholders.json' with { type: 'json' };
import { rowsFor, rowsOf } from '../mistake.js';
import type { RefusedRequest } from '../../../mock/observation.js';
import { onText, type Step } from './candidate.js';
import { htmlEncodings, percentEncodings } from './rewrites.js';
import { tokenWriter } from './styles.js';

// Changes of the whole text of a payment or an upload: its ends, its bytes, and the addition of other parts of the
// request.

const longestNormalised = 64 * 1024;

/**
 * Converts a text to a Unicode form. Returns undefined if that would take long, because the time is quadratic in the
 * length of a run of marks.
 */
const normalised = (form: 'NFC' | 'NFD') => (text: string) =>
  text.length > longestNormalised || /\p{M}{31}/u.test(text) ? undefined : text.normalize(form);

/** The quick changes, which are tried on texts of any length. */
export const endSteps = onText({
  'line-breaks.end': (text) => `${text}\n`,
  'line-breaks.end.windows': (text) => `${text}\r\n`,
  'byte-order-mark.signed': (text) => byteOrderMark + text,
  'byte-order-mark.sent': (text) => text.replace(/^\uFEFF/, ''),
  'line-breaks.end.trimmed': (text) => text.trim(),
  'line-breaks.windows': (text) => text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'),
  'line-breaks.unix': (text) => text.replaceAll('\r\n', '\n'),
});

/** Writes the JSON string that contains the text. */
const asString = (escapes: Parameters<typeof tokenWriter>[0]) => (text: string) =>
  tokenWriter(escapes)(JSON.stringify(text));

export const rewriteSteps = onText({
  'line-breaks.shell': (text) => `${text.replaceAll(/[ \t\n]+/g, ' ').replaceAll(/^ | $/g, '')}\n`,
  'unicode-normalised.NFC': normalised('NFC'),
  'unicode-normalised.NFD': normalised('NFD'),
  'body-wrapped.json': asString('none'),
  'body-wrapped.json-php': asString('php'),
  'body-wrapped.json-ascii': asString('unicode'),
  'body-wrapped.sent': (text) => {
    const value = tryParseJson(text);
    return typeof value === 'string' ? value : undefined;
  },
  'body-encoded.base64': (text) => Buffer.from(text).toString('base64'),
  'body-encoded.hex': (text) => Buffer.from(text).toString('hex'),
  ...rowsOf('url-encoded.whole', percentEncodings, (encode) => encode),
  'slashes-added': (text) => text.replaceAll(/[\\'"]/g, '\\$&'),
  ...rowsOf('html-encoded.whole', htmlEncodings, (encode) => encode),
  'body-encoding.latin1': (text) => Buffer.from(text.replaceAll(/[^\0-\xff]/gu, '?'), 'latin1'),
  'body-encoding.ascii': (text) => text.replaceAll(/[^\0-\x7f]/gu, '?'),
  'body-encoding.utf8-twice': (text) => Buffer.from(text).toString('latin1'),
  'body-encoding.utf16': (text) => Buffer.from(text, 'utf16le'),
});

/** Steps that add another part of the request to the text, as other gateways require it. */
function addedSteps({ merchant, request }: RefusedRequest): Step[] {
  const [secretKey] = merchant.secretKeys;
  const parts = {
    time: request?.requestTime,
    client: merchant.clientId,
    path: request?.path,
    key: secretKey,
  };
  const given = Object.entries(parts).filter(([, part]) => part !== undefined);
  const forms = given.flatMap(([name, part = '']) =>
    ['', '.', '|', '\n'].flatMap((mark): [form: string, add: (text: string) => string][] => [
      [`${name}-text${mark && `.${mark}`}`, (text) => part + mark + text],
      [`text-${name}${mark && `.${mark}`}`, (text) => text + mark + part],
    ]),
  );
  return onText({
    ...rowsOf('text-added', forms, (add) => add),
    'text-added.text-&key=': (text) => `${text}&key=${secretKey}`,
  });
}

/** The texts that were signed instead of the sent text. */
const insteadSteps = onText({
  'body-empty': () => '',
  ...rowsFor('body-placeholder', placeholders.text, (text) => () => text),
});

/** The changes of the whole text that are not combined with a second mistake. */
export const aloneSteps = (refused: RefusedRequest): Step[] => [...addedSteps(refused), ...insteadSteps];
