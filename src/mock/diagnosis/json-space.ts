import { additionStage } from './additions.js';
import type { Draft, Ingredient, Stage } from './draft.js';
import { escapeStage } from './json-escapes.js';
import { memberStage, onTree } from './json-members.js';
import { nameStage } from './json-names.js';
import { notationIngredients } from './json-notations.js';
import { orderStage } from './json-order.js';
import { spacingOf, spacingStage, writtenAs } from './json-spacing.js';
import { decoded, isObject, isScalar, isText, readTree, type JsonTree } from './json-tree.js';
import { valueStage } from './json-values.js';
import { byteOrderMarkStage, endStage, lineBreakStage, unicodeStage } from './text-changes.js';
import { encodingStage, sentEncodingStage } from './encodings.js';
import { placeholderIngredients } from './placeholders.js';
import { escapedTextStage } from './escaped-text.js';
import { wrapStage } from './wraps.js';
import type { RefusedRequest } from './types.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The JSON of a text, and the white space and byte order mark around it. */
function readParts(text: string): { tree?: JsonTree; before: string; core: string; after: string } {
  const core = text.trim();
  const start = text.indexOf(core);
  const [before, after] = [text.slice(0, start), text.slice(start + core.length)];
  const tree = isJson(core) ? readTree(core) : undefined;
  return { ...(tree !== undefined && { tree }), before, core, after };
}

/** One outer field of the body, signed without the rest. */
function bodyParts(tree: JsonTree | undefined, write: (tree: JsonTree) => string | undefined): Stage<Draft> {
  if (!isObject(tree)) return [];
  return tree.members.slice(0, 40).map(([name, value]): Ingredient<Draft> => {
    const field = decoded(name).slice(0, 60);
    return {
      id: 'body-part',
      rarity: 4,
      message: `Only the value of ${field} was signed.`,
      fix: 'Sign the whole JSON body exactly as it is sent.',
      apply: () => {
        const text = isScalar(value) ? (isText(value) ? decoded(value) : value) : write(value);
        return text === undefined ? undefined : { tree: value, text };
      },
    };
  });
}

const partLists = [
  ['merchantId', 'referenceId', 'amount'],
  ['referenceId', 'amount'],
  ['merchantId', 'referenceId'],
  ['merchantId', 'storeId', 'referenceId', 'amount'],
  ['merchantId', 'storeId', 'referenceId'],
  ['merchantId', 'referenceId', 'amount', 'currency'],
];
const partSeparators = ['', '|', '&', ':', ',', '.', '-', '_'];

/** A few fields of the body, as other gateways have them signed. */
function joinedParts(tree: JsonTree | undefined): Stage<Draft> {
  if (!isObject(tree)) return [];
  const valueAt = (path: readonly string[]): string | undefined => {
    const found = path.reduce<JsonTree | undefined>(
      (object, name) =>
        isObject(object) ? object.members.find(([key]) => key === `"${name}"`)?.[1] : undefined,
      tree,
    );
    return typeof found === 'string' ? (isText(found) ? decoded(found) : found) : undefined;
  };
  const inner = new Map([
    ['amount', ['amount', 'value']],
    ['currency', ['amount', 'currency']],
  ]);
  return partLists.flatMap((names) => {
    const values = names.map((name) => [name, valueAt(inner.get(name) ?? [name])] as const);
    const ways = [
      ...partSeparators.map((separator) => values.map(([, value]) => value).join(separator)),
      values.map(([name, value]) => `${name}=${value ?? ''}`).join('&'),
    ];
    if (values.some(([, value]) => value === undefined)) return [];
    return ways.map((text): Ingredient<Draft> => ({
      id: 'body-part',
      rarity: 5,
      message: `Only ${names.join(', ')} were signed, as ${text.slice(0, 100)}.`,
      fix: 'Sign the whole JSON body exactly as it is sent.',
      apply: () => ({ text }),
    }));
  });
}

function textAt(tree: JsonTree | undefined, field: string): string | undefined {
  if (!isObject(tree)) return undefined;
  const value = tree.members.find(([name]) => name === `"${field}"`)?.[1];
  return typeof value === 'string' && isText(value) && value.length < 100 ? decoded(value) : undefined;
}

/** Everything that callers may have signed instead of a JSON body. */
export function jsonSpace(
  { bytes, text: sent }: { bytes: Uint8Array; text?: string },
  text: string,
  refused: RefusedRequest,
) {
  const { tree, before, core, after } = readParts(text);
  const spacing = tree === undefined ? undefined : spacingOf(core, tree);
  const write = (changed: JsonTree) => {
    const written = writtenAs(spacing, changed);
    return written === undefined ? undefined : before + written + after;
  };
  const apply = onTree(write);
  const referenceId = textAt(tree, 'referenceId');
  const root: Draft = { text, ...(tree !== undefined && { tree }), ...(sent === undefined && { bytes }) };
  const stages: Stage<Draft>[] = [
    [
      ...sentEncodingStage(bytes, sent !== undefined),
      ...placeholderIngredients,
      ...bodyParts(tree, write),
      ...joinedParts(tree),
    ],
    memberStage(tree, refused, apply),
    orderStage(tree, apply),
    valueStage(apply),
    nameStage(apply),
    [...spacingStage(spacing), ...notationIngredients],
    unicodeStage,
    escapeStage,
    escapedTextStage,
    endStage,
    lineBreakStage,
    byteOrderMarkStage,
    wrapStage,
    additionStage(refused, referenceId),
    encodingStage,
  ];
  return { text: root, textStages: stages, referenceId };
}
