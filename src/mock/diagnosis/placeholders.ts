import type { Draft, Ingredient, Stage } from './draft.js';

const placeholders = [
  ['', 2],
  ['{}', 2],
  ['[]', 3],
  ['null', 2],
  ['undefined', 2],
  ['None', 3],
  ['nil', 4],
  ['""', 3],
  ['false', 4],
  ['true', 4],
  ['0', 4],
  ['1', 4],
  ['Array', 3],
  ['Object', 4],
  ['[object Object]', 2],
  ['[object Promise]', 4],
  ['[object FormData]', 3],
  ['[object Blob]', 4],
  ['[object ReadableStream]', 4],
  ['[object ArrayBuffer]', 4],
  ['[object URLSearchParams]', 4],
  ['System.Object', 4],
  ['System.String', 4],
  ['System.Byte[]', 4],
  ['System.Net.Http.StringContent', 3],
  ['System.Net.Http.ByteArrayContent', 4],
  ['System.Net.Http.Json.JsonContent', 3],
  ['System.Net.Http.MultipartFormDataContent', 3],
  ['System.IO.MemoryStream', 4],
  ['System.Collections.Generic.Dictionary`2[System.String,System.Object]', 4],
  ['System.Collections.Generic.Dictionary`2[System.String,System.String]', 4],
  ["b''", 4],
] as const;

/** A text without anything of the request in it. */
export const placeholderIngredients: Stage<Draft> = placeholders.map(([text, rarity]): Ingredient<Draft> => ({
  id: text === '' ? 'body-empty' : 'body-placeholder',
  rarity,
  message:
    text === '' ? 'An empty text was signed.' : `The text ${text} was signed instead of what was sent.`,
  fix:
    text === ''
      ? 'Sign after the body is there. Node.js: a body that a stream or parser has consumed is empty. PHP: php://input is empty for multipart requests; curl -d @file must be signed from the same file.'
      : 'Sign the serialised text, not the object that it is made of: serialise first, then sign and send the result.',
  apply: () => ({ text }),
}));
