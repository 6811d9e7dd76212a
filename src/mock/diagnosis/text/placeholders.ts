import { instead, mistakes, type Draft, type Rarity, type Stage } from '../ingredient.js';

const placeholders: readonly (readonly [rarity: Rarity, texts: string])[] = [
  [2, '{} | null | undefined | [object Object]'],
  [3, '[] | None | "" | Array | [object FormData] | System.Net.Http.StringContent'],
  [3, 'System.Net.Http.Json.JsonContent | System.Net.Http.MultipartFormDataContent'],
  [
    4,
    "nil | false | true | 0 | 1 | Object | b'' | [object Promise] | [object Blob] | [object ReadableStream]",
  ],
  [4, '[object ArrayBuffer] | [object URLSearchParams] | System.Object | System.String | System.Byte[]'],
  [4, 'System.Net.Http.ByteArrayContent | System.IO.MemoryStream'],
  [4, 'System.Collections.Generic.Dictionary`2[System.String,System.Object]'],
  [4, 'System.Collections.Generic.Dictionary`2[System.String,System.String]'],
];

/** A text without anything of the request in it. */
export const placeholderIngredients: Stage<Draft> = [
  ...mistakes('body-empty', 'An empty text was signed.', instead, [[2, '', '']]),
  ...placeholders.flatMap(([rarity, texts]) =>
    mistakes(
      'body-placeholder',
      'The text % was signed instead of what was sent.',
      instead,
      texts.split(' | ').map((text) => [rarity, text, text]),
    ),
  ),
];
