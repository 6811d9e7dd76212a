import { invoiceCanonicalString, signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { decodeUtf8 } from '../../../values/encodings.js';
import { isJson } from '../../../protocol/json-text.js';
import { listed, rows, type Row } from '../row.js';
import { withEscapes, type JsonDraft } from './json-draft.js';
import { leftOut, nameRows, nullRows, orderRows } from './json-fields.js';
import { escapeRows, layouts, slashRows, spacingRows } from './json-layouts.js';
import { isObject, isToken, plain, readTree, textAt, writeTree, type Tree } from './json-tree.js';
import { valueRows } from './json-values.js';
import { notationRows } from './other-notations.js';
import { noStyles, stylesOf, type SignedTexts } from './signed-texts.js';

/** Texts with nothing of the request in them. */
export const placeholderRows: readonly Row<unknown, string>[] = [
  ...rows<unknown, string>('body-empty', 'An empty text was signed.', [['', () => '']], 'php'),
  ...listed(
    'body-placeholder',
    'The text % was signed instead of what was sent.',
    `{} | null | undefined | [object Object] | [] | None | "" | nil | false | true | Array | Object | [object FormData]
     | [object Promise] | [object URLSearchParams] | [object Blob] | [object ReadableStream] | [object ArrayBuffer]
     | System.Object | System.Byte[] | System.Net.Http.StringContent | System.Net.Http.Json.JsonContent
     | System.Net.Http.MultipartFormDataContent | System.Collections.Generic.Dictionary\`2[System.String,System.Object]`,
  ),
];

/** Bytes that were sent in another encoding than UTF-8, and signed before that. */
const sentEncodings = rows<Uint8Array, string>(
  'body-encoding',
  'The text was signed as UTF-8 and sent as %.',
  [
    [
      'Latin-1',
      (bytes) => (decodeUtf8(bytes) === undefined ? Buffer.from(bytes).toString('latin1') : undefined),
    ],
    ['UTF-16LE', (bytes) => new TextDecoder('utf-16le').decode(bytes)],
    ['UTF-16BE', (bytes) => new TextDecoder('utf-16be').decode(bytes)],
    ['UTF-8 twice', (bytes) => Buffer.from(Buffer.from(bytes).toString(), 'latin1').toString()],
  ],
);

const mostParts = 40;

/** One outer field of the body, signed without the rest. */
function single(tree: Tree): Row<Tree, string>[] {
  const members = Object.entries(isObject(tree) ? tree : {}).slice(0, mostParts);
  return rows(
    'body-part',
    'Only the value of % was signed.',
    members.map(([name, value]) => [
      plain(name).slice(0, 60),
      () => (isToken(value) ? plain(value) : writeTree(value, {})),
    ]),
  );
}

/** The canonical string of an upload, made of the fields of a payment. */
function asUpload(tree: Tree): Row<Tree, string>[] {
  const fields = Object.fromEntries(signedInvoiceFields.map((name) => [name, textAt(tree, name)]));
  const says = 'The canonical string of an upload was signed (%); a payment is signed over its body.';
  return rows('body-as-upload', says, [
    ['with fields that a payment does not have', () => invoiceCanonicalString(fields)],
    ['of the fields that a payment has', () => invoiceCanonicalString(fields, { absentFields: 'omit' })],
  ]);
}

/** JSON inside the string that was sent, as `requests.post(json=text)` of Python sends it. */
function inner(tree: Tree): Row<Tree, string>[] {
  const text = isToken(tree) ? plain(tree) : '';
  const says = 'The body that was sent is JSON encoded twice: the JSON inside its string was signed.';
  return isJson(text) ? rows('body-wrapped.sent', says, [['', () => text]], 'python') : [];
}

/** The change of a row, made of what came. */
function applied<From>(list: readonly Row<From, string>[], from: From): Row<unknown, string>[] {
  return list.map((row) => ({ ...row, change: () => row.change(from) }));
}

/** The texts that may have been signed instead of a JSON body; `sent` is undefined for bytes that are not UTF-8. */
export function paymentTexts(bytes: Uint8Array, sent: string | undefined): SignedTexts {
  const core = (sent ?? '').trim();
  const tree = readTree(core);
  const others = [...placeholderRows, ...applied(sentEncodings, bytes)];
  if (sent === undefined || tree === undefined) return { styles: noStyles, others };

  const [before = '', after = ''] = sent.split(core);
  const layout = layouts.find((each) => writeTree(tree, each) === core) ?? {};
  const write = (draft: JsonDraft) => {
    // A text in a layout that no library writes stays as it came, as long as only its escapes change.
    const isAsSent = draft.tree === tree && draft.layout === layout;
    return before + withEscapes(draft, isAsSent ? core : writeTree(draft.tree, draft.layout)) + after;
  };
  const parts = [slashRows, escapeRows, spacingRows, orderRows, valueRows, nameRows, nullRows, leftOut(tree)];
  const ofTree = [...inner(tree), ...notationRows, ...asUpload(tree), ...single(tree)];
  return {
    styles: stylesOf<JsonDraft>({ tree, layout }, parts, write),
    others: [...others, ...applied(ofTree, tree)],
  };
}
