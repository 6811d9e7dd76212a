import { mistakes, onText, type Row, type Stage } from '../ingredient.js';
import { inLowerCase, inUpperCase, replaced, without, type Rewrite } from './rewrites.js';
import { htmlEscaped, percentDecoded, percentEncodings } from './web-escapes.js';

const entities: readonly (readonly [rarity: 3 | 4, entities: string])[] = [
  [4, '&amp; &lt; &gt;'],
  [3, '&amp; &lt; &gt; &quot;'],
  [3, '&amp; &lt; &gt; &quot; &#039;'],
  [4, '&amp; &lt; &gt; &quot; &#39;'],
  [4, '&amp; &lt; &gt; &quot; &#x27;'],
];

/** Escapes for URLs and pages, and changed letters: of a whole text, or of each value in it. */
export const escapes: readonly Row<Rewrite>[] = [
  ...percentEncodings.map(([name, encode], index) => [index < 3 ? 3 : 4, name, encode] as const),
  ...entities.map(
    ([rarity, list]) => [rarity, `escaped for HTML (${list})`, htmlEscaped(list), 'html-escaped'] as const,
  ),
  [4, 'written in lower case', inLowerCase, 'text-case'],
  [4, 'written in upper case', inUpperCase, 'text-case'],
];

/** The whole text encoded for a URL, a page or a shell, or without some of its characters. */
export const escapedTextStage: Stage = [
  ...mistakes('url-encoded', 'The signed text is % as a whole; it was not sent so.', onText, escapes),
  ...mistakes('url-encoded.decoded', 'The signed text was %; it was sent encoded.', onText, [
    [4, 'percent-decoded', percentDecoded],
  ]),
  ...mistakes('body-escaped.addslashes', 'The signed text has a backslash before %.', onText, [
    [4, 'each quotation mark, apostrophe and backslash (addslashes)', replaced(/["'\\]/g, '\\$&')],
  ]),
  ...mistakes('white-space-removed', 'The signed text has no %; the text that was sent has.', onText, [
    [3, 'quotation marks (a shell removed them)', without('"'), 'quotes-removed'],
    [4, 'backslashes (stripslashes)', replaced(/\\(.?)/g, '$1'), 'body-escaped.stripslashes'],
    [4, 'white space at all, not even inside its values', without(/\s+/g)],
    [4, 'spaces at all, not even inside its values', without(' ')],
  ]),
];
