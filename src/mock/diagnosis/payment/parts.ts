import { instead, mistakes, type Apply, type Draft, type Row, type Stage } from '../ingredient.js';
import { isJson } from '../../../protocol/json-text.js';
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
].map((names) => names.split(' '));
const separators = ['', '|', '&', ':', ',', '.', '-', '_'];

/** A few fields of the body, as other gateways have them signed. */
function joined(tree: JsonTree): Stage {
  const amount = memberOf(tree, 'amount');
  const inner = new Map([
    ['amount', memberOf(amount, 'value')],
    ['currency', memberOf(amount, 'currency')],
  ]);
  const valueOf = (name: string) => inner.get(name) ?? memberOf(tree, name);
  const rows = partLists.flatMap((names): Row<string>[] => {
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

/** A part of the body, signed instead of the whole. */
export function bodyParts(tree: JsonTree | undefined): Stage {
  return tree === undefined ? [] : [...inner(tree), ...single(tree), ...joined(tree)];
}
