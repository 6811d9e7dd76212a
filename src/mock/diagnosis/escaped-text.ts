import { onText, type Draft, type Ingredient, type Rarity, type Stage } from './draft.js';
import { percentDecoded, percentEncodings } from './percent-encodings.js';

const urlFix = 'Sign the text as it is sent, without urlencode, quote or encodeURIComponent.';

/** The whole text encoded for a URL or a page. */
export const escapedTextStage: Stage<Draft> = [
  ...percentEncodings.map(({ name, encode }, index): Ingredient<Draft> => ({
    id: 'url-encoded',
    rarity: index < 3 ? 3 : 4,
    message: `The signed text is ${name} as a whole; it was not sent so.`,
    fix: urlFix,
    apply: onText(encode),
  })),
  {
    id: 'url-encoded',
    rarity: 4,
    message: 'The signed text was percent-decoded; it was sent encoded.',
    fix: 'Sign the text as it is sent, without urldecode.',
    apply: onText(percentDecoded),
  },
  htmlEscaped('&amp; &lt; &gt;', 4, { '&': '&amp;', '<': '&lt;', '>': '&gt;' }),
  htmlEscaped('&amp; &lt; &gt; &quot;', 3, { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }),
  htmlEscaped('&amp; &lt; &gt; &quot; &#039;', 3, {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#039;',
  }),
  htmlEscaped('&amp; &lt; &gt; &quot; &#39;', 4, {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
  htmlEscaped('&amp; &lt; &gt; &quot; &#x27;', 4, {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#x27;',
  }),
  {
    id: 'body-escaped',
    rarity: 4,
    message:
      'The signed text has a backslash before each quotation mark, apostrophe and backslash (addslashes).',
    fix: 'Sign the text as it is sent, without addslashes.',
    apply: onText((text) => text.replaceAll(/["'\\]/g, '\\$&')),
  },
  {
    id: 'body-escaped',
    rarity: 4,
    message: 'The signed text has no backslashes (stripslashes); the text that was sent has.',
    fix: 'Sign the text as it is sent, without stripslashes.',
    apply: onText((text) => text.replaceAll(/\\(.?)/g, '$1')),
  },
  {
    id: 'quotes-removed',
    rarity: 3,
    message: 'The signed text has no quotation marks (a shell removed them); the text that was sent has.',
    fix: 'Shell: put the body in single quotes, or read it from a file: openssl dgst -sha256 -hmac "$SECRET" < body.json.',
    apply: onText((text) => text.replaceAll('"', '')),
  },
  ...(['lower', 'upper'] as const).map((letters): Ingredient<Draft> => ({
    id: 'text-case',
    rarity: 4,
    message: `The whole signed text is in ${letters} case; it was not sent so.`,
    fix: 'Sign the text as it is sent. Only the hex digits of the signature are in lower case.',
    apply: onText((text) => (letters === 'lower' ? text.toLowerCase() : text.toUpperCase())),
  })),
  {
    id: 'white-space-removed',
    rarity: 4,
    message: 'The signed text has no white space at all, not even inside its values.',
    fix: 'Sign exactly the text that is sent.',
    apply: onText((text) => text.replaceAll(/\s+/g, '')),
  },
  {
    id: 'white-space-removed',
    rarity: 4,
    message: 'The signed text has no spaces at all, not even inside its values.',
    fix: 'Sign exactly the text that is sent.',
    apply: onText((text) => text.replaceAll(' ', '')),
  },
];

function htmlEscaped(
  names: string,
  rarity: Rarity,
  entities: Readonly<Record<string, string>>,
): Ingredient<Draft> {
  return {
    id: 'html-escaped',
    rarity,
    message: `The signed text is escaped for HTML (${names}); it was not sent so.`,
    fix: 'Sign the text as it is sent, without htmlspecialchars, html.escape or HtmlEncode.',
    apply: onText((text) => text.replaceAll(/["'&<>]/g, (found) => entities[found] ?? found)),
  };
}
