/** What to do about mistakes that many ingredients share, in the terms of the usual languages. */
export const advice = {
  signOnce: 'Serialise the body once, sign those bytes and send the same bytes.',
  compact:
    "PHP (Guzzle): send the signed text with 'body' => $json, not with 'json' => $order. Python (requests): data=body, not json=order. " +
    'JavaScript (axios, fetch): pass the signed string, not the object.',
  pythonSpacing:
    "Python: body = json.dumps(order, separators=(',', ':'), ensure_ascii=False).encode(), sent with data=body, not with json=order. " +
    'Ruby and databases: send the same text that was signed.',
  indentation:
    'PHP: without JSON_PRETTY_PRINT. Python: without indent. JavaScript: JSON.stringify(order) without a third argument. ' +
    'Java: without INDENT_OUTPUT or setPrettyPrinting(). .NET: WriteIndented = false. Go: json.Marshal, not MarshalIndent. ' +
    'Ruby: JSON.generate, not pretty_generate. Shell: jq -c.',
  jackson:
    'Java (Jackson): byte[] body = mapper.writeValueAsBytes(order), without INDENT_OUTPUT and without writerWithDefaultPrettyPrinter().',
  dotnetEscapes: '.NET (System.Text.Json): Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping.',
  htmlEscapes:
    'Go: encoder.SetEscapeHTML(false). Java (Gson): disableHtmlEscaping(). PHP: without JSON_HEX_TAG, JSON_HEX_AMP, JSON_HEX_APOS and JSON_HEX_QUOT.',
} as const;
