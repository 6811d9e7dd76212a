import { describe, expect, test } from 'vitest';
import { hex, ofPayment, sent, serialisations } from './support.js';

type Expected = readonly [language: string, call: string, cause: string, ...words: string[]];

const spaced = 'body-pretty-printed';
const escaped = 'body-escaped';
const order = 'field-order';

/** The calls of libraries on the order, each with its cause and some words of its explanation. */
const expected: readonly Expected[] = [
  [
    'php',
    'json_encode default',
    escaped,
    'slashes (\\/)',
    'lower-case digits',
    'JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES',
  ],
  ['php', 'JSON_UNESCAPED_UNICODE', escaped, 'slashes (\\/)', 'json_encode($order, JSON_UNESCAPED_SLASHES)'],
  [
    'php',
    'JSON_UNESCAPED_SLASHES',
    escaped,
    'lower-case digits',
    'json_encode($order, JSON_UNESCAPED_UNICODE)',
  ],
  [
    'php',
    'JSON_PRETTY_PRINT default',
    `${spaced} + ${escaped}`,
    '4 spaces',
    'slashes',
    'without JSON_PRETTY_PRINT',
  ],
  ['php', 'JSON_PRETTY_PRINT both unescaped', spaced, '4 spaces', 'without JSON_PRETTY_PRINT'],
  ['php', 'JSON_HEX_TAG unescaped', escaped, '\\u003C', '\\u003E', 'JSON_HEX_TAG'],
  ['php', 'JSON_HEX_AMP unescaped', escaped, '& (\\u0026)', 'JSON_HEX_AMP'],
  ['php', 'JSON_HEX_APOS unescaped', escaped, "' (\\u0027)", 'JSON_HEX_APOS'],
  ['php', 'JSON_HEX_QUOT unescaped', escaped, '" (\\u0022)', 'JSON_HEX_QUOT'],
  ['php', 'JSON_HEX all default', escaped, 'slashes', 'lower-case digits', '\\u003C'],
  ['php', 'JSON_HEX all unescaped', escaped, '\\u0022', '\\u003C'],
  ['php', 'JSON_NUMERIC_CHECK unescaped', 'value-types', 'JSON_NUMERIC_CHECK'],
  ['php', 'ksort unescaped', order, 'not inside its objects', 'ksort'],
  ['php', 'ksort default', `${order} + ${escaped}`, 'not inside its objects', 'slashes', 'ksort'],
  ['php', 'http_build_query', 'form-encoded', '+ for a space', 'http_build_query'],
  ['php', 'http_build_query rfc3986', 'form-encoded', '%20', 'http_build_query'],
  ['php', 'urldecode http_build_query', 'form-encoded', 'unencoded'],
  ['php', 'utf8_decode', 'body-encoding', 'Latin-1', 'utf8_decode'],
  ['php', 'utf8_encode', 'body-encoding', 'UTF-8 twice', 'utf8_encode'],
  ['php', 'floats JSON_PRESERVE_ZERO_FRACTION', 'number-format', '12000000.0', 'JSON_PRESERVE_ZERO_FRACTION'],
  ['php', 'array_filter', 'null-fields-omitted', 'null or empty', 'array_filter'],
  ['php', 'htmlspecialchars', 'html-escaped', '&quot;', 'htmlspecialchars'],
  ['php', 'addslashes', escaped, 'addslashes'],
  ['php', 'urlencode', 'url-encoded', '+ for a space', 'urlencode'],
  ['php', 'rawurlencode', 'url-encoded', 'rawurlencode'],
  ['php', 'base64_encode', 'body-encoded', 'base64'],
  ['php', 'double json_encode', 'body-wrapped', 'serialised twice'],
  [
    'python',
    'json.dumps',
    `${spaced} + ${escaped}`,
    'after each comma and colon',
    'separators=',
    'ensure_ascii=False',
  ],
  ['python', 'ensure_ascii=False', spaced, 'after each comma and colon', 'separators='],
  ['python', 'compact, ensure_ascii', escaped, 'lower-case digits', 'ensure_ascii=False'],
  ['python', 'sort_keys', order, 'in every object', 'sort_keys'],
  [
    'python',
    'sort_keys default',
    `${order} + ${spaced} + ${escaped}`,
    'sort_keys',
    'separators=',
    'ensure_ascii=False',
  ],
  ['python', 'sort_keys spaced raw', `${order} + ${spaced}`, 'sort_keys', 'separators='],
  ['python', 'indent=2', `${spaced} + ${escaped}`, '2 spaces', 'without indent', 'ensure_ascii=False'],
  ['python', 'indent=4 raw', spaced, '4 spaces', 'without indent'],
  ['python', 'str(dict)', 'other-notation', 'Python dict', 'json.dumps'],
  ['python', 'urlencode', 'form-encoded', 'str() of Python', 'urlencode'],
  ['python', 'urlencode sorted', 'form-encoded', 'sorted by name', 'urlencode'],
  ['python', 'quote', 'url-encoded', 'except for slashes', 'quote'],
  ['python', 'quote_plus', 'url-encoded', '+ for a space'],
  ['python', 'floats compact raw', 'number-format', '12000000.0', 'int, not float'],
  [
    'python',
    'floats default',
    `number-format + ${spaced} + ${escaped}`,
    '12000000.0',
    'separators=',
    'ensure_ascii=False',
  ],
  ['python', 'NFD', 'unicode-normalised', 'NFD', 'unicodedata.normalize'],
  ['python', 'json.tool', `${spaced} + ${escaped} + line-breaks`, '4 spaces', 'line feed'],
  ['python', 'latin1 replace', 'body-encoding', 'Latin-1'],
  ['python', 'utf-16', 'body-encoding', 'UTF-16LE with a byte order mark'],
  ['python', 'utf-16-le', 'body-encoding', 'UTF-16LE;'],
  ['python', 'utf-8-sig', 'byte-order-mark', 'U+FEFF'],
  ['python', 'str(bytes)', 'body-wrapped', "b'…'"],
  ['ruby', 'pretty_generate', spaced, '2 spaces', 'JSON.generate, not pretty_generate'],
  ['ruby', 'ascii_only', escaped, 'lower-case digits'],
  ['ruby', 'to_s', 'other-notation', 'Ruby hash', 'JSON.generate'],
  ['ruby', 'encode_www_form', 'form-encoded', 'not objects'],
  ['ruby', 'sort.to_h', order, 'not inside its objects'],
  [
    'go',
    'Encoder of a map',
    `${order} + ${escaped} + line-breaks`,
    'SetEscapeHTML(false)',
    'json.Marshal does not',
    'a map is sorted',
  ],
  [
    'go',
    'Encoder of a map, SetEscapeHTML(false)',
    `${order} + line-breaks`,
    'json.Marshal does not',
    'a map is sorted',
  ],
  ['go', 'fmt.Sprint of a map', 'other-notation', 'Go map', 'json.Marshal'],
  ['go', 'json.HTMLEscape', escaped, '\\u003c', 'SetEscapeHTML(false)'],
  ['go', 'json.Indent with tabs', spaced, 'tabs', 'MarshalIndent'],
  ['go', 'json.Marshal of RawMessage', escaped, '\\u0026', 'SetEscapeHTML(false)'],
  ['go', 'json.Marshal of a map', `${order} + ${escaped}`, '\\u003c', 'a map is sorted'],
  ['go', 'json.MarshalIndent of a map', `${order} + ${spaced} + ${escaped}`, '2 spaces', 'MarshalIndent'],
  ['perl', 'JSON::PP canonical ascii', `${order} + ${escaped}`, 'lower-case digits'],
  ['shell', 'jq .', `${spaced} + line-breaks`, '2 spaces', 'jq -c', 'line feed'],
  ['shell', 'jq -S -c .', `${order} + line-breaks`, 'jq without -S', 'line feed'],
  ['shell', 'jq -a -c .', `${escaped} + line-breaks`, 'lower-case digits', 'line feed'],
  ['shell', 'echo', 'line-breaks', 'printf %s'],
  ['shell', 'jq --tab .', `${spaced} + line-breaks`, 'tabs'],
  ['shell', 'xxd -p | tr -d', 'body-encoded', 'hex'],
  ['shell', 'base64 -w 0', 'body-encoded', 'base64'],
  ['shell', 'base64', 'body-encoded', '76 characters'],
];

function bytesOf(language: string, call: string): Buffer {
  const calls = serialisations[language];
  const text = typeof calls === 'object' ? calls[call] : undefined;
  if (text === undefined) throw new Error(`there is no ${call} of ${language}`);
  return text.startsWith('base64:') ? Buffer.from(text.slice(7), 'base64') : Buffer.from(text);
}

describe('the cause for a body that was signed as a library writes it', () => {
  test.each(expected)('%s: %s is %s', (language, call, cause, ...words) => {
    const diagnosis = ofPayment(hex(bytesOf(language, call)));
    expect(diagnosis.cause).toBe(cause);
    for (const each of words) expect(`${diagnosis.message} ${diagnosis.fix}`).toContain(each);
    expect(diagnosis).toMatchObject({ compared: 'signed text', expected: sent });
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

describe('the cause for a body that was sent as a library writes it, and signed in compact JSON', () => {
  const reversed: readonly (readonly [language: string, call: string, cause: string])[] = [
    ['php', 'json_encode default', escaped],
    ['php', 'JSON_UNESCAPED_UNICODE', escaped],
    ['php', 'JSON_PRETTY_PRINT both unescaped', 'body-reserialised'],
    ['php', 'JSON_PRETTY_PRINT default', `body-reserialised + ${escaped}`],
    ['python', 'json.dumps', `body-reserialised + ${escaped}`],
    ['python', 'ensure_ascii=False', 'body-reserialised'],
    ['python', 'compact, ensure_ascii', escaped],
    ['python', 'floats compact raw', 'number-format'],
    ['python', 'NFD', 'unicode-normalised'],
    ['python', 'utf-8-sig', 'byte-order-mark'],
    ['python', 'utf-16-le', 'body-encoding'],
    ['php', 'utf8_encode', 'body-encoding'],
    ['php', 'utf8_decode', 'secret-wrong'],
    ['go', 'json.HTMLEscape', escaped],
    ['shell', 'echo', 'values-trimmed'],
    ['shell', 'jq .', 'body-reserialised'],
  ];

  test.each(reversed)('%s: %s is %s', (language, call, cause) => {
    const bytes = bytesOf(language, call);
    expect(ofPayment(hex(sent), bytes).cause).toBe(cause);
  });
});
