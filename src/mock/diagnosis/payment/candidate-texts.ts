import { isJson } from '../../../protocol/json-text.js';
import {
  instead,
  mistakes,
  type Apply,
  type Draft,
  type Row,
  type Stage,
  type Candidates,
} from '../ingredient.js';
import { sentEncodings } from '../text/encodings.js';
import { placeholders, textStages } from '../text/stages.js';
import {
  decoded,
  isObject,
  isScalar,
  isText,
  memberOf,
  plain,
  readTree,
  type JsonTree,
} from '../tree/tree.js';
import { isWritable, writeTree } from '../tree/write-tree.js';
import type { RefusedRequest } from '../types.js';
import { memberStage, nameStage, orderStage } from './fields.js';
import { notationStage } from './notations.js';
import { spacingOf, spacingStage } from './spacing.js';
import { valueStage } from './values.js';

const mostParts = 40;

/** One outer field of the body, signed without the rest. */
function single(tree: JsonTree): Stage {
  const members = isObject(tree) ? tree.members.slice(0, mostParts) : [];
  const signed =
    (part: JsonTree): Apply<Draft> =>
    ({ write }) => {
      const text = isScalar(part) ? plain(part) : write?.(part);
      return text === undefined ? undefined : { tree: part, text, write };
    };
  const rows = members.map(([name, value]): Row<JsonTree> => [4, decoded(name).slice(0, 60), value]);
  return mistakes('body-part', 'Only the value of % was signed.', signed, rows);
}

const partLists = [
  'merchantId referenceId amount',
  'referenceId amount',
  'merchantId referenceId',
  'merchantId storeId referenceId amount',
  'merchantId storeId referenceId',
  'merchantId referenceId amount currency',
];
const separators = ['', '|', '&', ':', ',', '.', '-', '_'];

/** A few fields of the body, as other gateways have them signed. */
function joined(tree: JsonTree): Stage {
  const amount = memberOf(tree, 'amount');
  const inner = new Map([
    ['amount', memberOf(amount, 'value')],
    ['currency', memberOf(amount, 'currency')],
  ]);
  const valueOf = (name: string) => inner.get(name) ?? memberOf(tree, name);
  const rows = partLists.flatMap((list): Row<string>[] => {
    const names = list.split(' ');
    const values = names.map(valueOf).filter(isScalar).map(plain);
    if (values.length < names.length) return [];
    const pairs = values.map((value, index) => `${names[index] ?? ''}=${value}`).join('&');
    const texts = [...separators.map((separator) => values.join(separator)), pairs];
    return texts.map((text) => [5, `${names.join(', ')} were signed, as ${text.slice(0, 100)}`, text]);
  });
  return mistakes('body-part', 'Only %.', instead, rows);
}

/** JSON inside the string that was sent, as `requests.post(json=text)` of Python sends it. */
function inner(tree: JsonTree): Stage {
  const text = isScalar(tree) && isText(tree) ? decoded(tree) : '';
  if (!isJson(text)) return [];
  const signed: Apply<Draft> = ({ write }) => ({ text, tree: readTree(text.trim()), write });
  const sentence = 'The body that was sent is JSON encoded twice: %.';
  return mistakes('body-wrapped.sent', sentence, () => signed, [
    [2, 'the JSON inside its string was signed', text],
  ]);
}

const longestReference = 100;

/** The texts that callers may have signed instead of a JSON body; `sent` is undefined for bytes that are not UTF-8. */
export function paymentCandidates(
  bytes: Uint8Array,
  sent: string | undefined,
  refused: RefusedRequest,
): Candidates {
  // Bytes that are not text are shown as a reader would decode them.
  const text = sent ?? Buffer.from(bytes).toString();
  const core = text.trim();
  const start = text.indexOf(core);
  const tree = isJson(core) ? readTree(core) : undefined;
  const spacing = tree === undefined ? undefined : spacingOf(core, tree);
  // With the white space and byte order mark around it.
  const write = (changed: JsonTree) => {
    if (!spacing || !isWritable(changed, spacing[2])) return undefined;
    return text.slice(0, start) + writeTree(changed, spacing[2]) + text.slice(start + core.length);
  };
  const reference = memberOf(tree, 'referenceId');
  const isShort = isScalar(reference) && isText(reference) && reference.length < longestReference;
  const referenceId = isShort ? decoded(reference) : undefined;
  const parts = tree === undefined ? [] : [...inner(tree), ...single(tree), ...joined(tree)];
  const stages: Stage[] = [
    [...sentEncodings(bytes, sent !== undefined), ...placeholders, ...parts],
    memberStage(tree, refused),
    orderStage(tree),
    valueStage,
    nameStage,
    [...spacingStage(spacing), ...notationStage],
    ...textStages(refused, referenceId),
  ];
  const draft = { text, tree, bytes: sent === undefined ? bytes : undefined, write };
  return { draft, stages, referenceId };
}
