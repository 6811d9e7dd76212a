import { describe, expect, test } from 'vitest';
import type { Case } from './corpus.js';
import * as lib from './languages.js';
import { json, php, python, type JsonObject } from './languages.js';
import { leadsToSignature } from './resign.js';
import { hex, idsOf, secretKey, sent, serialisations } from './support.js';

/** The text that a call of a library really gave. */
function recorded(language: string, call: string): Buffer {
  const calls = serialisations[language];
  const text = typeof calls === 'object' ? calls[call] : undefined;
  if (text === undefined) throw new Error(`there is no ${call} of ${language}`);
  return text.startsWith('base64:') ? Buffer.from(text.slice(7), 'base64') : Buffer.from(text);
}

const order = JSON.parse(sent) as JsonObject;

test.each([
  ['php', 'json_encode default', php(order)],
  ['php', 'JSON_UNESCAPED_UNICODE', php(order, 'unicode')],
  ['php', 'JSON_UNESCAPED_SLASHES', php(order, 'slashes')],
  ['php', 'JSON_PRETTY_PRINT default', php(order, 'pretty')],
  ['php', 'ksort default', php(lib.ksorted(order))],
  ['php', 'http_build_query', lib.httpBuildQuery(order)],
  ['php', 'urlencode', lib.urlencode(sent)],
  ['php', 'rawurlencode', lib.rawurlencode(sent)],
  ['python', 'json.dumps', python(order)],
  ['python', 'ensure_ascii=False', python(order, { ascii: false })],
  ['python', 'compact, ensure_ascii', python(order, { separators: [',', ':'] })],
  ['python', 'sort_keys default', python(order, { sort: true })],
  ['python', 'indent=2', python(order, { indent: 2 })],
  ['python', 'str(dict)', lib.pythonStr(order)],
  ['python', 'quote', lib.quote(sent)],
  ['python', 'quote_plus', lib.quotePlus(sent)],
  ['go', 'json.Marshal of a map', lib.go(lib.sorted(order))],
  ['go', 'json.MarshalIndent of a map', lib.go(lib.sorted(order), lib.indented(2))],
  ['shell', 'jq .', `${json(order, lib.indented(2))}\n`],
] as const)('%s: %s is imitated to the byte', (language, call, text) => {
  expect(text).toBe(recorded(language, call).toString());
});

const [spaced, escaped, sorted] = ['body-pretty-printed', 'body-escaped', 'field-order'];

/** The calls of libraries on the order, each with its cause. */
const expected = [
  ['php', 'json_encode default', escaped],
  ['php', 'JSON_UNESCAPED_UNICODE', escaped],
  ['php', 'JSON_UNESCAPED_SLASHES', escaped],
  ['php', 'JSON_PRETTY_PRINT default', `${spaced} + ${escaped}`],
  ['php', 'JSON_PRETTY_PRINT both unescaped', spaced],
  ['php', 'JSON_NUMERIC_CHECK unescaped', 'value-types'],
  ['php', 'ksort unescaped', sorted],
  ['php', 'ksort default', `${sorted} + ${escaped}`],
  ['php', 'http_build_query', 'form-encoded'],
  ['php', 'urldecode http_build_query', 'form-encoded'],
  ['php', 'utf8_decode', 'body-encoding'],
  ['php', 'utf8_encode', 'body-encoding'],
  ['php', 'floats JSON_PRESERVE_ZERO_FRACTION', 'number-format'],
  ['php', 'array_filter', 'null-fields-omitted'],
  ['php', 'urlencode', 'url-encoded'],
  ['php', 'rawurlencode', 'url-encoded'],
  ['php', 'base64_encode', 'body-encoded'],
  ['php', 'double json_encode', 'body-wrapped'],
  ['python', 'json.dumps', `${spaced} + ${escaped}`],
  ['python', 'ensure_ascii=False', spaced],
  ['python', 'compact, ensure_ascii', escaped],
  ['python', 'sort_keys', sorted],
  ['python', 'sort_keys default', `${sorted} + ${spaced} + ${escaped}`],
  ['python', 'sort_keys spaced raw', `${sorted} + ${spaced}`],
  ['python', 'indent=2', `${spaced} + ${escaped}`],
  ['python', 'indent=4 raw', spaced],
  ['python', 'str(dict)', 'other-notation'],
  ['python', 'quote', 'url-encoded'],
  ['python', 'quote_plus', 'url-encoded'],
  ['python', 'floats compact raw', 'number-format'],
  ['python', 'NFD', 'unicode-normalised'],
  ['python', 'json.tool', `${spaced} + ${escaped} + line-breaks`],
  ['python', 'latin1 replace', 'body-encoding'],
  ['python', 'utf-16-le', 'body-encoding'],
  ['python', 'utf-8-sig', 'byte-order-mark'],
  ['go', 'Encoder of a map', `${sorted} + ${escaped} + line-breaks`],
  ['go', 'Encoder of a map, SetEscapeHTML(false)', `${sorted} + line-breaks`],
  ['go', 'json.HTMLEscape', escaped],
  ['go', 'json.Indent with tabs', spaced],
  ['go', 'json.Marshal of RawMessage', escaped],
  ['go', 'json.Marshal of a map', `${sorted} + ${escaped}`],
  ['go', 'json.MarshalIndent of a map', `${sorted} + ${spaced} + ${escaped}`],
  ['shell', 'jq .', `${spaced} + line-breaks`],
  ['shell', 'jq -S -c .', `${sorted} + line-breaks`],
  ['shell', 'jq -a -c .', `${escaped} + line-breaks`],
  ['shell', 'echo', 'line-breaks'],
  ['shell', 'jq --tab .', `${spaced} + line-breaks`],
  ['shell', 'xxd -p | tr -d', 'body-encoded'],
  ['shell', 'base64 -w 0', 'body-encoded'],
] as const;

describe('a body that was signed as a library writes it', () => {
  test.each(expected)(
    '%s: %s is explained as %s, by IDs that lead to the signature',
    (language, call, cause) => {
      const signature = hex(recorded(language, call));
      const body = Buffer.from(sent);
      const given: Case = { name: call, operation: 'payment', body, fields: {}, secretKey, signature };
      const ids = idsOf(given) ?? [];
      expect(ids.map((id) => id.replace(/\..*/, '')).join(' + ')).toBe(cause);
      expect(leadsToSignature(given, ids)).toBe(true);
    },
  );
});
