import { instead, listed, mistakes, type Stage } from '../ingredient.js';

const sentence = 'The text % was signed instead of what was sent.';

/** A text with nothing of the request in it. */
export const placeholderIngredients: Stage = [
  ...mistakes('body-empty', 'An empty text was signed.', instead, [[2, '', '']]),
  ...mistakes('body-placeholder', sentence, instead, [
    ...listed(2, '{} | null | undefined | [object Object]'),
    ...listed(3, '[] | None | "" | Array | [object FormData] | System.Net.Http.StringContent'),
    ...listed(3, 'System.Net.Http.Json.JsonContent | System.Net.Http.MultipartFormDataContent'),
    ...listed(4, "nil | false | true | 0 | 1 | Object | b'' | [object Promise] | [object Blob]"),
    ...listed(4, '[object ReadableStream] | [object ArrayBuffer] | [object URLSearchParams]'),
    ...listed(4, 'System.Object | System.String | System.Byte[] | System.Net.Http.ByteArrayContent'),
    ...listed(4, 'System.IO.MemoryStream'),
    ...listed(4, 'System.Collections.Generic.Dictionary`2[System.String,System.Object]'),
    ...listed(4, 'System.Collections.Generic.Dictionary`2[System.String,System.String]'),
  ]),
];
