import { describe, expect, test } from 'vitest';
import { hex, ofPayment, sent, serialisations } from './support.js';

type Expected = readonly [language: string, call: string, cause: string];

const spaced = 'body-pretty-printed';
const escaped = 'body-escaped';
const order = 'field-order';

/** The calls of libraries on the order, each with its cause. */
const expected: readonly Expected[] = [
  ['php', 'json_encode default', escaped],
  ['php', 'JSON_UNESCAPED_UNICODE', escaped],
  ['php', 'JSON_UNESCAPED_SLASHES', escaped],
  ['php', 'JSON_PRETTY_PRINT default', `${spaced} + ${escaped}`],
  ['php', 'JSON_PRETTY_PRINT both unescaped', spaced],
  ['php', 'JSON_HEX all default', escaped],
  ['php', 'JSON_NUMERIC_CHECK unescaped', 'value-types'],
  ['php', 'ksort unescaped', order],
  ['php', 'ksort default', `${order} + ${escaped}`],
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
  ['python', 'sort_keys', order],
  ['python', 'sort_keys default', `${order} + ${spaced} + ${escaped}`],
  ['python', 'sort_keys spaced raw', `${order} + ${spaced}`],
  ['python', 'indent=2', `${spaced} + ${escaped}`],
  ['python', 'indent=4 raw', spaced],
  ['python', 'str(dict)', 'other-notation'],
  ['python', 'quote', 'url-encoded'],
  ['python', 'quote_plus', 'url-encoded'],
  ['python', 'floats compact raw', 'number-format'],
  ['python', 'floats default', `number-format + ${spaced} + ${escaped}`],
  ['python', 'NFD', 'unicode-normalised'],
  ['python', 'json.tool', `${spaced} + ${escaped} + line-breaks`],
  ['python', 'latin1 replace', 'body-encoding'],
  ['python', 'utf-16', 'body-encoding'],
  ['python', 'utf-16-le', 'body-encoding'],
  ['python', 'utf-8-sig', 'byte-order-mark'],
  ['python', 'str(bytes)', 'body-wrapped'],
  ['go', 'Encoder of a map', `${order} + ${escaped} + line-breaks`],
  ['go', 'Encoder of a map, SetEscapeHTML(false)', `${order} + line-breaks`],
  ['go', 'json.HTMLEscape', escaped],
  ['go', 'json.Indent with tabs', spaced],
  ['go', 'json.Marshal of RawMessage', escaped],
  ['go', 'json.Marshal of a map', `${order} + ${escaped}`],
  ['go', 'json.MarshalIndent of a map', `${order} + ${spaced} + ${escaped}`],
  ['shell', 'jq .', `${spaced} + line-breaks`],
  ['shell', 'jq -S -c .', `${order} + line-breaks`],
  ['shell', 'jq -a -c .', `${escaped} + line-breaks`],
  ['shell', 'echo', 'line-breaks'],
  ['shell', 'jq --tab .', `${spaced} + line-breaks`],
  ['shell', 'xxd -p | tr -d', 'body-encoded'],
  ['shell', 'base64 -w 0', 'body-encoded'],
  ['shell', 'base64', 'body-encoded'],
];

function bytesOf(language: string, call: string): Buffer {
  const calls = serialisations[language];
  const text = typeof calls === 'object' ? calls[call] : undefined;
  if (text === undefined) throw new Error(`there is no ${call} of ${language}`);
  return text.startsWith('base64:') ? Buffer.from(text.slice(7), 'base64') : Buffer.from(text);
}

describe('the cause for a body that was signed as a library writes it', () => {
  test.each(expected)('%s: %s is %s', (language, call, cause) => {
    const diagnosis = ofPayment(hex(bytesOf(language, call)));
    expect(diagnosis.cause).toBe(cause);
    expect(diagnosis.expected).toBe(sent);
  });

  test('is tested for every call of the samples', () => {
    const calls = Object.entries(serialisations).flatMap(([language, samples]) =>
      typeof samples === 'string' || language === 'versions'
        ? []
        : Object.keys(samples).map((call) => `${language}: ${call}`),
    );
    expect(expected.map(([language, call]) => `${language}: ${call}`)).toEqual(calls);
  });
});
